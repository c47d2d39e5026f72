//! Names of a C program (cc65): functions, their parameters and variables, and variables outside of functions.
//!
//! cc65's debug information (2.19) has the names of functions, of their parameters, of the variables of their outermost blocks with their offsets
//! on the C stack or in the register bank, and labels of everything else; all its types are `void`. Types come from the declarations in the source,
//! where its text is known. A variable without one is a number of as many bytes as the next offset leaves. Of static variables inside of functions
//! it has only labels that the compiler made: they are those of the source, in its order. Automatic variables of inner blocks have no name.

mod declarations;
mod frames;
mod types;

use crate::{Call, Track, instruction_address};
use declarations::Declarations;
pub(crate) use frames::{Depths, Location, places};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
pub use types::Type;
pub(crate) use types::{Records, extend};

/// Names of a C program.
#[derive(Clone, Debug, Default)]
pub struct CProgram {
    functions: Vec<Function>,
    /// Labels of variables and functions, without their underscore.
    globals: BTreeMap<String, u16>,
    global_types: BTreeMap<String, Type>,
    records: Records,
    pub(crate) depths: Depths,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) code: RangeInclusive<u16>,
    /// Bytes that its first instruction pushes on the C stack: its last parameter, which comes in registers.
    pub(crate) pushed: u16,
    pub(crate) locals: Vec<Local>,
    /// Addresses of its static variables, in the order of their declarations.
    pub(crate) statics: Vec<u16>,
}

/// A parameter or variable of a function.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) storage: Storage,
    pub(crate) kind: Option<Type>,
}

/// The storage of a function's variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// This far from the C stack pointer's value after the parameters were pushed.
    Frame(i32),
    /// In the bank of register variables, this far from its beginning.
    Bank(i32),
    /// At an address for as long as the program runs.
    Static(u16),
}

/// The address of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// At an address.
    Fixed(u16),
    /// At an offset in the frame of the function that runs.
    Frame(i32),
    /// Still in the processor's registers, from this byte on (A, X, and the runtime's two bytes for the higher half of a long): the last parameter
    /// before the function has pushed it.
    Registers(u8),
    /// Nowhere for now, and the reason.
    Nowhere(&'static str),
}

/// A variable with its type.
#[derive(Clone, Debug)]
pub struct CVariable {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Address,
    /// Its type.
    pub kind: Type,
}

/// The C names that hold at a place of the code.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub(crate) program: &'a CProgram,
    function: Option<&'a Function>,
    frame: Frame,
    /// The address of the register variables, if the function's are there.
    bank: Option<u16>,
}

/// The knowledge about a function's frame.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// A breakpoint looks for it when it is hit.
    Later,
    /// It is not in the recorded time.
    Unknown,
    Known {
        base: u16,
        /// The C stack pointer.
        stack: u16,
        /// Bytes that are still in registers or are just being pushed.
        arriving: u16,
        /// The function's first instruction is about to run.
        begins: bool,
    },
}

impl CProgram {
    /// True if no C names are known.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    pub(crate) fn add_function(&mut self, mut function: Function) {
        // From the highest offset down, each variable ends where the one above begins.
        function.locals.sort_by_key(|local| match local.storage {
            Storage::Frame(offset) => (0, -i64::from(offset)),
            Storage::Bank(offset) => (1, -i64::from(offset)),
            Storage::Static(address) => (2, i64::from(address)),
        });
        self.functions.push(function);
    }

    pub(crate) fn add_global(&mut self, name: &str, address: u16) {
        self.globals.insert(name.to_owned(), address);
    }

    /// Adds one whose type is known.
    pub(crate) fn add_typed(&mut self, name: &str, address: u16, kind: Type) {
        self.add_global(name, address);
        self.global_types.insert(name.to_owned(), kind);
    }

    /// Takes types from a source file.
    pub(crate) fn read_types(&mut self, text: &str) {
        if self.is_empty() {
            return;
        }
        let read = Declarations::read(text);
        self.records.extend(read.records);
        self.global_types.extend(read.globals);
        for function in &mut self.functions {
            let Some(declared) = read.functions.get(&function.name) else {
                continue;
            };
            let locals = &mut function.locals;
            locals.retain(|local| !matches!(local.storage, Storage::Static(_)));
            for local in locals.iter_mut() {
                let kind = declared.variables.get(&local.name).cloned();
                local.kind = kind.or(local.kind.take());
            }
            // One that the compiler left out would give the others wrong names.
            if declared.statics.len() == function.statics.len() {
                let statics = declared.statics.iter().zip(&function.statics);
                locals.extend(statics.map(|((name, kind), address)| Local {
                    name: name.clone(),
                    storage: Storage::Static(*address),
                    kind: Some(kind.clone()),
                }));
            }
        }
    }

    /// The function whose code is at an address.
    pub(crate) fn function_at(&self, address: u16) -> Option<&Function> {
        self.functions
            .iter()
            .find(|function| function.code.contains(&address))
    }

    /// The name of the function whose code is at an address, and the distance from its beginning.
    pub(crate) fn function_name(&self, address: u16) -> Option<(&str, u16)> {
        let function = self.function_at(address)?;
        Some((&function.name, address - function.code.start()))
    }

    /// The variable at an address that stays where it is, with the part that the byte is in: `sieve[169]`, `next.count`.
    pub(crate) fn variable_at(&self, address: u16) -> Option<String> {
        let part = |name: &str, start: u16, kind: &Type| {
            let offset = address.checked_sub(start)?;
            let size = kind.size(&self.records)?;
            (offset < size).then(|| kind.part(name, offset, &self.records))
        };
        let mut globals = self.globals.iter();
        let global =
            |(name, start): (&String, &u16)| part(name, *start, self.global_types.get(name)?);
        globals.find_map(global).or_else(|| {
            self.functions.iter().find_map(|function| {
                function.locals.iter().find_map(|local| {
                    let (Storage::Static(start), Some(kind)) = (local.storage, &local.kind) else {
                        return None;
                    };
                    part(&format!("{}.{}", function.name, local.name), start, kind)
                })
            })
        })
    }

    /// The address of a function.
    pub fn function(&self, name: &str) -> Option<u16> {
        let mut functions = self.functions.iter();
        let function = functions.find(|function| function.name == name)?;
        Some(*function.code.start())
    }

    /// The names that hold in the function at an address, for a breakpoint there.
    pub(crate) fn scope_at(&self, address: u16) -> Scope<'_> {
        Scope {
            program: self,
            function: self.function_at(address),
            frame: Frame::Later,
            bank: None,
        }
    }

    /// The names that hold in a routine that has not returned, counted outwards from 0 as `calls` has them; without a number in the innermost C
    /// function.
    pub(crate) fn scope(&self, track: &Track, calls: &[Call], routine: Option<usize>) -> Scope<'_> {
        let mut scope = self.scope_at(0);
        (scope.function, scope.frame) = (None, Frame::Unknown);
        if self.is_empty() {
            return scope;
        }
        let machine = track.machine();
        let running = places(machine, calls).into_iter().enumerate();
        let mut running =
            running.filter_map(|(n, place)| Some((n, place, self.function_at(place.at)?)));
        let innermost = running.clone().next().map(|(n, ..)| n);
        let Some((number, place, function)) =
            running.find(|(n, ..)| Some(*n) == routine.or(innermost))
        else {
            return scope;
        };
        scope.function = Some(function);
        scope.frame = self
            .frame(track, function, &place)
            .unwrap_or(Frame::Unknown);
        let peek = |address: u16| machine.peek(address);
        // Functions save the bank's registers before they use them: those of callers may be anywhere.
        scope.bank = self
            .depths
            .location(Location::Bank, &peek)
            .filter(|_| Some(number) == innermost);
        scope
    }

    fn frame(&self, track: &Track, function: &Function, place: &frames::Place) -> Option<Frame> {
        let machine = track.machine();
        let (timeline, now) = (track.timeline(), track.moment());
        let base = self
            .depths
            .base_at(timeline, function, place, now, machine)?;
        let first = place.at == *function.code.start();
        Some(Frame::Known {
            base,
            stack: self.depths.stack(machine)?,
            arriving: if first { function.pushed } else { 0 },
            begins: first && instruction_address(&machine.cpu) == place.at,
        })
    }
}

impl Scope<'_> {
    /// The variable of a name: of the function, else of the program.
    pub fn variable(&self, name: &str) -> Option<CVariable> {
        let own = self.function.and_then(|function| {
            let index = function
                .locals
                .iter()
                .position(|local| local.name == name)?;
            Some(self.local(function, index))
        });
        own.or_else(|| {
            let address = Address::Fixed(*self.program.globals.get(name)?);
            let kind = self.program.global_types.get(name)?.clone();
            Some(CVariable {
                name: name.to_owned(),
                address,
                kind,
            })
        })
    }

    fn local(&self, function: &Function, index: usize) -> CVariable {
        let local = &function.locals[index];
        let (address, size) = match local.storage {
            Storage::Frame(offset) => {
                let above = index.checked_sub(1).map(|n| function.locals[n].storage);
                // The first one below the frame's start ends there; the size of the highest parameter is not known.
                let end = match above {
                    Some(Storage::Frame(end)) if offset >= 0 || end < 0 => Some(end),
                    _ => (offset < 0).then_some(0),
                };
                let size = end.and_then(|end| u16::try_from(end - offset).ok());
                (self.address_in_frame(offset), size)
            }
            Storage::Bank(offset) => {
                let at = |bank: u16| Address::Fixed(bank.wrapping_add(offset as u16));
                let saved = Address::Nowhere(
                    "is a register variable, which the function that runs may have saved",
                );
                (self.bank.map_or(saved, at), None)
            }
            Storage::Static(address) => (Address::Fixed(address), None),
        };
        let kind = local.kind.clone();
        let kind = kind.unwrap_or_else(|| Type::of_size(size.unwrap_or(2)));
        CVariable {
            name: local.name.clone(),
            address,
            kind,
        }
    }

    fn address_in_frame(&self, offset: i32) -> Address {
        let Frame::Known {
            base,
            stack,
            arriving,
            begins,
        } = self.frame
        else {
            return match self.frame {
                Frame::Later => Address::Frame(offset),
                _ => Address::Nowhere("is in a frame whose call is not in the recorded time"),
            };
        };
        let address = base.wrapping_add(offset as u16);
        if (0..i32::from(arriving)).contains(&offset) {
            return if begins {
                Address::Registers(offset as u8)
            } else {
                Address::Nowhere("is just being pushed on the C stack")
            };
        }
        // The stack grows downwards: memory below the pointer is not in use.
        if address.wrapping_sub(stack) as i16 >= 0 {
            Address::Fixed(address)
        } else {
            Address::Nowhere("does not exist here: its function is about to begin or to end")
        }
    }

    /// The function's name.
    pub fn function(&self) -> Option<&str> {
        self.function.map(|function| function.name.as_str())
    }

    /// Parameters and variables of the function, in the order of their declaration, static ones last.
    pub fn locals(&self) -> Vec<CVariable> {
        let Some(function) = self.function else {
            return Vec::new();
        };
        (0..function.locals.len())
            .map(|index| self.local(function, index))
            .collect()
    }

    /// Variables outside of functions.
    pub fn globals(&self) -> Vec<CVariable> {
        let names = self.program.globals.keys();
        names
            .filter_map(|name| {
                Scope {
                    function: None,
                    ..*self
                }
                .variable(name)
            })
            .collect()
    }

    /// The value of a variable as text.
    pub fn text(&self, machine: &machine::Machine, variable: &CVariable) -> String {
        match variable.address {
            Address::Fixed(address) => self.value(machine, address, &variable.kind),
            Address::Registers(first) => {
                let bytes =
                    self.program
                        .depths
                        .argument(&machine.cpu, machine.bus(), i32::from(first));
                let bytes = bytes.unwrap_or_default();
                let peek = |at: u16| {
                    let byte = bytes.get(usize::from(at));
                    byte.copied().unwrap_or_else(|| machine.peek(at))
                };
                variable.kind.text(&peek, 0, &self.program.records)
            }
            Address::Frame(_) => "(known where its function runs)".to_owned(),
            Address::Nowhere(why) => format!("({why})"),
        }
    }

    /// The fields of a struct, the elements of an array (the first 256), the target of a pointer: names, addresses and types.
    pub fn parts(
        &self,
        machine: &machine::Machine,
        address: u16,
        kind: &Type,
    ) -> Vec<(String, u16, Type)> {
        let at = |offset: u16| address.wrapping_add(offset);
        match kind {
            Type::Record(tag) => {
                let fields = self.program.records.get(tag).map(|record| &record.fields);
                let field = |(name, offset, kind): &(String, u16, Type)| {
                    (name.clone(), at(*offset), kind.clone())
                };
                fields.into_iter().flatten().map(field).collect()
            }
            Type::Array(element, count) => {
                let size = self.size(element).unwrap_or(0);
                let element = |n: u16| {
                    (
                        format!("[{n}]"),
                        at(n.wrapping_mul(size)),
                        (**element).clone(),
                    )
                };
                let count = if size == 0 { 0 } else { (*count).min(256) };
                (0..count).map(element).collect()
            }
            Type::Pointer(target) if self.size(target).is_some() => {
                vec![(
                    "*".to_owned(),
                    machine.peek_word(address),
                    (**target).clone(),
                )]
            }
            _ => Vec::new(),
        }
    }

    /// Bytes of a type.
    pub(crate) fn size(&self, kind: &Type) -> Option<u16> {
        kind.size(&self.program.records)
    }

    /// The offset and type of a field.
    pub(crate) fn field(&self, kind: &Type, name: &str) -> Option<(u16, Type)> {
        let Type::Record(tag) = kind else {
            return None;
        };
        let mut fields = self.program.records.get(tag)?.fields.iter();
        let (_, offset, kind) = fields.find(|(known, ..)| known == name)?;
        Some((*offset, kind.clone()))
    }

    /// A value as text.
    pub fn value(&self, machine: &machine::Machine, address: u16, kind: &Type) -> String {
        kind.text(&|at| machine.peek(at), address, &self.program.records)
    }
}
