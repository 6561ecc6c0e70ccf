/**
 * Writes counters into a WebAssembly module. Source: specs/ecology.md D.
 *
 * Three globals are added and exported; whoever runs the module sets them before each run.
 * - `__fuel`: 1 less at each function entry and each turn of a loop, length / 32 less before each memory.copy
 *   and memory.fill, 16,384 less for each page before memory.grow. Below zero: trap.
 * - `__depth`: 1 less while a call lasts. Below zero: trap.
 * - `__floor`: a function entered while the exported `__stack_pointer` is below it traps.
 * The memory gets a maximum, custom sections go. The output depends on the input alone.
 *
 * @module
 */
import { afterInstruction, concat, i32, moduleOf, readList, readU32, sectionsOf, u32 } from './wasm.mjs';

/** Most pages of 64 KiB that the memory may have: 20 MiB. */
const PAGES_MAX = 320;
const PAGE_FUEL_SHIFT = 14;
const BULK_FUEL_SHIFT = 5;
const INT32_MAX = 0x7fffffff;

const TRAP_IF = [0x04, 0x40, 0x00, 0x0b];
const [GET_GLOBAL, SET_GLOBAL, GET_LOCAL, SET_LOCAL, CONST] = [0x23, 0x24, 0x20, 0x21, 0x41];
const [ADD, SUB, SHL, SHR_U, LT_S] = [0x6a, 0x6b, 0x74, 0x76, 0x48];

/** The module with counters. Throws where it is not of the form that the meter knows. */
export function meter(bytes) {
  const sections = sectionsOf(bytes);
  const body = (id) => sections.find((section) => section.id === id).body;
  const imported = importedFunctions(body(2));
  const [globals, globalsAt] = readU32(body(6), 0);
  const names = { fuel: u32(globals), floor: u32(globals + 1), depth: u32(globals + 2) };
  const code = snippets({ ...names, stack: u32(stackPointerOf(body(7))) });
  const parameters = parameterCounts(body(1));
  const [types] = readList(body(3), 0, (at) => readU32(body(3), at));
  let index = 0;
  const [functions] = readList(body(10), 0, (at) => {
    const [length, start] = readU32(body(10), at);
    const made = meteredFunction(
      body(10).subarray(start, start + length),
      parameters[types[index]],
      imported,
      code,
    );
    index += 1;
    return [made, start + length];
  });
  const [exported, exportsAt] = readU32(body(7), 0);
  const written = {
    5: memoryWithMaximum(body(5)),
    6: concat([
      u32(globals + 3),
      body(6).subarray(globalsAt),
      ...[INT32_MAX, 0, INT32_MAX].map((start) => [0x7f, 1, CONST, ...i32(start), 0x0b]),
    ]),
    7: concat([
      u32(exported + 3),
      body(7).subarray(exportsAt),
      ...Object.entries(names).map(([name, at]) => {
        const text = new TextEncoder().encode(`__${name}`);
        return [...u32(text.length), ...text, 3, ...at];
      }),
    ]),
    10: concat([u32(functions.length), ...functions.flatMap((one) => [u32(one.length), one])]),
  };
  return moduleOf(
    bytes,
    sections.filter(({ id }) => id !== 0).map(({ id, body: same }) => ({ id, body: written[id] ?? same })),
  );
}

/** The instructions to insert, as bytes; globals are given by index. */
function snippets({ fuel, floor, depth, stack }) {
  const trapBelowZero = (global) => [GET_GLOBAL, ...global, CONST, 0, LT_S, ...TRAP_IF];
  const one = (global, op) => [GET_GLOBAL, ...global, CONST, 1, op, SET_GLOBAL, ...global];
  const tick = [...one(fuel, SUB), ...trapBelowZero(fuel)];
  return {
    tick,
    entry: [...tick, GET_GLOBAL, ...stack, GET_GLOBAL, ...floor, LT_S, ...TRAP_IF],
    enter: [...one(depth, SUB), ...trapBelowZero(depth)],
    leave: one(depth, ADD),
    // The size is on top of the stack: kept in a local, charged, and put back.
    charge: (local, shift, op) => [
      ...[SET_LOCAL, ...local, GET_GLOBAL, ...fuel, GET_LOCAL, ...local, CONST, shift, op, SUB],
      ...[SET_GLOBAL, ...fuel, ...trapBelowZero(fuel), GET_LOCAL, ...local],
    ],
  };
}

/** One function body with its counters. Calls of imports are not counted: the host's stack is its own. */
function meteredFunction(body, parameters, imported, code) {
  const [groups, groupsAt] = readList(body, 0, (at) => {
    const [count, behind] = readU32(body, at);
    return [count, behind + 1];
  });
  const local = u32(groups.reduce((sum, count) => sum + count, parameters));
  const [, locals] = readU32(body, 0);
  const parts = [u32(groups.length + 1), body.subarray(locals, groupsAt), [1, 0x7f], code.entry];
  let from = groupsAt;
  const insert = (at, bytes) => {
    parts.push(body.subarray(from, at), bytes);
    from = at;
  };
  for (let at = groupsAt; at < body.length; ) {
    const next = afterInstruction(body, at);
    const op = body[at];
    if (op === 0x03) insert(next, code.tick);
    else if (op === 0x11 || (op === 0x10 && readU32(body, at + 1)[0] >= imported)) {
      insert(at, code.enter);
      insert(next, code.leave);
    } else if (op === 0x40) insert(at, code.charge(local, PAGE_FUEL_SHIFT, SHL));
    else if (op === 0xfc && body[at + 1] >= 10) insert(at, code.charge(local, BULK_FUEL_SHIFT, SHR_U));
    at = next;
  }
  return concat([...parts, body.subarray(from)]);
}

function memoryWithMaximum(body) {
  const [count, at] = readU32(body, 0);
  const [pages] = readU32(body, at + 1);
  if (count !== 1 || body[at] !== 0) throw new Error('one memory without a maximum is expected');
  return concat([[1, 1], u32(pages), u32(PAGES_MAX)]);
}

/** How many functions are imported; they come first in the index space. */
function importedFunctions(body) {
  const [imports] = readList(body, 0, (at) => {
    const kind = afterName(body, afterName(body, at));
    if (body[kind] !== 0) throw new Error(`import of kind ${body[kind]}: only functions are expected`);
    return [0, readU32(body, kind + 1)[1]];
  });
  return imports.length;
}

function parameterCounts(body) {
  const [counts] = readList(body, 0, (at) => {
    const [count, types] = readU32(body, at + 1);
    const [results, behind] = readU32(body, types + count);
    return [count, behind + results];
  });
  return counts;
}

function stackPointerOf(body) {
  const [found] = readList(body, 0, (at) => {
    const kind = afterName(body, at);
    const [index, behind] = readU32(body, kind + 1);
    const [length, text] = readU32(body, at);
    const name = new TextDecoder().decode(body.subarray(text, text + length));
    return [{ name, kind: body[kind], index }, behind];
  });
  const pointer = found.find(({ name, kind }) => name === '__stack_pointer' && kind === 3);
  if (pointer === undefined) throw new Error('the module exports no __stack_pointer');
  return pointer.index;
}

function afterName(body, at) {
  const [length, text] = readU32(body, at);
  return text + length;
}
