/**
 * Forgeries of what a gate decides: a refusal, an approval, a budget, a label. Every hash is computed again, so that
 * only deciding again tells.
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
import { forger, goldenTwin, is } from './golden.mjs';
import { headLine, rewritten } from './rewrites.mjs';

const RUNS = [
  ['twin-gate-support', 'a support agent behind a gate', 'gate-support'],
  ['twin-gate-budgets', 'budgets of tokens and calls', 'gate-budgets'],
  ['twin-gate-labels', 'no mail after the web', 'gate-labels'],
];

/** Forgeries of a gate. */
export function gateForgeries() {
  const [support, budgets, labels] = RUNS.map(([twin, , from]) => forger(from, twin));
  return [
    support.event(
      'gate-refusal-turned',
      'a refused call shown as one that a rule allowed',
      is('denied', ({ n }) => n === 2),
      (event) => {
        Object.assign(event, { t: 'allowed', rules: ['allow read_file'], books: [] });
      },
    ),
    support.event(
      'gate-approval-moved',
      'the approval of one call moved to another',
      is('approved'),
      (event) => void (event.n = 6),
    ),
    budgets.event(
      'gate-count-lowered',
      'a call shown as if it had cost nothing',
      is('settled', ({ n }) => n === 1),
      (event) => void (event.costs = [['tokens', 40, 0, null]]),
    ),
    labels.event(
      'gate-label-dropped',
      'a principal that read the web shown without its label',
      is('allowed', ({ n }) => n === 2),
      (event) => void (event.who = ['main', []]),
    ),
    importedAsLive(),
  ];
}

/** A session of a trace as a ledger. */
function imported() {
  const file = 'claude-code.jsonl';
  const bytes = readFileSync(join(root, 'packages/gate/test/traces', file));
  const { found, sessions } = readTrace(bytes, file);
  const hashes = new Map([[file, found.sha256]]);
  return makeRun(sessions[0], nameRuns(sessions)[0], hashes).records;
}

/** No decision rests on where a call came from: the run is made as it would have been, and only a kept head tells. */
function importedAsLive() {
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
  return rewritten(
    'gate-import-live',
    'an imported session said to be live: its calls by a live model, the trace not named',
    linesOf(records).map((line) => JSON.parse(line)),
    honest,
    'twin-gate-import',
  );
}

/** The honest runs. */
export function gateTwins() {
  const records = imported();
  const what = 'a past session of an agent, imported';
  return [
    ...RUNS.map((run) => goldenTwin(...run)),
    { name: 'twin-gate-import', what, bytes: fileOf(linesOf(records)), head: headLine(records) },
  ];
}
