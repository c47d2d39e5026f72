//! Which panel is where, as text: `h 0.6 [Picture] v 0.5 [Code*, Memory] [6502]`. `h` and `v` split what follows side by side or one above
//! the other; brackets hold tabs, the one in front has a star.
use super::Panel;
use egui_dock::{DockState, Node, NodeIndex, Split, Tree};

enum Part {
    Tabs(Vec<Panel>, usize),
    Split(Split, f32, Box<Part>, Box<Part>),
}

impl Part {
    fn first(&self) -> Vec<Panel> {
        match self {
            Self::Tabs(panels, _) => panels.clone(),
            Self::Split(_, _, first, _) => first.first(),
        }
    }
}

/// The layout as it comes: for small windows (below 1300 points) or larger ones.
pub fn default(small: bool) -> DockState<Panel> {
    let text = if small {
        "h 0.62 v 0.525 [Picture*] v 0.32 [Bus*, Magnifier] [Why*, Memory, Events, Display list, Voices, BASIC, Command] v 0.165 [6502*] v 0.6 [Code*, Trace] [DLI*, Breakpoints, Chips, Watches]"
    } else {
        "h 0.5 v 0.625 [Picture*, Events] v 0.28 [Bus*] h 0.735 [Why*, Memory, Trace, Voices, BASIC, Command] [Magnifier*] h 0.52 v 0.115 [6502*] v 0.6 [Code*] [DLI*, Breakpoints, Watches] v 0.6 [Chips*] [Display list*]"
    };
    read(text).unwrap_or_else(|| DockState::new(Panel::ALL.to_vec()))
}

/// The layout that a text describes; `None` if it describes none, or names a panel twice.
pub fn read(text: &str) -> Option<DockState<Panel>> {
    let mut rest = text;
    let part = parse(&mut rest, 0)?;
    if !rest.trim().is_empty() {
        return None;
    }
    let mut dock = DockState::new(part.first());
    build(dock.main_surface_mut(), NodeIndex::root(), &part)?;
    let mut seen = std::collections::HashSet::new();
    let unique = dock.iter_all_tabs().all(|(_, &panel)| seen.insert(panel));
    unique.then_some(dock)
}

fn parse(rest: &mut &str, depth: usize) -> Option<Part> {
    *rest = rest.trim_start();
    if let Some(tail) = rest.strip_prefix('[') {
        let (inside, tail) = tail.split_once(']')?;
        *rest = tail;
        let mut active = 0;
        let mut panels = Vec::new();
        for (n, name) in inside.split(',').map(str::trim).enumerate() {
            let plain = name.trim_end_matches('*');
            if plain != name {
                active = n;
            }
            panels.push(
                Panel::ALL
                    .into_iter()
                    .find(|panel| panel.title() == plain)?,
            );
        }
        return Some(Part::Tabs(panels, active));
    }
    let split = match rest.chars().next()? {
        'h' => Split::Right,
        'v' => Split::Below,
        _ => return None,
    };
    let tail = rest[1..].trim_start();
    let (number, tail) = tail.split_once(' ')?;
    let fraction: f32 = number.parse().ok()?;
    if depth > 8 || !(0.02..=0.98).contains(&fraction) {
        return None;
    }
    *rest = tail;
    let first = parse(rest, depth + 1)?;
    let second = parse(rest, depth + 1)?;
    Some(Part::Split(split, fraction, first.into(), second.into()))
}

fn build(tree: &mut Tree<Panel>, at: NodeIndex, part: &Part) -> Option<()> {
    match part {
        Part::Tabs(_, active) => tree.set_active_tab(at, egui_dock::TabIndex(*active)).ok(),
        Part::Split(split, fraction, first, second) => {
            let [old, new] = tree.split(at, *split, *fraction, Node::leaf_with(second.first()));
            build(tree, old, first)?;
            build(tree, new, second)
        }
    }
}

/// The text of a layout.
pub fn write(dock: &DockState<Panel>) -> String {
    let nodes: Vec<&Node<Panel>> = dock.main_surface().iter().collect();
    let mut text = String::new();
    put(&nodes, 0, &mut text);
    text.trim_end().to_owned()
}

fn put(nodes: &[&Node<Panel>], at: usize, text: &mut String) {
    let (letter, fraction) = match nodes.get(at) {
        Some(Node::Horizontal(split)) => ("h", split.fraction),
        Some(Node::Vertical(split)) => ("v", split.fraction),
        Some(Node::Leaf(leaf)) => {
            let names: Vec<String> = leaf
                .tabs
                .iter()
                .enumerate()
                .map(|(n, panel)| {
                    format!(
                        "{}{}",
                        panel.title(),
                        if n == leaf.active.0 { "*" } else { "" }
                    )
                })
                .collect();
            text.extend(["[", &names.join(", "), "] "]);
            return;
        }
        Some(Node::Empty) | None => return,
    };
    let thousandths = (fraction * 1000.0).round() as u32;
    text.extend([letter, " 0."]);
    text.extend(format!("{thousandths:03} ").chars());
    put(nodes, 2 * at + 1, text);
    put(nodes, 2 * at + 2, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_comes_back_as_it_was() {
        for small in [true, false] {
            let dock = default(small);
            assert!(dock.iter_all_tabs().count() >= 12);
            let text = write(&dock);
            assert_eq!(write(&read(&text).unwrap()), text);
        }
        let text = "h 0.250 [Code, Trace*] v 0.600 [Picture*] [6502*]";
        assert_eq!(write(&read(text).unwrap()), text);
    }

    #[test]
    fn what_is_no_layout_is_refused() {
        for text in [
            "",
            "[]",
            "[Nonsense]",
            "h 0.5 [Code]",
            "h 7 [Code] [Trace]",
            "h 0.5 [Code] [Code]",
            "[Code] [Trace]",
            "h",
            "h 0.5",
            "\u{e4} 0.5 [Code] [Trace]",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        assert!(read(&"h 0.5 ".repeat(5000)).is_none());
    }
}
