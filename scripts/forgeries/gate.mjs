/**
 * A trace imported as a ledger, and a forgery of it that only a kept head shows; the others of the gate are recipes.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRun, nameRuns, readTrace } from '@assay/gate/import';
import { gate } from '@assay/gate/machine';
import { nativeSha256 } from '@assay/host';
import { advance, openRun, orThrow } from '@assay/kernel';
import { root } from '../lib/run.mjs';
import { fileOf, linesOf } from './forge.mjs';
import { headLine, rewritten } from './rewrites.mjs';

/** A session of a trace as a ledger. */
function imported() {
  const file = 'claude-code.jsonl';
  const bytes = readFileSync(join(root, 'packages/gate/test/traces', file));
  const { found, sessions } = readTrace(bytes, file);
  const hashes = new Map([[file, found.sha256]]);
  return makeRun(sessions[0], nameRuns(sessions)[0], hashes).records;
}

/** No decision rests on where a call came from: the run is made as it would have been, and only a kept head tells. */
export function gateForgeries() {
  const honest = imported();
  const [genesis] = honest;
  const { run_id, ts_base, policy, input } = genesis.payload;
  const given = { run_id, ts_base, policy, input: { ...input, from: null } };
  let { run, records } = orThrow(openRun(gate, given, { sha256: nativeSha256 }));
  for (const { kind, payload } of honest) {
    if (kind !== 'proposal') continue;
    const { proposal_hash: _, ...answer } = payload;
    const source = answer.source === 'recorded_model' ? 'live_model' : answer.source;
    const step = orThrow(advance(run, { ...answer, source, provenance: {} }));
    run = step.run;
    records = [...records, ...step.records];
  }
  return [
    rewritten(
      'gate-import-live',
      'an imported session said to be live: its calls by a live model, the trace not named',
      linesOf(records).map((line) => JSON.parse(line)),
      honest,
      'twin-gate-import',
    ),
  ];
}

/** The honest import. */
export function gateTwins() {
  const records = imported();
  const what = 'a past session of an agent, imported';
  return [{ name: 'twin-gate-import', what, bytes: fileOf(linesOf(records)), head: headLine(records) }];
}
