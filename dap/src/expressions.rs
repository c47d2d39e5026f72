//! Expressions: their values, changes of them, and completions.

use super::places::reference;
use super::program::Program;
use serde_json::{Value, json};

impl Program<'_> {
    /// In the console a command of the debugger or an expression; elsewhere an expression or a BASIC variable.
    pub fn evaluate(&mut self, arguments: &Value) -> Result<Value, String> {
        let text = arguments["expression"].as_str().unwrap_or("").trim();
        let routine = self.routine_of(&arguments["frameId"]);
        let value = self
            .started
            .debugger
            .evaluate_in(self.track(), routine, text);
        if arguments["context"] == "repl" {
            // What a command says comes before what would only be a number.
            match self.started.execute(text) {
                Ok(output) => {
                    return Ok(json!({
                        "result": output.lines.join("\n"),
                        "variablesReference": 0,
                        "moved": output.moved,
                    }));
                }
                Err(error) if value.is_err() => return Err(error),
                Err(_) => {}
            }
        }
        let shown = value?;
        if let Some(kind) = shown.kind {
            let mut result = json!({ "result": shown.text, "variablesReference": 0 });
            if let Some(address) = shown.address {
                result["variablesReference"] = json!(self.c_reference(address, kind, text));
                result["memoryReference"] = json!(reference(address));
            }
            return Ok(result);
        }
        if shown.of_basic {
            return Ok(json!({ "result": shown.text, "variablesReference": 0 }));
        }
        let value = shown.value;
        let mut result =
            json!({ "result": format!("{value} (${value:X})"), "variablesReference": 0 });
        if let Some(address) = self.started.debugger.symbols.address_any_case(text) {
            let byte = self.machine().peek(address);
            result["result"] = json!(format!("${address:04X}: {byte} (${byte:02X})"));
            result["memoryReference"] = json!(reference(address));
        }
        Ok(result)
    }

    pub fn completions(&self, arguments: &Value) -> Value {
        let text = arguments["text"].as_str().unwrap_or("");
        let column = arguments["column"].as_u64().unwrap_or(1).max(1) as usize;
        let typed: String = text.chars().take(column - 1).collect();
        let start = typed.rfind(|c: char| !(c.is_alphanumeric() || "_.@?:".contains(c)));
        let start = start.map_or(0, |at| at + 1);
        let targets: Vec<Value> =
            debugger::complete(&self.started.debugger, Some(self.track()), &typed)
                .into_iter()
                .take(100)
                .map(|word| json!({ "label": word, "start": start, "length": typed.len() - start }))
                .collect();
        json!({ "targets": targets })
    }

    /// Changes what an expression names: a register, a label's byte, a number of BASIC's, or `[ADDRESS]`.
    pub fn set_expression(&mut self, arguments: &Value) -> Result<Value, String> {
        let text = arguments["expression"].as_str().unwrap_or("").trim();
        if let Some(address) = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'))
        {
            let (address, value) = (self.address(address)?, arguments["value"].as_str());
            let byte = self.byte(value.unwrap_or(""))?;
            self.started
                .execute(&format!("poke ${address:04X} {byte:02X}"))?;
        } else {
            self.set_named(text, arguments)?;
        }
        let value = self.evaluate(&json!({ "expression": text }))?;
        Ok(json!({ "value": value["result"] }))
    }
}
