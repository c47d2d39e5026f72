//! Names with their scopes: procedures, macros, and the local labels after a label.
use super::words::{cheap, is_name};

/// The kind of a scope, which says the words that close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `.proc`.
    Procedure,
    /// `.scope`, or `.local` of MADS.
    Scope,
    /// An expansion of a macro, which ends with its last line.
    Macro,
}

/// A scope that is open.
#[derive(Debug)]
struct Open {
    kind: Kind,
    /// Its name with those of the scopes around it, and a point after each.
    prefix: String,
    /// The label before it, whose local labels continue after it.
    label: String,
}

/// The scopes at a line.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<Open>,
    /// The last label that is not local.
    label: String,
}

impl Scopes {
    fn prefix(&self) -> &str {
        self.open.last().map_or("", |open| &open.prefix)
    }

    /// The full name of a label or constant of this line; `None` if it is no name.
    pub(super) fn defined(&self, name: &str) -> Option<String> {
        if let Some(local) = cheap(name) {
            return Some(format!("{}@{local}", self.label));
        }
        is_name(name).then(|| format!("{}{name}", self.prefix()))
    }

    /// The local labels that follow belong to this label.
    pub(super) fn begin_label(&mut self, full: &str) {
        full.clone_into(&mut self.label);
    }

    /// Opens a scope.
    pub(super) fn open(&mut self, kind: Kind, name: &str) {
        let full = format!("{}{name}", self.prefix());
        self.open.push(Open {
            kind,
            prefix: format!("{full}."),
            label: std::mem::replace(&mut self.label, full),
        });
    }

    /// Closes the last scope; false if it is not of this kind.
    pub(super) fn close(&mut self, kind: Kind) -> bool {
        let Some(open) = self.open.pop_if(|open| open.kind == kind) else {
            return false;
        };
        self.label = open.label;
        true
    }

    /// Kind of the innermost scope.
    pub(super) fn innermost(&self) -> Option<Kind> {
        self.open.last().map(|open| open.kind)
    }

    /// Full names that a name may stand for, from the innermost scope outwards.
    pub(super) fn candidates(&self, name: &str) -> Vec<String> {
        if let Some(local) = cheap(name) {
            return vec![format!("{}@{local}", self.label)];
        }
        if let Some(global) = name.strip_prefix("::") {
            return vec![global.replace("::", ".")];
        }
        let name = name.replace("::", ".");
        let inner = self.open.iter().rev();
        let inner = inner.map(|open| format!("{}{name}", open.prefix));
        inner.chain([name.clone()]).collect()
    }
}
