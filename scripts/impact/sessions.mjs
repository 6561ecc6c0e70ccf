/**
 * Recorded sessions of an agent as an import makes them: each a gate that only watched, every call performed.
 *
 *   npm run build && node scripts/impact/sessions.mjs FOLDER [sessions] [calls]
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { advance, encodeLine, hashCanonical, openRequests, openRun, orThrow } from '@assay/kernel';
import { completePolicy, gate } from '@assay/gate/machine';
import { sha256 } from './anew.mjs';

const START = 1_000_000_000_000_000;
const SECOND = 1_000_000;
const rest = { confidence: null, failure: null, spent: {}, cites: [], provenance: {} };
const digest = (value) => orThrow(hashCanonical(value, sha256));

/** The calls of a session, the same each time. */
const CALLS = [
  (n) => ['Read', { file_path: `/home/ada/project/src/module-${n % 37}.ts` }],
  (n) => ['Bash', { command: n % 30 === 1 ? 'git push origin main' : `npm test -- file-${n % 11}` }],
  (n) => [
    'Edit',
    { file_path: `/home/ada/project/src/module-${n % 37}.ts`, old_string: 'a', new_string: 'b' },
  ],
  (n) => [
    'Read',
    { file_path: n % 100 === 3 ? '/home/ada/project/.env' : `/home/ada/project/notes-${n}.md` },
  ],
  (n) => ['WebFetch', n % 50 === 4 ? null : { url: `https://example.com/${n}`, prompt: 'what changed' }],
];

/** One ledger after another: its name and records. `input` null stands for what a trace did not say. */
export function* gateSessions(sessions = 100, calls = 100) {
  const policy = completePolicy({ gate: 1, mode: 'observe' });
  for (let at = 0; at < sessions; at += 1) {
    const run_id = `session-${at}`;
    const input = { about: `session ${at}`, from: null };
    const genesis = { run_id, ts_base: 'T', policy, input, base: null, engine: null };
    let { run, records } = orThrow(openRun(gate, genesis, { sha256 }));
    const all = [...records];
    const answer = (kind, source, value, at_us) => {
      const { id } = openRequests(run).find((one) => one.kind === kind);
      ({ run, records } = orThrow(
        advance(run, { ...rest, request_id: id, source, proposer: 'import/sessions', value, at_us }),
      ));
      all.push(...records);
    };
    for (let n = 0; n < calls; n += 1) {
      const [tool, given] = CALLS[n % CALLS.length](n);
      const at_us = START + (at * calls + n) * SECOND;
      const value = { principal: 'main', call_id: `call-${n}`, tool, input: given, digest: digest(given) };
      answer('call', 'synthetic', value, at_us);
      const result = { text: `result of call ${n}: ${'lines '.repeat(20)}` };
      answer(
        'perform',
        'synthetic',
        { ok: true, digest: digest(result), bytes: 140, result },
        at_us + SECOND / 2,
      );
    }
    answer('close', 'rule', {}, START);
    yield { name: run_id, records: all };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, sessions, calls] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const { name, records } of gateSessions(Number(sessions ?? 100), Number(calls ?? 100)))
    writeFileSync(
      join(folder, `${name}.ledger.jsonl`),
      records.map((one) => `${encodeLine(one)}\n`).join(''),
    );
}
