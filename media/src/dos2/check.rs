//! Consistency of a DOS 2 file system.

use super::{BTreeMap, DIRECTORY, Dos2, LINKABLE, Name, String, UPPER, VTOC, Vec, fmt};

/// Result of [`Dos2::check`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files whose chain is damaged, and how.
    pub damaged: Vec<(Name, String)>,
    /// Sectors that are in the chains of two files.
    pub cross_linked: Vec<(usize, Name, Name)>,
    /// Sectors of a file that the map has as free: the next file that is written takes them.
    pub unprotected: Vec<(usize, Name)>,
    /// Files with another number of sectors than the directory says.
    pub miscounted: Vec<Name>,
    /// Files that were being written and were never closed.
    pub open: Vec<Name>,
    /// Sectors that are neither free nor in a file.
    pub lost: Vec<usize>,
    /// Free sectors by the table's count and by its map, when they differ.
    pub free: Option<(usize, usize)>,
}

impl Report {
    /// True if there is nothing to report.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }

    /// True if all files can be read and stay readable whatever is written next. Space may be lost.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.damaged.is_empty() && self.cross_linked.is_empty() && self.unprotected.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, fault) in &self.damaged {
            writeln!(f, "{name} is damaged: {fault}")?;
        }
        for (sector, one, other) in &self.cross_linked {
            writeln!(f, "sector {sector} is in both {one} and {other}")?;
        }
        for (sector, name) in &self.unprotected {
            writeln!(f, "sector {sector} of {name} counts as free")?;
        }
        for name in &self.miscounted {
            writeln!(
                f,
                "{name} has another number of sectors than the directory says"
            )?;
        }
        for name in &self.open {
            writeln!(f, "{name} was never closed")?;
        }
        if !self.lost.is_empty() {
            writeln!(f, "{} sectors belong to no file", self.lost.len())?;
        }
        if let Some((counted, map)) = self.free {
            writeln!(f, "{counted} sectors count as free, and {map} are")?;
        }
        Ok(())
    }
}

impl Dos2 {
    /// Compares directory, chains and maps.
    #[must_use]
    pub fn check(&self) -> Report {
        let mut report = Report::default();
        let map = self.map();
        let is_free = |sector: usize| map[sector / 8] & 0x80 >> (sector % 8) != 0;
        let mut owners: BTreeMap<usize, Name> = BTreeMap::new();
        for entry in self.all() {
            if entry.open() {
                report.open.push(entry.name);
                continue;
            }
            let chain = match self.chain(&entry) {
                Ok(chain) => chain,
                Err(fault) => {
                    report.damaged.push((entry.name, fault));
                    continue;
                }
            };
            if chain.len() != usize::from(entry.sectors) {
                report.miscounted.push(entry.name);
            }
            for (sector, _) in chain {
                if let Some(other) = owners.insert(sector, entry.name) {
                    report.cross_linked.push((sector, other, entry.name));
                } else if is_free(sector) {
                    report.unprotected.push((sector, entry.name));
                }
            }
        }
        let end = if self.extended() { LINKABLE } else { UPPER };
        report.lost = (4..end)
            .filter(|sector| *sector != VTOC && *sector != UPPER && !DIRECTORY.contains(sector))
            .filter(|&sector| !is_free(sector) && !owners.contains_key(&sector))
            .collect();
        let (counted, free) = (self.counted(), self.free());
        report.free = (counted != free).then_some((counted, free));
        report
    }
}
