/**
 * The binary format of WebAssembly modules, as far as the meter needs it: numbers, sections, instructions.
 *
 * @module
 */

/** An unsigned LEB128 number, of at most 32 bits: [value, offset behind it]. */
export function readU32(bytes, offset) {
  let value = 0;
  let at = offset;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return [value >>> 0, at];
  }
}

/** The shortest LEB128 text of an unsigned number. */
export function u32(value) {
  const bytes = [];
  let rest = value;
  do {
    const low = rest & 127;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 128);
  } while (rest !== 0);
  return bytes;
}

/** The shortest LEB128 text of a signed number of 32 bits, as `i32.const` wants it. */
export function i32(value) {
  const bytes = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    const isLast = (rest === 0 && low < 64) || (rest === -1 && low >= 64);
    bytes.push(isLast ? low : low | 128);
    if (isLast) return bytes;
  }
}

/** One byte sequence out of several. */
export function concat(parts) {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The sections of a module, in order: [{ id, body }]. */
export function sectionsOf(bytes) {
  const sections = [];
  for (let at = 8; at < bytes.length; ) {
    const [length, start] = readU32(bytes, at + 1);
    sections.push({ id: bytes[at], body: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return sections;
}

/** A module of sections, with the header of `bytes`. */
export function moduleOf(bytes, sections) {
  return concat([
    bytes.subarray(0, 8),
    ...sections.flatMap(({ id, body }) => [[id, ...u32(body.length)], body]),
  ]);
}

/** A counted list whose items `read(offset)` reads: [items, offset behind it]; `read` gives [item, offset]. */
export function readList(bytes, offset, read) {
  let [count, at] = readU32(bytes, offset);
  const items = [];
  for (; count > 0; count -= 1) {
    const [item, next] = read(at);
    items.push(item);
    at = next;
  }
  return [items, at];
}

/** Offset behind the instruction at `offset`. Refuses what the module at hand does not use (SIMD, threads). */
export function afterInstruction(bytes, offset) {
  const op = bytes[offset];
  const at = offset + 1;
  const skip = (times) => {
    let next = at;
    for (let left = times; left > 0; left -= 1) [, next] = readU32(bytes, next);
    return next;
  };
  if (op <= 0x01 || op === 0x05 || op === 0x0b || op === 0x0f || op === 0x1a || op === 0x1b) return at;
  if (op >= 0x45 && op <= 0xc4) return at;
  // Block types, branches, calls, locals, globals, constants, memory.size and memory.grow.
  if ((op >= 0x02 && op <= 0x04) || op === 0x0c || op === 0x0d || op === 0x10) return skip(1);
  if ((op >= 0x20 && op <= 0x24) || op === 0x3f || op === 0x40 || op === 0x41 || op === 0x42) return skip(1);
  if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) return skip(2);
  if (op === 0x43) return at + 4;
  if (op === 0x44) return at + 8;
  if (op === 0x0e) return skip(readU32(bytes, at)[0] + 2);
  if (op === 0xfc) return afterPrefixed(bytes, at);
  throw new Error(`instruction 0x${op.toString(16)} at ${offset}: unknown to the meter`);
}

/** Conversions that saturate, memory.copy and memory.fill. */
function afterPrefixed(bytes, offset) {
  const [sub, at] = readU32(bytes, offset);
  if (sub <= 7) return at;
  if (sub === 10) return at + 2;
  if (sub === 11) return at + 1;
  throw new Error(`instruction 0xfc ${sub} at ${offset}: unknown to the meter`);
}
