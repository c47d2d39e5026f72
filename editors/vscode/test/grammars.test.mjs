// The grammars, with the engine that the editor has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry } = require("vscode-textmate");
await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = new URL(`../syntaxes/${scope.replace("source.", "")}.tmLanguage.json`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8"));
  },
});

/** For each part of a line what it is: "lda keyword.mnemonic". */
async function tokens(language, line) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  const { tokens: all } = grammar.tokenizeLine(line, INITIAL);
  const parts = [];
  for (const { startIndex, endIndex, scopes } of all) {
    const scope = scopes.length === 1 ? "" : scopes.at(-1).replace(`.${language}`, "");
    const text = line.slice(startIndex, endIndex);
    // The quotes of a string are tokens of their own.
    const before = parts.at(-1);
    if (before?.scope === scope && scope.startsWith("string")) before.text += text;
    else parts.push({ text, scope });
  }
  return parts.flatMap(({ text, scope }) => (scope === "" || text.trim() === "" ? [] : [`${text.trim()} ${scope}`]));
}

test("ca65", async () => {
  assert.deepEqual(await tokens("ca65", "start:  lda #$9F        ; colour"), [
    "start entity.name.label", "lda keyword.mnemonic", "# keyword.operator", "$9F constant.numeric.hex", "; colour comment.line.semicolon",
  ]);
  assert.deepEqual(await tokens("ca65", ".proc paint"), [".proc keyword.control.directive", "paint entity.name.function"]);
  assert.deepEqual((await tokens("ca65", "@loop:  sta (ptr),y")).slice(0, 2), ["@loop entity.name.label.local", "sta keyword.mnemonic"]);
  assert.deepEqual(await tokens("ca65", "  .byte \"a;b\", %101"), [
    ".byte keyword.control.directive", "\"a;b\" string.quoted.double", "%101 constant.numeric.binary",
  ]);
});

test("MADS", async () => {
  assert.deepEqual(await tokens("mads", "start   mwa #list SDLSTL"), ["start entity.name.label", "mwa support.function.macro", "# keyword.operator"]);
  assert.deepEqual(await tokens("mads", "        org $2000 // here"), ["org keyword.control.directive", "$2000 constant.numeric.hex", "// here comment.line"]);
  assert.deepEqual(await tokens("mads", "paint .proc"), ["paint entity.name.function", ".proc keyword.control.directive"]);
});

test("Atari BASIC", async () => {
  assert.deepEqual(await tokens("atari-basic", "10 FOR N=1 TO 3:REM FOR"), [
    "10 entity.name.label", "FOR keyword.control", "N variable.other", "= keyword.operator", "1 constant.numeric", "TO keyword.control", "3 constant.numeric",
    ": keyword.operator", "REM FOR comment.line.rem",
  ]);
  assert.deepEqual(await tokens("atari-basic", "20 IF A$=\"GOTO\" THEN 100"), [
    "20 entity.name.label", "IF keyword.control.if", "A$ variable.other.string", "= keyword.operator", "\"GOTO\" string.quoted.double", "THEN keyword.control", "100 variable.other.label",
  ]);
});
