// The parts of the extension that need no editor.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { find } from "../dist/parts/binary.mjs";
import { ofAssembler, ofBasic, ofDebugInformation, ofListing } from "../dist/parts/definitions.mjs";
import { fault } from "../dist/parts/fault.mjs";
import { describe, numberOf } from "../dist/parts/names.mjs";
import { renumber } from "../dist/parts/renumber.mjs";
import { programOf, TOOLS, toolOf } from "../dist/parts/tools.mjs";

test("the program is the setting's, beside the extension, or on the path", () => {
  const root = mkdtempSync(join(tmpdir(), "anticlock-"));
  try {
    const name = process.platform === "win32" ? "anticlock.exe" : "anticlock";
    for (const folder of ["ext/bin", "path"]) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, name), "");
    }
    const path = join(root, "path");
    assert.throws(() => find("", join(root, "ext"), path), /not on the path/);
    chmodSync(join(root, "path", name), 0o755);
    assert.equal(find("", join(root, "ext"), path), join(path, name));
    chmodSync(join(root, "ext/bin", name), 0o755);
    assert.equal(find("", join(root, "ext"), path), join(root, "ext/bin", name));
    assert.equal(find(join(path, name), "", ""), join(path, name));
    assert.throws(() => find(path, join(root, "ext"), path), /is not a program/);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("errors of BASIC have a line, a column and a sentence", () => {
  const wrong = fault("anticlock: t.lst: line 4, column 6: expected a value\n  30 X=\n       ^\n");
  assert.deepEqual(wrong, { line: 4, column: 6, message: "expected a value" });
  assert.equal(fault("anticlock: t.lst: it is too long\n"), undefined);
});

test("lines get new numbers, and so does what refers to them", () => {
  const text = [
    "5 REM GOTO 5", "7 ON X GOTO 5,9 , 20:PRINT \"GOTO 5\":GOSUB 9", "9 IF A=5 THEN 7", "20 TRAP 40000:RESTORE 5:DATA GOTO 5", "30 GOTO X*10", "",
  ].join("\n");
  const { text: now, remarks } = renumber(text, 100, 10);
  assert.deepEqual(now.split("\n"), [
    "100 REM GOTO 5", "110 ON X GOTO 100,120 , 130:PRINT \"GOTO 5\":GOSUB 120", "120 IF A=5 THEN 110",
    "130 TRAP 40000:RESTORE 100:DATA GOTO 5", "140 GOTO X*10", "",
  ]);
  assert.equal(remarks.length, 1);
  assert.match(remarks[0], /Line 140 computes/);
  assert.match(renumber("10 GOTO 77", 10, 10).remarks[0], /77, which is not there/);
  assert.match(renumber("10 X=1\n20 X=2", 32767, 1).error, /32768/);
  assert.match(renumber("20 X=1\n10 X=2", 10, 10).error, /ascend/);
});

test("definitions in sources of ca65 and MADS", () => {
  const names = (all) => all.map(({ name, line, kind }) => `${name} ${line} ${kind}`);
  const ca65 = ["; start: no", "start:  lda #1", "@loop:  jmp @loop", "WIDTH = 40", ".proc paint", "  lda a:$20", ".endproc", ".macro two x"].join("\n");
  assert.deepEqual(names(ofAssembler(ca65, "ca65")), ["start 1 label", "@loop 2 label", "WIDTH 3 constant", "paint 4 procedure", "two 7 macro"]);
  const mads = ["        org $2000", "start   lda #1", "WIDTH equ 40", ".proc paint", "  lda x", "count .proc", "two .macro", "org $3000"].join("\n");
  assert.deepEqual(names(ofAssembler(mads, "mads")), ["start 1 label", "WIDTH 2 constant", "paint 3 procedure", "count 5 procedure", "two 6 macro"]);
});

test("definitions in debug information and in listings", () => {
  const dbg = [
    "version\tmajor=2,minor=0", "file\tid=0,name=\"src/main.s\",size=1,mtime=0x1,mod=0", "line\tid=3,file=0,line=12,span=1",
    "sym\tid=0,name=\"start\",addrsize=absolute,scope=0,def=3+9,val=0x2000,seg=0,type=lab", "sym\tid=1,name=\"other\",scope=0,type=imp,exp=2",
  ].join("\n");
  assert.deepEqual(ofDebugInformation(dbg), [{ name: "start", file: "src/main.s", line: 11 }]);
  const listing = [
    "mads 2.1.8", "Source: src/main.asm", "     5 = D018\t\t\tCOLPF2  = $D018", "     9 \t\t\t\t        org $2000",
    "    10 FFFF> 2000-2063> A9 00 + start   mwa #list SDLSTL", "    13 2019 A5 14\t\tagain   lda RTCLOK+2", "    15 201D F0 FC\t\t        beq wait",
  ].join("\n");
  assert.deepEqual(ofListing(listing), [["COLPF2", 4], ["start", 9], ["again", 12]].map(([name, line]) => ({ name, file: "src/main.asm", line })));
  assert.deepEqual([...ofBasic("10 X=1\n\n 20 GOTO 10")], [[10, 0], [20, 2]]);
});

test("names of registers and of the system", () => {
  const names = JSON.parse(readFileSync(new URL("../data/names.json", import.meta.url), "utf8"));
  const address = (name) => names.find((each) => each.name === name)?.address;
  assert.deepEqual(["WSYNC", "COLPF2", "AUDC4", "PORTB", "SDLSTL", "RTCLOK", "P3PF"].map(address), [0xd40a, 0xd018, 0xd207, 0xd301, 0x230, 0x12, 0xd007]);
  assert.ok(names.filter(({ kind }) => kind !== "OS").every(({ text }) => /^[A-Z].*\.$/.test(text)));
  assert.match(describe(names.find(({ name }) => name === "COLPF2")), /^\*\*COLPF2\*\* \$D018 \(53272\), GTIA\n\nColour/);
  assert.deepEqual(["$D01A", "0x10", "710", "70000", "A"].map(numberOf), [0xd01a, 16, 710, undefined, undefined]);
});

test("command lines of the tools", () => {
  const line = (build) => TOOLS[build.tool].commands(build, programOf(build.source), "anticlock").map((words) => words.join(" "));
  assert.deepEqual(line({ tool: "cl65", source: "main.s" }), ["cl65 -t atari -C atari-asm-xex.cfg -g -o main.xex -Wl --dbgfile,main.dbg main.s"]);
  assert.deepEqual(line({ tool: "cl65", source: "main.c", more: ["a.s"] }), ["cl65 -t atari -g -o main.xex -Wl --dbgfile,main.dbg main.c a.s"]);
  assert.deepEqual(line({ tool: "mads", source: "x.asm" }), ["mads x.asm -o:x.xex -l:x.lst -t:x.lab"]);
  assert.deepEqual(["a.s", "b.C", "c.asm", "d.pas", "e.fb", "f.txt"].map(toolOf), ["cl65", "cl65", "mads", "madpascal", "fastbasic", undefined]);
});

/** Problems that matchers find in what a tool prints. */
function problems(names, output) {
  const { contributes } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const matchers = contributes.problemMatchers.filter(({ name }) => names.includes(`$${name}`));
  const lines = output.split("\n");
  return matchers.flatMap(({ pattern }) => {
    const [first, rest] = [pattern].flat();
    return lines.flatMap((line, at) => {
      const found = new RegExp(first.regexp).exec(line);
      if (!found) return [];
      if (!rest) return [`${found[first.file]} ${found[first.line]} ${found[first.message]}`];
      const places = [];
      for (let next = at + 1; next < lines.length && new RegExp(rest.regexp).test(lines[next]); next++) {
        const place = new RegExp(rest.regexp).exec(lines[next]);
        places.push(`${place[rest.file]} ${place[rest.line]} ${found[first.message]}`);
      }
      return places;
    });
  });
}

test("problems in what the tools print", () => {
  const cc65 = ["a.s(2): Error: ':' expected", "b.c:7:3: Warning: 'x' is unused", "Unresolved external 'zork' referenced in:", "  c.s(2)", "  d.s(9)", "ld65: Error: x.cfg(2): ':' expected"].join("\n");
  assert.deepEqual(problems(TOOLS.cl65.matchers, cc65), [
    "a.s 2 ':' expected", "b.c 7 'x' is unused", "x.cfg 2 ':' expected",
    "c.s 2 Unresolved external 'zork'", "d.s 9 Unresolved external 'zork'",
  ]);
  assert.deepEqual(problems(TOOLS.mads.matchers, "main.asm (12) ERROR: Undeclared label FOO"), ["main.asm 12 Undeclared label FOO"]);
  assert.deepEqual(problems(TOOLS.madpascal.matchers, "main.pas (12,5) Error: Unknown identifier 'x'"), ["main.pas 12 Unknown identifier 'x'"]);
  assert.deepEqual(problems(TOOLS.madpascal.matchers, "main.pas (line 5, column 15): Error: Identifier not found 'B'\nmain.pas ( line 2) Note: Local variable 'C' not used"), [
    "main.pas 5 Identifier not found 'B'", "main.pas 2 Local variable 'C' not used",
  ]);
  assert.deepEqual(problems(TOOLS.fastbasic.matchers, "main.fb:2:6: parse error, expected: '='\n  PRIMT  N\n  ------^"), ["main.fb 2 parse error, expected: '='"]);
});
