//! Splits the page's program: functions that a first visit calls stay in `anticlock.wasm`, the others go to `rest.wasm`, which loads later.
//!
//! 1. [`instrument`] gives each function a global that says if it was called. `web/site/profile.mjs` runs the result and writes the numbers of the
//!    called functions. The choice decides speed and size only: any set of numbers gives a correct pair of programs.
//! 2. [`split`] moves the other functions. In the place of each moved function that the first part calls, or has in a table, stands a stub: it calls
//!    the page's import [`BRING`] unless the rest is there, and then the function through a table of the first part.
//! 3. The rest imports memory, tables, globals and functions of the first part. When it is instantiated it fills that table and, last, sets the
//!    global that the stubs read. That global's name has a checksum of the whole program, so that a rest of another build does not link.
//!
//! [`BRING`] must return only after the rest was instantiated; it throws where the rest cannot be had, and the call that needed it ends there.
use std::collections::HashSet;
use walrus::ir::{UnaryOp, Value};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    GlobalId, GlobalKind, ImportKind, ImportedFunction, LocalFunction, MemoryId, Module,
    ModuleConfig, RefType, TableId, ValType,
};

/// Part of the name of the page's function that loads the rest.
const BRING: &str = "anticlockRest";
/// The name under which the first part is imported by the rest.
const FIRST: &str = "p";
/// The name of the table through which the first part calls the rest.
const TABLE: &str = "table";
/// Functions with at most this many instructions are in both parts.
const SMALL: u64 = 5;

fn parse(wasm: &[u8]) -> Result<Module, String> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    config
        .parse(wasm)
        .map_err(|error| format!("the page's program: {error:#}"))
}

fn locals(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter_local().map(|(id, _)| id).collect()
}

/// The program with a global `hit0`, `hit1` ... for each of its functions, which is 1 once the function was called.
pub fn instrument(wasm: &[u8]) -> Result<Vec<u8>, String> {
    let mut module = parse(wasm)?;
    for (number, id) in locals(&module).into_iter().enumerate() {
        let zero = ConstExpr::Value(Value::I32(0));
        let hit = module.globals.add_local(ValType::I32, true, false, zero);
        module.exports.add(&format!("hit{number}"), hit);
        let function = module.funcs.get_mut(id).kind.unwrap_local_mut();
        let mut body = function.builder_mut().func_body();
        body.const_at(0, Value::I32(1)).global_set_at(1, hit);
    }
    Ok(module.emit_wasm())
}

/// The part in which a function is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Rest,
    /// In both, because it is as short as a stub.
    Both,
}

/// The two parts of a program, of which the first has the functions with these numbers, as [`instrument`] counts them.
pub fn split(wasm: &[u8], kept: &HashSet<usize>) -> Result<(Vec<u8>, Vec<u8>), String> {
    let mut first = parse(wasm)?;
    let place = |(number, (_, function)): (usize, (FunctionId, &LocalFunction))| {
        if function.size() <= SMALL {
            Place::Both
        } else if kept.contains(&number) {
            Place::First
        } else {
            Place::Rest
        }
    };
    let places: Vec<Place> = first.funcs.iter_local().enumerate().map(place).collect();
    let named = Named::new(&first);
    let moved = called(&mut first, &named, &places);
    let name = format!("rest-{:08x}", sum(wasm));
    let mut rest = make_rest(wasm, &places, &moved, &name)?;
    finish(&mut first, &named, &moved, &rest, &name)?;
    Ok((first.emit_wasm(), rest.emit_wasm()))
}

/// A checksum of the program (FNV-1a).
fn sum(bytes: &[u8]) -> u32 {
    let add = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811C_9DC5, add)
}

/// Takes the bodies out of the functions of the rest, and gives the numbers of those that the first part still refers to.
fn called(first: &mut Module, named: &Named, places: &[Place]) -> Vec<usize> {
    for (&id, place) in named.functions.iter().zip(places) {
        if *place == Place::Rest {
            replace(first, id, |builder, _, _| {
                builder.func_body().unreachable();
            });
        }
    }
    // The rest may import any of the others: they are kept, as exports, while the unused functions are found.
    let stays = |item: &ExportItem| match item {
        ExportItem::Function(id) => {
            let number = named.functions.iter().position(|known| known == id);
            number.is_none_or(|number| places[number] != Place::Rest)
        }
        _ => true,
    };
    let all: Vec<ExportItem> = named.all().filter(stays).collect();
    let temporary = all.into_iter().map(|item| first.exports.add("", item));
    let temporary: Vec<_> = temporary.collect();
    walrus::passes::gc::run(first);
    for export in temporary {
        first.exports.delete(export);
    }
    let left: HashSet<FunctionId> = locals(first).into_iter().collect();
    let is_called =
        |number: &usize| places[*number] == Place::Rest && left.contains(&named.functions[*number]);
    (0..places.len()).filter(is_called).collect()
}

/// Gives a function another body.
fn replace(
    module: &mut Module,
    id: FunctionId,
    body: impl FnOnce(&mut FunctionBuilder, &[walrus::LocalId], walrus::TypeId),
) {
    let ty = module.funcs.get(id).ty();
    let (parameters, results) = (
        module.types.params(ty).to_vec(),
        module.types.results(ty).to_vec(),
    );
    let arguments: Vec<_> = parameters.iter().map(|&ty| module.locals.add(ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
    body(&mut builder, &arguments, ty);
    module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
}

/// Names under which the rest asks for parts of the first program.
fn name_of(kind: char, number: usize) -> String {
    format!("{kind}{number}")
}

/// The rest: a program of the functions that were moved. Those with the numbers `moved` are put into the stubs' table.
fn make_rest(wasm: &[u8], places: &[Place], moved: &[usize], name: &str) -> Result<Module, String> {
    let mut rest = parse(wasm)?;
    let all = locals(&rest);
    strip(&mut rest);
    share(&mut rest);
    for (number, &id) in all.iter().enumerate() {
        if places[number] == Place::First {
            let ty = rest.funcs.get(id).ty();
            let import = rest.imports.add(FIRST, &name_of('f', number), id);
            rest.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }
    }
    let size = moved.len() as u64;
    let (table, _) = rest.add_import_table(FIRST, TABLE, false, size, None, RefType::FUNCREF);
    let functions = moved.iter().map(|&number| all[number]).collect();
    let offset = ConstExpr::Value(Value::I32(0));
    let element = rest.elements.add(
        ElementKind::Active { table, offset },
        ElementItems::Functions(functions),
    );
    rest.tables.get_mut(table).elem_segments.insert(element);
    // Its start function says that it is there.
    let (there, _) = rest.add_import_global(FIRST, name, ValType::I32, true, false);
    let mut start = FunctionBuilder::new(&mut rest.types, &[], &[]);
    start.func_body().i32_const(1).global_set(there);
    rest.start = Some(start.finish(Vec::new(), &mut rest.funcs));
    walrus::passes::gc::run(&mut rest);
    Ok(rest)
}

/// Takes out what only the first part has: exports, data and the tables' contents.
fn strip(rest: &mut Module) {
    rest.start = None;
    let exports: Vec<_> = rest.exports.iter().map(walrus::Export::id).collect();
    for id in exports {
        rest.exports.delete(id);
    }
    let data: Vec<_> = rest.data.iter().map(walrus::Data::id).collect();
    for id in data {
        rest.data.delete(id);
    }
    let elements: Vec<_> = rest.elements.iter().map(walrus::Element::id).collect();
    for id in elements {
        rest.elements.delete(id);
    }
    rest.memories
        .iter_mut()
        .for_each(|memory| memory.data_segments.clear());
    rest.tables
        .iter_mut()
        .for_each(|table| table.elem_segments.clear());
}

/// Memories, tables, globals and the page's functions are those of the first part.
fn share(rest: &mut Module) {
    for (number, import) in rest.imports.iter_mut().enumerate() {
        FIRST.clone_into(&mut import.module);
        import.name = name_of('i', number);
    }
    let memories: Vec<_> = rest.memories.iter().map(walrus::Memory::id).collect();
    for (number, id) in memories.into_iter().enumerate() {
        let import = rest.imports.add(FIRST, &name_of('m', number), id);
        rest.memories.get_mut(id).import = Some(import);
    }
    let tables: Vec<_> = rest.tables.iter().map(walrus::Table::id).collect();
    for (number, id) in tables.into_iter().enumerate() {
        let import = rest.imports.add(FIRST, &name_of('t', number), id);
        rest.tables.get_mut(id).import = Some(import);
    }
    let globals: Vec<_> = rest.globals.iter().map(walrus::Global::id).collect();
    for (number, id) in globals.into_iter().enumerate() {
        let import = rest.imports.add(FIRST, &name_of('g', number), id);
        rest.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
}

/// Items of the first part, by the names that [`share`] and [`make_rest`] give them.
struct Named {
    imports: Vec<ExportItem>,
    memories: Vec<MemoryId>,
    tables: Vec<TableId>,
    globals: Vec<GlobalId>,
    functions: Vec<FunctionId>,
}

impl Named {
    fn new(first: &Module) -> Self {
        let item = |import: &walrus::Import| match import.kind {
            ImportKind::Function(id) => ExportItem::Function(id),
            ImportKind::Table(id) => ExportItem::Table(id),
            ImportKind::Memory(id) => ExportItem::Memory(id),
            ImportKind::Global(id) => ExportItem::Global(id),
            ImportKind::Tag(id) => ExportItem::Tag(id),
        };
        Self {
            imports: first.imports.iter().map(item).collect(),
            memories: first.memories.iter().map(walrus::Memory::id).collect(),
            tables: first.tables.iter().map(walrus::Table::id).collect(),
            globals: first.globals.iter().map(walrus::Global::id).collect(),
            functions: locals(first),
        }
    }

    fn get(&self, name: &str) -> Option<ExportItem> {
        let kind = name.chars().next()?;
        let number: usize = name.get(1..)?.parse().ok()?;
        match kind {
            'i' => self.imports.get(number).copied(),
            'm' => self.memories.get(number).map(|&id| id.into()),
            't' => self.tables.get(number).map(|&id| id.into()),
            'g' => self.globals.get(number).map(|&id| id.into()),
            'f' => self.functions.get(number).map(|&id| id.into()),
            _ => None,
        }
    }

    fn all(&self) -> impl Iterator<Item = ExportItem> {
        let imports = self.imports.iter().copied();
        let memories = self.memories.iter().map(|&id| ExportItem::Memory(id));
        let tables = self.tables.iter().map(|&id| ExportItem::Table(id));
        let globals = self.globals.iter().map(|&id| ExportItem::Global(id));
        let functions = self.functions.iter().map(|&id| ExportItem::Function(id));
        imports
            .chain(memories)
            .chain(tables)
            .chain(globals)
            .chain(functions)
    }
}

/// Completes the first part: stubs in the places of the moved functions, and exports for what the rest imports.
fn finish(
    first: &mut Module,
    named: &Named,
    moved: &[usize],
    rest: &Module,
    name: &str,
) -> Result<(), String> {
    let bring = first.imports.iter().find_map(|import| match import.kind {
        ImportKind::Function(id) if import.name.contains(BRING) => Some(id),
        _ => None,
    });
    let bring = bring.ok_or_else(|| format!("the page's program does not import {BRING}"))?;
    let size = moved.len() as u64;
    let table = first
        .tables
        .add_local(false, size, Some(size), RefType::FUNCREF);
    let zero = ConstExpr::Value(Value::I32(0));
    let there = first.globals.add_local(ValType::I32, true, false, zero);
    for (slot, &number) in moved.iter().enumerate() {
        replace(first, named.functions[number], |builder, arguments, ty| {
            let mut body = builder.func_body();
            body.global_get(there).unop(UnaryOp::I32Eqz);
            body.if_else(None, |then| _ = then.call(bring), |_| {});
            for &argument in arguments {
                body.local_get(argument);
            }
            body.i32_const(slot as i32).call_indirect(ty, table);
        });
    }
    for import in rest.imports.iter() {
        let item = match import.name.as_str() {
            TABLE => ExportItem::Table(table),
            known if known == name => ExportItem::Global(there),
            other => named
                .get(other)
                .ok_or_else(|| format!("the first part has no {other}"))?,
        };
        first.exports.add(&import.name, item);
    }
    walrus::passes::gc::run(first);
    Ok(())
}
