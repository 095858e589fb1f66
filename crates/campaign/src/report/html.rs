//! A letter as a page: the Markdown that the letters use, and the nation's map.

/// Escapes text for a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Italics and bold of one line.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in escape(text).split("**").enumerate() {
        if n > 0 {
            out.push_str(if n % 2 == 1 { "<strong>" } else { "</strong>" });
        }
        for (m, piece) in part.split('*').enumerate() {
            if m > 0 {
                out.push_str(if m % 2 == 1 { "<em>" } else { "</em>" });
            }
            out.push_str(piece);
        }
    }
    out
}

/// A letter in Markdown as what stands in the body of a page.
#[must_use]
pub fn fragment(markdown: &str) -> String {
    let mut body = String::new();
    let (mut list, mut table) = (false, false);
    for line in markdown.lines() {
        let item = line.strip_prefix("- ");
        let row = line.starts_with('|');
        if list && item.is_none() {
            body.push_str("</ul>\n");
            list = false;
        }
        if table && !row {
            body.push_str("</table>\n");
            table = false;
        }
        if let Some(item) = item {
            if !list {
                body.push_str("<ul>\n");
                list = true;
            }
            body.push_str(&format!("<li>{}</li>\n", inline(item)));
        } else if row {
            if line.contains("---") {
                continue;
            }
            let cell = if table { "td" } else { "th" };
            if !table {
                body.push_str("<table>\n");
                table = true;
            }
            let cells: Vec<String> = line
                .trim_matches('|')
                .split('|')
                .map(|c| format!("<{cell}>{}</{cell}>", inline(c.trim())))
                .collect();
            body.push_str(&format!("<tr>{}</tr>\n", cells.concat()));
        } else if let Some(text) = line.strip_prefix("### ") {
            body.push_str(&format!("<h3>{}</h3>\n", inline(text)));
        } else if let Some(text) = line.strip_prefix("## ") {
            body.push_str(&format!("<h2>{}</h2>\n", inline(text)));
        } else if let Some(text) = line.strip_prefix("# ") {
            body.push_str(&format!("<h1>{}</h1>\n", inline(text)));
        } else if !line.trim().is_empty() {
            body.push_str(&format!("<p>{}</p>\n", inline(line)));
        }
    }
    if list {
        body.push_str("</ul>\n");
    }
    if table {
        body.push_str("</table>\n");
    }
    body
}

/// A page from a letter in Markdown and a map (an SVG document, or nothing).
#[must_use]
pub fn html(title: &str, markdown: &str, map: &str) -> String {
    let body = fragment(markdown);
    let style = "body{font:16px/1.45 Georgia,serif;max-width:46em;margin:2em auto;padding:0 1em;color:#222}\
                 table{border-collapse:collapse}td,th{border-bottom:1px solid #bbb;padding:.2em .6em;text-align:left;vertical-align:top}\
                 h1{font-size:1.6em}h3{margin-bottom:.2em}em{color:#777;font-size:.85em}svg{width:100%;height:auto}pre{white-space:pre-wrap}\
                 @media print{@page{margin:18mm}body{max-width:none;margin:0;font-size:11pt}h1,h2,h3{break-after:avoid}tr,li,svg{break-inside:avoid}svg{max-height:240mm}em{color:#444}}";
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title><style>{style}</style></head>\n<body>\n{body}{map}\n</body></html>\n",
        escape(title)
    )
}

/// An order form as a page: its text, to be printed and filled in by hand or copied into a mail.
#[must_use]
pub fn form_html(title: &str, form: &str) -> String {
    html(title, &format!("# {title}"), &format!("<pre>{}</pre>", escape(form)))
}
