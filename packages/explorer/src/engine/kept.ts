/**
 * Openings and blobs that a report holds beside its ledger, each compared here with the token that cites it.
 * No verdict rests on them. Source: docs/formats/ledger.md.
 */
import { field, hashCanonical, isArray, isObject, utf8Bytes, type Json } from '@assay/kernel';
import type { Cited, Given } from '../data/calls.js';
import { extractKept, isPage, KEPT_BYTES_MAX, LEDGER_BYTES_MAX } from '../data/packed.js';
import { unpackBytes, fromBase64 } from './reading.js';
import { pageSha256 } from './sha256.js';

const TEXT_UNITS_MAX = 65_536;
const CITED_MAX = 200;

type Found = Pick<Cited, 'state' | 'bytes' | 'text' | 'left'>;

/** What is kept, by the kind and digest it claims; null where it cannot be unpacked. */
export type Kept = ReadonlyMap<string, Found> | null;

/** Reads what a file keeps: a report alone keeps something. */
export async function readKept(given: Given): Promise<Kept> {
  const packed = await packKept(given);
  if (packed === '') return new Map();
  try {
    return found(await unpackBytes(packed, KEPT_BYTES_MAX));
  } catch {
    return null;
  }
}

async function packKept(given: Given): Promise<string> {
  if (given.t === 'packed') return given.kept;
  if (given.t === 'url' || given.bytes.size > 2 * LEDGER_BYTES_MAX) return '';
  return isPage(await given.bytes.slice(0, 256).text()) ? extractKept(await given.bytes.text()) : '';
}

function found(bytes: Uint8Array): Kept {
  const kept = new Map<string, Found>();
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (line === '') continue;
    const json = JSON.parse(line) as Json;
    if (!isObject(json)) continue;
    const [opening, blob, sha256] = [field(json, 'opening'), field(json, 'blob'), field(json, 'sha256')];
    if (opening !== undefined && isObject(opening)) {
      const value = field(opening, 'value') ?? null;
      const hash = hashCanonical({ t: 'sealed', salt: field(opening, 'salt') ?? null, value }, pageSha256);
      const seal = field(opening, 'seal');
      if (typeof seal !== 'string') continue;
      const text = JSON.stringify(value, null, 2);
      const isRight = hash._tag === 'Right' && hash.right === seal;
      // As the command has it: one wrong opening of a seal spoils the right one.
      const isSpoilt = kept.get(`opening ${seal}`)?.state === 'wrong';
      kept.set(`opening ${seal}`, judged(isRight && !isSpoilt, utf8Bytes(text).length, text));
    } else if (typeof blob === 'string' && typeof sha256 === 'string') {
      const raw = fromBase64(blob) ?? new Uint8Array(0);
      kept.set(`blob ${sha256}`, judged(pageSha256(raw) === sha256, raw.length, decodeText(raw)));
    }
  }
  return kept;
}

function judged(isRight: boolean, bytes: number, text: string | null): Found {
  return isRight
    ? {
        state: 'fits',
        bytes,
        text: text?.slice(0, TEXT_UNITS_MAX) ?? null,
        left: Math.max(0, (text?.length ?? 0) - TEXT_UNITS_MAX),
      }
    : { state: 'wrong', bytes, text: null, left: 0 };
}

function decodeText(raw: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return null;
  }
}

/** What a record cites, in the order of its text, at most 200. */
export function citedIn(json: Json, kept: Kept): readonly Cited[] {
  const all = new Map<string, Cited>();
  const walk = (value: Json): void => {
    if (typeof value !== 'object' || value === null || all.size === CITED_MAX) return;
    if (isArray(value)) {
      value.forEach(walk);
      return;
    }
    const [sealed, blob] = [field(value, '$sealed'), field(value, '$blob')];
    if (typeof sealed === 'string') add('opening', sealed, null);
    else if (blob !== undefined && isObject(blob)) {
      const sha256 = field(blob, 'sha256');
      if (typeof sha256 === 'string') add('blob', sha256, field(blob, 'bytes') ?? null);
    } else Object.values(value).forEach(walk);
  };
  const add = (of: Cited['of'], digest: string, bytes: Json): void => {
    const at = kept?.get(`${of} ${digest}`) ?? { state: 'absent', bytes: 0, text: null, left: 0 };
    const isSize = of === 'opening' || at.state !== 'fits' || at.bytes === bytes;
    all.set(`${of} ${digest}`, {
      of,
      digest,
      ...(isSize ? at : { ...at, state: 'wrong', text: null, left: 0 }),
    });
  };
  walk(json);
  return [...all.values()];
}
