/**
 * Reads a ledger file the way a careless program does: whatever can be made out of each line, and which of
 * the byte rules it breaks. Nothing here recurses, so nesting of any depth is read.
 */
import { LINE_LIMITS, type IntegrityCode, type Json, type JsonObject } from '@assay/kernel';

/** One line: its value, undefined where no JSON can be made out, and the byte rules it breaks. */
export type LaxLine = { readonly value: Json | undefined; readonly faults: readonly IntegrityCode[] };

/** The lines of a file, the unended last one included. */
export function readLax(bytes: Uint8Array): readonly LaxLine[] {
  const lines: LaxLine[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    lines.push(readLine(bytes.subarray(from, end === -1 ? bytes.length : end), end !== -1));
    from = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

function readLine(bytes: Uint8Array, isEnded: boolean): LaxLine {
  const text = new TextDecoder('utf-8').decode(bytes);
  const value = parse(text);
  const isCanonical = value !== undefined && Buffer.compare(Buffer.from(textOf(value)), bytes) === 0;
  const { depth, structure } = value === undefined ? { depth: 0, structure: 0 } : measure(value);
  const faults: readonly (IntegrityCode | null)[] = [
    bytes.length > LINE_LIMITS.bytes || structure > LINE_LIMITS.structure ? 'size' : null,
    depth > LINE_LIMITS.depth ? 'depth' : null,
    isCanonical ? null : 'encoding',
    isEnded || !isCanonical ? null : 'final_newline',
  ];
  return { value, faults: faults.filter((fault) => fault !== null) };
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text) as Json;
    return value;
  } catch {
    return undefined;
  }
}

type Piece = { readonly text: string } | { readonly value: Json };

/** Canonical text of a value, without recursion. */
export function textOf(root: Json): string {
  const out: string[] = [];
  const stack: Piece[] = [{ value: root }];
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    if ('text' in piece) out.push(piece.text);
    else if (Array.isArray(piece.value))
      for (const part of between(
        '[',
        ']',
        piece.value.map((value: Json) => [{ value }]),
      ))
        stack.push(part);
    else if (typeof piece.value === 'object' && piece.value !== null)
      for (const part of between('{', '}', members(piece.value as JsonObject))) stack.push(part);
    else out.push(JSON.stringify(piece.value));
  }
  return out.join('');
}

function members(object: JsonObject): Piece[][] {
  return Object.keys(object)
    .sort()
    .map((key) => [{ text: `${JSON.stringify(key)}:` }, { value: object[key] ?? null }]);
}

/** The pieces of a container, last one first. */
function between(open: string, close: string, items: readonly Piece[][]): Piece[] {
  const pieces: Piece[] = [
    { text: open },
    ...items.flatMap((item, index) => (index === 0 ? item : [{ text: ',' }, ...item])),
    { text: close },
  ];
  return pieces.reverse();
}

/** Every container in a value, itself included. */
export function walk(root: Json): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const stack: Json[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    found.push(value as JsonObject);
    for (const item of Object.values(value)) stack.push(item as Json);
  }
  return found;
}

/** Nesting, and the bytes `[ { ,` outside strings. */
function measure(root: Json): { readonly depth: number; readonly structure: number } {
  let structure = 0;
  let depth = 0;
  const stack: (readonly [Json, number])[] = [[root, 1]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [value, level] = top;
    if (typeof value !== 'object' || value === null) continue;
    const items = Object.values(value) as Json[];
    structure += 1 + Math.max(0, items.length - 1);
    depth = Math.max(depth, level);
    for (const item of items) stack.push([item, level + 1]);
  }
  return { depth, structure };
}
