/**
 * Memory as an artifact: texts that were stored by calls, found again by their words. The index is made from the
 * ledger's calls and the blobs beside it, so that a run taken up, or restored to a record, has the memory of that
 * record. Source: specs/ecology.md B12; 004 L1788, L8603.
 *
 * @module
 */
import type { Blobs } from '@assay/host';
import { field, isObject, type Json } from '@assay/kernel';
import MiniSearch from 'minisearch';
import { parseText, readBody } from './bodies.js';
import type { Watched } from './watch.js';

type Point = { readonly id: number; readonly text: string; readonly sequence: number };

const LIMIT_MAX = 20;
const RECALL_UNITS_MAX = 1_000;

/** Memories by the name of their artifact. */
export class Memories {
  private readonly indexes: Map<string, { readonly index: MiniSearch<Point>; read: number }> = new Map();

  /**
   * What a call of a memory comes to: {store: text} gives {stored: bytes}, {recall: query, limit?} gives
   * {found: [{text, sequence, score}]}, best first, score in ppm of the best one; null for anything else.
   */
  async answer(memory: string, body: Json, { sent }: Pick<Watched, 'sent'>, blobs: Blobs): Promise<Json> {
    if (!isObject(body)) return null;
    const [store, recall, limit] = ['store', 'recall', 'limit'].map((key) => field(body, key));
    if (typeof store === 'string') return { stored: Buffer.byteLength(store, 'utf8') };
    if (typeof recall !== 'string' || recall.length > RECALL_UNITS_MAX) return null;
    const index = await this.upToDate(memory, sent, blobs);
    const most = typeof limit === 'number' ? Math.min(Math.max(1, limit), LIMIT_MAX) : LIMIT_MAX;
    const found = index.search(recall, { prefix: true, fuzzy: 0.2 }).slice(0, most);
    const best = found[0]?.score ?? 1;
    return {
      found: found.map(({ text, sequence, score }) => ({
        text: String(text),
        sequence: Number(sequence),
        score: Math.floor((1_000_000 * score) / best),
      })),
    };
  }

  /** Takes in what was stored since; a text that is not beside the ledger any more is left out. */
  private async upToDate(memory: string, sent: Watched['sent'], blobs: Blobs): Promise<MiniSearch<Point>> {
    const known = this.indexes.get(memory) ?? {
      index: new MiniSearch<Point>({ fields: ['text'], storeFields: ['text', 'sequence'] }),
      read: 0,
    };
    this.indexes.set(memory, known);
    const { read } = known;
    known.read = sent.length;
    for (const [at, { target, digest, sequence }] of sent.slice(read).entries()) {
      if (target !== memory) continue;
      const text = readStored(await readBody(blobs, digest));
      if (text !== null) known.index.add({ id: read + at, text, sequence });
    }
    return known.index;
  }
}

function readStored(body: string | null): string | null {
  const json = parseText(body ?? '');
  const text = json !== undefined && isObject(json) ? field(json, 'store') : undefined;
  return typeof text === 'string' ? text : null;
}
