//! The list of packages of others in the program, in the form CycloneDX (version 1.5).
use super::{Archive, Release, tools};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Makes the list from what Cargo resolves for the program, for all systems together, without what only builds and tests need.
///
/// # Errors
/// When Cargo does not say what it resolves.
pub fn make(release: &Release) -> Result<Vec<Archive>, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--locked", "--format-version", "1"]);
    let text = tools::output(cargo.current_dir(&release.root))?;
    let all: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages: BTreeMap<&str, &Value> = list(&all["packages"])
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list(&all["resolve"]["nodes"])
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let program = packages
        .iter()
        .find(|(_, package)| package["name"] == "frontend");
    let (&program, _) = program.ok_or("Cargo does not know the program")?;
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![program]);
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            // The programs that are given away are built without it.
            let built = |id: &&str| packages[*id]["name"] != "mcp";
            waiting.extend(dependencies(nodes[id]).into_iter().filter(built));
        }
    }
    let others = reached
        .iter()
        .filter(|&&id| packages[id]["source"].is_string());
    let components: Vec<Value> = others.map(|&id| component(packages[id])).collect();
    let edges: Vec<Value> = reached
        .iter()
        .map(|&id| {
            let on: BTreeSet<String> = dependencies(nodes[id])
                .into_iter()
                .map(|id| reference(packages[id]))
                .collect();
            json!({"ref": reference(packages[id]), "dependsOn": on})
        })
        .collect();
    let ours: Vec<Value> = reached
        .iter()
        .filter(|&&id| packages[id]["source"].is_null() && id != program)
        .map(|&id| component(packages[id]))
        .collect();
    let time = format!("@{}", release.epoch);
    let time =
        tools::output(Command::new("date").args(["-u", "-d", &time, "+%Y-%m-%dT%H:%M:%SZ"]))?;
    let count = components.len();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {
                "type": "application", "bom-ref": reference(packages[program]), "name": "anticlock", "version": release.version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}], "components": ours,
            },
        },
        "components": components,
        "dependencies": edges,
    });
    let file = release.out.join(release.name("sbom.cdx.json"));
    let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())?;
    tools::write(&file, text + "\n")?;
    println!("{count} packages of others");
    Ok(vec![Archive { file, staged: None }])
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The dependencies of a package that end up in the program.
fn dependencies(node: &Value) -> Vec<&str> {
    let in_program = |dependency: &&Value| {
        list(&dependency["dep_kinds"])
            .iter()
            .any(|kind| kind["kind"].is_null())
    };
    list(&node["deps"])
        .iter()
        .filter(in_program)
        .filter_map(|dependency| dependency["pkg"].as_str())
        .collect()
}

fn reference(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

fn component(package: &Value) -> Value {
    let reference = reference(package);
    let mut component = json!({
        "type": "library", "bom-ref": reference, "name": package["name"], "version": package["version"],
    });
    if package["source"].is_string() {
        component["purl"] = json!(reference);
    }
    // Old packages write "MIT/Apache-2.0", which is no SPDX expression.
    if let Some(licence) = package["license"].as_str() {
        component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
    }
    component
}
