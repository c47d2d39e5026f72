// `anticlock dap` with the client that VS Code's own adapters are tested with: a program of ca65, and a BASIC listing.
// ANTICLOCK names the program.
import { DebugClient } from '@vscode/debugadapter-testsupport';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';

const SOURCE = `; Fills the border with colours.
        .export start
        .segment "EXEHDR"
        .word $FFFF, start, end-1
        .segment "CODE"
COLBK = $D01A
.macro  wait
        sta $D40A
.endmacro
start:  ldx #0
loop:   wait
        jsr paint
        jmp loop
paint:  stx COLBK
        inx
        rts
end:
        .segment "RUN"
        .word $02E0, $02E1, start
`;
const LINKER = `MEMORY {
  HDR:  start = $0000, size = $0006, file = %O;
  MAIN: start = $2000, size = $1000, file = %O;
  TAIL: start = $0000, size = $0006, file = %O;
}
SEGMENTS {
  EXEHDR: load = HDR, type = ro;
  CODE:   load = MAIN, type = rw;
  RUN:    load = TAIL, type = ro;
}
`;
const LISTING = `10 DIM A$(20),B(2)
20 FOR I=1 TO 3
30 GOSUB 100
40 NEXT I
50 B(1)=I
60 GOTO 20
100 A$="HELLO"
110 RETURN
`;

const anticlock = process.env.ANTICLOCK;
assert.ok(anticlock, 'ANTICLOCK names the program');
const folder = mkdtempSync(join(tmpdir(), 'anticlock-dap-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
};

let client;
beforeEach(async () => {
    client = new DebugClient(anticlock, 'dap', 'anticlock', {
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' },
    });
    await client.start();
});
afterEach(() => client.stop());

/** The value of a variable in one of the top frame's scopes. */
async function variable(scope, name) {
    const { body } = await client.scopesRequest({ frameId: 0 });
    const { variablesReference } = body.scopes.find((found) => found.name === scope);
    const variables = (await client.variablesRequest({ variablesReference })).body.variables;
    return variables.find((found) => found.name === name)?.value;
}

/** A step, with the reason and line of the stop that it leads to. */
async function step(request, reason, path, line) {
    const stopped = client.assertStoppedLocation(reason, { path, line });
    await client[`${request}Request`]({ threadId: 1 });
    await stopped;
}

test('a program of ca65, with what ld65 says of its lines', async () => {
    const source = file('hello.s', SOURCE);
    const config = file('hello.cfg', LINKER);
    const run = (tool, ...words) => execFileSync(tool, words, { cwd: folder });
    run('ca65', '-g', 'hello.s');
    run('ld65', '-C', config, '-o', 'hello.xex', '--dbgfile', 'hello.dbg', 'hello.o');
    const program = join(folder, 'hello.xex');

    await client.hitBreakpoint({ program }, { path: source, line: 15 });
    assert.equal(await variable('Registers', 'X'), '$00');
    await step('next', 'step', source, 16);
    await step('stepBack', 'step', source, 15);
    await step('stepBack', 'step', source, 14);

    const set = await client.setBreakpointsRequest({
        source: { path: source },
        breakpoints: [{ line: 15, condition: 'x == 5' }],
    });
    assert.equal(set.body.breakpoints[0].verified, true);
    await step('continue', 'breakpoint', source, 15);
    assert.equal(await variable('Registers', 'X'), '$05');
    const trace = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    assert.deepEqual(trace.slice(0, 2).map((frame) => frame.line), [15, 12]);
    await step('stepOut', 'step', source, 13);

    const info = (await client.customRequest('dataBreakpointInfo', { name: 'COLBK' })).body;
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await client.customRequest('setDataBreakpoints', {
        breakpoints: [{ dataId: info.dataId, accessType: 'write', condition: 'value == 9' }],
    });
    await step('continue', 'data breakpoint', source, 14);
    assert.equal(await variable('Registers', 'X'), '$09');

    const code = await client.customRequest('disassemble', {
        memoryReference: '0x2005',
        instructionOffset: -2,
        instructionCount: 4,
    });
    assert.deepEqual(
        code.body.instructions.map((found) => found.instruction),
        ['LDX #$00', 'STA WSYNC', 'JSR paint', 'JMP loop'],
    );
    const memory = await client.customRequest('readMemory', { memoryReference: '0x2000', count: 2 });
    assert.equal(memory.body.data, 'ogA=');
    const value = await client.evaluateRequest({ expression: 'x + 1', context: 'watch' });
    assert.equal(value.body.result, '10 ($A)');
});

test('a BASIC listing is its own source', async () => {
    const program = file('loop.lst', LISTING);
    await client.hitBreakpoint({ program }, { path: program, line: 5 });
    assert.equal(await variable('BASIC', 'I'), '4');
    assert.equal(await variable('BASIC', 'A$'), '"HELLO" (5 of 20)');
    await step('stepBack', 'step', program, 4);
    await step('stepBack', 'step', program, 3);
    await step('stepIn', 'step', program, 7);
    const trace = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    assert.deepEqual(trace.slice(0, 2).map((frame) => frame.name), ['line 100', 'line 30']);
    await step('stepOut', 'step', program, 4);
    await step('next', 'step', program, 5);
    await step('next', 'step', program, 6);
});

test('a line of a FastBasic program begins where its interpreter reads it', async () => {
    // An interpreter in page 0, every code of which is one byte and does nothing, and labels as FastBasic writes them.
    const interpreter = [0x82, 0x00, 0x89, 0x00, 0xac, 0x00, 0x24, 0xe6, 0x83, 0x4c, 0x82, 0x00];
    const number = [0x00, 0x25, 0x01, 0x25, 0xd4, 0xfe];
    const run = [0xe0, 0x02, 0xe1, 0x02, 0x82, 0x00];
    const program = file('count.xex', Buffer.from([0xff, 0xff, ...interpreter, ...number, ...run]));
    file('count.lbl', 'al 000083 .interpreter_cptr\nal 002500 .fb_var_N\nal 002400 .@FastBasic_LINE_1\nal 002403 .@FastBasic_LINE_3\n');
    const source = file('count.fb', 'N=-300\n\' Nothing\nPRINT N\n');
    await client.hitBreakpoint({ program }, { path: source, line: 2 }, ...Array(2).fill({ path: source, line: 3 }));
    const trace = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    assert.equal(trace[0].name, 'line 3');
    assert.equal((await client.evaluateRequest({ expression: 'N', context: 'watch' })).body.result, '-300');
    await step('next', 'step', source, 1);
    await step('stepBack', 'step', source, 3);
    await assert.rejects(client.customRequest('gotoTargets', { source: { path: source }, line: 1 }), /interpreted/);
});

test('a program that is not there gives a sentence', async () => {
    await client.initializeRequest();
    await assert.rejects(client.launchRequest({ program: join(folder, 'none.xex') }), /none\.xex/);
});
