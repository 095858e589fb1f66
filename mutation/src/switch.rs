//! All mutants of a file at once, each behind a switch that is thrown at run time.
//!
//! A build for each mutant takes a minute; a switch takes none. `a < b` becomes an expression that asks which mutant
//! is on and compares accordingly; a function asks first whether it is to give up; an arm of a match gets a guard.
//! Every mutant's own code stands on a line of its own, so that an error of the compiler names those that would not
//! have been built one by one either.

use std::collections::BTreeMap;

use proc_macro2::LineColumn;
use syn::visit::{self, Visit};

use crate::list::{Genre, Mutant};

/// Something put into the text at a place.
struct Edit {
    at: usize,
    /// How much of the old text it replaces.
    over: usize,
    /// Among edits at one place: closing ones before opening ones, inner closings and outer openings first.
    order: (u8, i64, i64),
    text: String,
}

/// A file with its switches.
pub struct Switched {
    /// The new text.
    pub text: String,
    /// Mutants that have a switch here.
    pub done: Vec<usize>,
    /// Mutants of kinds that have none.
    pub left: Vec<usize>,
}

/// What stands in for a file of the crate `hott`.
///
/// # Errors
/// Text that is not Rust.
pub fn switched(source: &str, mutants: &[(usize, &Mutant)]) -> Result<Switched, String> {
    let file = syn::parse_file(source).map_err(|e| e.to_string())?;
    let mut starts = vec![0];
    starts.extend(source.match_indices('\n').map(|(i, _)| i + 1));
    let mut finder = Finder { source, starts, wanted: BTreeMap::new(), edits: Vec::new(), done: Vec::new() };
    for (id, mutant) in mutants {
        let at = finder.offset(mutant.start.0, mutant.start.1 - 1);
        finder.wanted.entry((mutant.genre, at)).or_default().push((*id, mutant.replacement.clone()));
    }
    finder.visit_file(&file);
    let Finder { mut edits, done, .. } = finder;
    edits.sort_by_key(|e| (e.at, e.order));
    let mut text = String::with_capacity(source.len() * 2);
    let mut at = 0;
    for edit in edits {
        text.push_str(&source[at..edit.at]);
        text.push_str(&edit.text);
        at = edit.at + edit.over;
    }
    text.push_str(&source[at..]);
    let left = mutants.iter().map(|(id, _)| *id).filter(|id| !done.contains(id)).collect();
    Ok(Switched { text, done, left })
}

const ON: &str = "crate::mutation::on";
const WHICH: &str = "crate::mutation::which";

struct Finder<'a> {
    source: &'a str,
    starts: Vec<usize>,
    wanted: BTreeMap<(Genre, usize), Vec<(usize, String)>>,
    edits: Vec<Edit>,
    done: Vec<usize>,
}

impl Finder<'_> {
    /// The byte at a line (from 1) and a column (characters, from 0).
    fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.starts.get(line - 1).copied().unwrap_or(self.source.len());
        self.source[start..].char_indices().nth(column).map_or(self.source.len(), |(i, _)| start + i)
    }

    fn place(&self, at: LineColumn) -> usize {
        self.offset(at.line, at.column)
    }

    fn range(&self, of: &impl syn::spanned::Spanned) -> (usize, usize) {
        let span = of.span();
        (self.place(span.start()), self.place(span.end()))
    }

    fn take(&mut self, genre: Genre, at: usize) -> Option<Vec<(usize, String)>> {
        let found = self.wanted.remove(&(genre, at))?;
        self.done.extend(found.iter().map(|(id, _)| *id));
        Some(found)
    }

    fn open(&mut self, (from, to): (usize, usize), text: String) {
        let n = self.edits.len() as i64;
        self.edits.push(Edit { at: from, over: 0, order: (1, -(to as i64), n), text });
    }

    fn close(&mut self, (from, to): (usize, usize), text: String) {
        let n = self.edits.len() as i64;
        self.edits.push(Edit { at: to, over: 0, order: (0, -(from as i64), -n), text });
    }

    fn replace(&mut self, (from, to): (usize, usize), text: String) {
        self.edits.push(Edit { at: from, over: to - from, order: (2, 0, 0), text });
    }

    fn body(&mut self, block: &syn::Block, constant: bool) {
        let Some(first) = block.stmts.first() else { return };
        let at = self.range(first).0;
        // Attributes of the first statement stand before what the list calls its beginning.
        if constant {
            return;
        }
        if let Some(all) = self.take(Genre::FnValue, at) {
            let open = self.place(block.brace_token.span.open().end());
            let mut text = String::new();
            for (id, value) in all {
                text.push_str(&format!("\nif {ON}({id}) {{ return {value}; }}\n"));
            }
            self.edits.push(Edit { at: open, over: 0, order: (1, i64::MIN, 0), text });
        }
    }
}

/// Whether a chain of conditions binds a pattern: it cannot be put in brackets.
fn binds(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) => binds(&b.left) || binds(&b.right),
        syn::Expr::Paren(p) => binds(&p.expr),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.body(&f.block, f.sig.constness.is_some());
        visit::visit_item_fn(self, f);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.body(&f.block, f.sig.constness.is_some());
        visit::visit_impl_item_fn(self, f);
    }

    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.body(block, f.sig.constness.is_some());
        }
        visit::visit_trait_item_fn(self, f);
    }

    fn visit_expr_unary(&mut self, e: &'ast syn::ExprUnary) {
        let all = self.range(e);
        let op = self.range(&e.op);
        let inner = self.range(&*e.expr);
        if let Some(found) = self.take(Genre::Unary, op.0) {
            for (id, _) in found {
                if matches!(e.op, syn::UnOp::Not(_)) {
                    self.open(all, format!("(\n{ON}({id}) != ("));
                    self.close(all, "))".to_owned());
                } else {
                    self.open(all, "(match ".to_owned());
                    self.replace(op, String::new());
                    self.open(inner, "(".to_owned());
                    self.close(inner, ")".to_owned());
                    self.close(all, format!(" {{ v =>\nif {ON}({id}) {{ v }} else {{ -v }} }})"));
                }
            }
        }
        visit::visit_expr_unary(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        use syn::BinOp::*;
        let op = self.range(&e.op);
        let chain = binds(&e.left) || binds(&e.right);
        let both = matches!(e.op, And(_) | Or(_));
        let several = self.wanted.get(&(Genre::Binary, op.0)).is_some_and(|all| all.len() > 1);
        if let Some(found) = (!(chain || both && several)).then(|| self.take(Genre::Binary, op.0)).flatten() {
            let all = self.range(e);
            let (left, right) = (self.range(&*e.left), self.range(&*e.right));
            let old = self.source[op.0..op.1].to_owned();
            let arms = |what: &dyn Fn(&str) -> String| {
                let mut text = format!("match {WHICH}() {{\n");
                for (id, new) in &found {
                    text.push_str(&format!("{id}_u32 => {{ {ON}({id}); {} }}\n", what(new)));
                }
                let seen: String = found.iter().map(|(id, _)| format!("{ON}({id});")).collect();
                text.push_str(&format!("_ => {{ {seen} {} }} }}", what(&old)));
                text
            };
            match e.op {
                And(_) | Or(_) => {
                    // With `m` for the switch: `l && r` is `if l != m { r } else { m }`, and `l || r` the same with `!m`.
                    let m = format!("{ON}({})", found[0].0);
                    let m = if matches!(e.op, And(_)) { m } else { format!("!{m}") };
                    self.open(left, "(\nmatch (".to_owned());
                    self.close(left, format!(") {{ __l => if __l != {m} {{ ("));
                    self.replace(op, String::new());
                    self.close(right, format!(") }} else {{ {m} }} }}\n)"));
                }
                Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => {
                    self.open(left, "(match (&(".to_owned());
                    self.replace(op, "), &(".to_owned());
                    self.close(
                        right,
                        format!(")) {{ (__l, __r) => {} }})", arms(&|o| format!("__l {o} __r"))),
                    );
                }
                AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_)
                | BitXorAssign(_) | BitAndAssign(_) | BitOrAssign(_) | ShlAssign(_) | ShrAssign(_) => {
                    let target = self.source[left.0..left.1].to_owned();
                    self.replace((left.0, op.1), "match (".to_owned());
                    self.close(right, format!(") {{ __r => {} }}", arms(&|o| format!("{target} {o} __r"))));
                    self.close(all, String::new());
                    visit::visit_expr(self, &e.right);
                    return;
                }
                _ => {
                    self.open(left, "(match (".to_owned());
                    self.replace(op, ", ".to_owned());
                    self.close(
                        right,
                        format!(") {{ (__l, __r) => {} }})", arms(&|o| format!("__l {o} __r"))),
                    );
                }
            }
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let at = self.range(arm).0;
        let gone = self.take(Genre::Arm, at).and_then(|found| found.first().map(|(id, _)| *id));
        match &arm.guard {
            None => {
                if let Some(id) = gone {
                    let pattern = self.range(&arm.pat);
                    self.close(pattern, format!(" if\n!{ON}({id})\n"));
                }
            }
            Some((_, guard)) => {
                let range = self.range(&**guard);
                let given = self.take(Genre::Guard, range.0).unwrap_or_default();
                if binds(guard) {
                    // It keeps its pattern, and has no switch.
                    self.done.retain(|id| Some(*id) != gone && !given.iter().any(|(g, _)| g == id));
                } else if gone.is_some() || !given.is_empty() {
                    let mut before = String::new();
                    if let Some(id) = gone {
                        before.push_str(&format!("\n!{ON}({id}) && "));
                    }
                    before.push('(');
                    for (id, value) in &given {
                        before.push_str(&match value.as_str() {
                            "true" => format!("\n{ON}({id}) || "),
                            _ => format!("\n!{ON}({id}) && "),
                        });
                    }
                    before.push('(');
                    self.open(range, before);
                    self.close(range, "))".to_owned());
                }
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        let test = m.attrs.iter().any(|a| a.path().is_ident("cfg"));
        if !test {
            visit::visit_item_mod(self, m);
        }
    }
}
