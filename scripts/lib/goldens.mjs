/**
 * The golden runs of `golden-fixtures`, and each made again from its genesis and answers alone.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  advance,
  encodeLine,
  makeContinuation,
  makeHead,
  openRun,
  orThrow,
  sha256Hex,
  snapshot,
} from '@assay/kernel';

/** The folder of the golden runs. */
export const GOLDENS = fileURLToPath(new URL('../../golden-fixtures/', import.meta.url));
const ENGINE = new URL('../../packages/ecology/dist/engine.wasm', import.meta.url);

/** Names of the golden runs. */
export function listGoldens() {
  return readdirSync(GOLDENS)
    .filter((name) => existsSync(`${GOLDENS}${name}/ledger.jsonl`))
    .sort();
}

/** The records of a golden run, or of another ledger in its folder. */
export function readRecords(name, file = 'ledger.jsonl') {
  return readFileSync(`${GOLDENS}${name}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Records as the text of a ledger. */
export function linesOf(records) {
  return records.map((record) => `${encodeLine(record)}\n`).join('');
}

/** A golden run's answers, without what is computed of them. */
export function answersIn(records) {
  return records
    .filter(({ kind }) => kind === 'proposal')
    .map(({ payload: { proposal_hash: _derived, ...answer } }) => answer);
}

/**
 * Makes a golden run again: its machine, run and records, and those of the run that it is based on, null where there
 * is none. `change`: another answer in the place of one, of the run and the recorded answer.
 */
export async function playGolden(name, change = (_, answer) => answer) {
  const recorded = readRecords(name);
  const machine = await loadMachine(recorded[0].payload.machine);
  const parent = existsSync(`${GOLDENS}${name}/base.ledger.jsonl`)
    ? play(machine, readRecords(name, 'base.ledger.jsonl'), null, change)
    : null;
  return { machine, ...play(machine, recorded, parent, change), parent };
}

/** The machine of a name as it is today, with an engine where there was one. */
async function loadMachine({ name, engine }) {
  if (name === 'tally') return (await import('@assay/testing/tally')).tally;
  if (engine !== null) return (await import('@assay/ecology')).ecologyMachine(await loadSandbox());
  const { MACHINES } = await import('@assay/views/machines');
  return MACHINES.find((row) => row.name === name && row.engine === null).machine((machine) => machine);
}

/** The sandbox of contracts. */
export async function loadSandbox() {
  const { loadEngine } = await import('@assay/ecology/sandbox');
  return orThrow(loadEngine(readFileSync(ENGINE), sha256Hex));
}

function play(machine, recorded, parent, change) {
  const { run_id, ts_base, policy, input, base } = recorded[0].payload;
  const opened = orThrow(
    openRun(machine, { run_id, ts_base, policy, input, base: baseOf(base, parent), engine: machine.engine }),
  );
  let { run } = opened;
  const records = [...opened.records];
  for (const answer of answersIn(recorded)) {
    const step = orThrow(advance(run, change(run, answer)));
    run = step.run;
    records.push(...step.records);
  }
  return { run, records };
}

/** The base of a run: a snapshot of its parent, which it continues, or the parent's head. */
function baseOf(base, parent) {
  if (base === null || parent === null) return base;
  return base.snapshot === null
    ? { ...makeHead(parent.run), snapshot: null }
    : makeContinuation(snapshot(parent.run));
}
