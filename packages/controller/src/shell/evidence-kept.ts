/**
 * What a run shows, kept while it is driven, for whoever decides or judges the next move. Source: calls/C4.
 *
 * @module
 */
import { err, ledgerRecord, ok, type Base, type EvidenceRecord, type Result } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { defaultPolicy, readBody, type CallAnswer } from '../index.js';
import { NO_EVIDENCE, type Evidence } from '../evidence/index.js';
import { withRecord } from '../evidence/evidence.js';
import type { Held } from './roles/confirming.js';
import { soundRecord, StoreReadError, type Store, type StoreError } from '@assay/host';

/**
 * The evidence of one run. `units`: of an output that its policy shows; `held`: what a call said that was held
 * back, of this tool and target, if this is what it would lose; else null.
 */
type KeptEvidence = {
  readonly evidence: () => Evidence;
  readonly units: () => number;
  readonly held: (asked: Held) => string | null;
  readonly add: (records: readonly EvidenceRecord[]) => void;
};

/**
 * The evidence of a run, as far as it is stored: of a continuation its base first, if this store has it.
 * `base`: of one that is begun now. A store that cannot be read is an error.
 */
export async function keptEvidence(
  store: Pick<Store, 'read'>,
  runId: string,
  base: Base | null,
): Promise<Result<StoreError, KeptEvidence>> {
  let [evidence, units]: [Evidence, number] = [NO_EVIDENCE, defaultPolicy.limits.output];
  const held = new Map<string, string>();
  const add = (records: readonly EvidenceRecord[]): void => {
    for (const record of records) {
      const said = heldIn(evidence, record);
      if (said !== null) held.set(makeKey(said), said.output);
      evidence = withRecord(evidence, record);
      units = unitsIn(record) ?? units;
    }
  };
  try {
    const stored = await readRecords(store, runId, Infinity);
    const found = stored.length === 0 ? base : findBase(stored);
    for (const records of [...(await readBases(store, found)), stored]) add(records);
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.error);
    throw error;
  }
  return ok({
    evidence: () => evidence,
    units: () => units,
    held: (asked) => held.get(makeKey(asked)) ?? null,
    add,
  });
}

/** The records that a continuation stands on, the oldest first; none where one of them is not here. */
async function readBases(
  store: Pick<Store, 'read'>,
  base: Base | null,
): Promise<readonly (readonly EvidenceRecord[])[]> {
  if (base === null) return [];
  const records = await readRecords(store, base.run_id, base.count);
  if (records.length < base.count) return [];
  const above = findBase(records);
  const earlier = await readBases(store, above);
  return above !== null && earlier.length === 0 ? [] : [...earlier, records];
}

async function readRecords(
  store: Pick<Store, 'read'>,
  runId: string,
  most: number,
): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(runId)) {
      const record = records.length < most ? soundRecord(line) : null;
      if (record === null) break;
      records.push(record);
    }
  } catch (error) {
    if (error instanceof StoreReadError && error.error.code === 'not_found') return [];
    throw error;
  }
  return records;
}

function findBase([first]: readonly EvidenceRecord[]): Base | null {
  const genesis = first === undefined ? null : ledgerRecord(first);
  return genesis?.kind === 'genesis' ? (genesis.payload?.base ?? null) : null;
}

function unitsIn({ kind, payload }: EvidenceRecord): number | null {
  const limits = kind === 'genesis' ? readField(readField(payload, 'policy'), 'limits') : null;
  const units = readField(limits, 'output');
  return typeof units === 'number' ? units : null;
}

/** What the tool of an open `call` held back; whatever else says so is none. */
function heldIn(
  { asked }: Evidence,
  { kind, payload }: EvidenceRecord,
): (Held & { readonly output: string }) | null {
  const request = kind === 'proposal' ? asked.get(readText(payload, 'request_id')) : undefined;
  const value = readField(payload, 'value');
  const body = request?.kind === 'call' ? readBody('call', request.body) : null;
  if (body === null || readText(value, 'code') !== 'needs_confirmation') return null;
  const { target, loses, output } = value as unknown as CallAnswer;
  return { tool: body.tool, target, loses, output };
}

function makeKey({ tool, target, loses }: Held): string {
  return `${tool}\n${target ?? ''}\n${loses ?? ''}`;
}
