//! Ids into the arrays of a [`Battle`](super::Battle): never shown to people, who see labels.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $inner:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            /// As an index into the array of its kind.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// An element of any army.
    ElementId, u16
);
id!(
    /// A command: in a normal battle the whole army.
    CommandId, u8
);
id!(
    /// A side: one army.
    SideId, u8
);
