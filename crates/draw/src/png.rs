//! A drawing as pixels.

use resvg::{tiny_skia, usvg};

/// Why a drawing gives no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngError {
    /// The text is not SVG: what the reader says.
    Svg(String),
    /// The picture would have no pixels, or more than fit in memory: its width and height.
    Size(u32, u32),
    /// The pixels could not be written: what the writer says.
    Write(String),
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PngError::Svg(why) => write!(f, "not a drawing: {why}"),
            PngError::Size(w, h) => {
                write!(f, "a picture of {w} by {h} pixels; it must have some, and {MOST} a side at most")
            }
            PngError::Write(why) => write!(f, "the picture could not be written: {why}"),
        }
    }
}

impl std::error::Error for PngError {}

/// The most pixels a side.
const MOST: u32 = 16_384;

/// The drawing as a PNG file, `scale` pixels to a unit of the drawing.
///
/// # Errors
/// Text that is not SVG, or a scale at which the picture has no pixels or too many.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let tree =
        usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| PngError::Svg(e.to_string()))?;
    let size = tree.size();
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let pixels = |v: f32| (v * scale).round().clamp(0.0, 1.0e6) as u32;
    let (w, h) = (pixels(size.width()), pixels(size.height()));
    if w > MOST || h > MOST {
        return Err(PngError::Size(w, h));
    }
    let mut map = tiny_skia::Pixmap::new(w, h).ok_or(PngError::Size(w, h))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut map.as_mut());
    map.encode_png().map_err(|e| PngError::Write(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_picture() {
        assert!(matches!(png("<svg", 1.0), Err(PngError::Svg(_))));
        let square = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>";
        assert_eq!(png(square, 0.0), Err(PngError::Size(0, 0)));
        assert_eq!(png(square, 5000.0), Err(PngError::Size(50_000, 50_000)));
        assert!(png(square, 2.0).is_ok_and(|b| b.starts_with(b"\x89PNG")));
    }
}
