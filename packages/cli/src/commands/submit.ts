/** `assay submit`: runs put into the queue of a fleet, all or none. */
import { isObject, type GenesisInput, type Json } from '@assay/kernel';
import type { Context } from '../call/output.js';
import type { FleetFlags } from '../files/fleet.js';
import { parseJson, readLines } from '../files/read.js';
import { deriveIdentity, parseDeadline, type Named } from '../options/settings.js';
import { misuse, type ExitCode, needsOption, badValue } from '../problems/problem.js';
import { queueRuns, type MachineName } from '../start/queue-runs.js';

type SubmitFlags = FleetFlags & {
  readonly machine: readonly string[];
  readonly tenant?: string;
  readonly priority?: string;
  readonly at?: string;
};

/** Queues a run for each line of a file. Raises `Stop`: `bad_line` and others with the line; then none is queued. */
export async function submit({ output }: Context, path: string, flags: SubmitFlags): Promise<ExitCode> {
  const { machine, modules } = readMachine(flags.machine);
  const options = {
    ...(flags.tenant === undefined ? {} : { tenant: readTenant(flags.tenant) }),
    ...(flags.priority === undefined ? {} : { priority: readPriority(flags.priority) }),
    ...(flags.at === undefined ? {} : { at: readTime(flags.at) }),
  };
  const geneses: GenesisInput[] = [];
  const lines: string[] = [];
  for await (const { at, text } of readLines(path)) {
    geneses.push(readGenesis(parseJson(text, at), at, machine));
    lines.push(at);
  }
  if (geneses.length === 0) throw misuse('no_runs', 'this file has no lines', path, GENESIS);
  return queueRuns(output, flags, machine, geneses, { options, lines, modules });
}

const KEYS = ['run_id', 'ts_base', 'policy', 'input', 'base', 'engine'];
const GENESIS =
  'give a line such as {"policy": {…}, "input": {…}}, with run_id and ts_base where you name them';

/** One line. Without `run_id` the run is named after what the line says: the same line is the same run. */
function readGenesis(line: Json, at: string, machine: MachineName): GenesisInput {
  const fail = (why: string): Error => misuse('bad_line', `not a genesis: ${why}`, at, GENESIS);
  if (!isObject(line)) throw fail('a line is an object');
  const odd = Object.keys(line).find((key) => !KEYS.includes(key));
  if (odd !== undefined) throw fail(`unknown key ${odd}`);
  const { policy, input, run_id, ts_base, ...more } = line;
  if (policy === undefined || input === undefined) throw fail('policy and input are needed');
  if (![run_id ?? '', ts_base ?? ''].every((name) => typeof name === 'string'))
    throw fail('run_id and ts_base are texts');
  const named = {
    store: '',
    ...(run_id === undefined ? {} : { run_id }),
    ...(ts_base === undefined ? {} : { ts_base }),
  };
  const identity = deriveIdentity(named as Named, { machine, policy, input, with: null });
  return { ...identity, policy, input, ...more };
}

/** The machine that is named, and the modules that are. */
function readMachine(given: readonly string[]): {
  readonly machine: MachineName;
  readonly modules: readonly string[];
} {
  const names = given.filter((one) => NAMED.test(one));
  const [, name = '', version = ''] = NAMED.exec(names[0] ?? '') ?? [];
  if (names.length === 1)
    return { machine: { name, version: Number(version) }, modules: given.filter((one) => !NAMED.test(one)) };
  throw needsOption(
    'name one machine, by its name and version',
    ['--machine', ...names].join(' '),
    'give --machine NAME@VERSION, such as --machine tally@1',
  );
}

const NAMED = /^([A-Za-z0-9][\w.-]*)@(\d{1,9})$/;

function readTenant(given: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(given)) return given;
  throw badValue('not a tenant name', `--tenant ${given}`, 'give 1 to 200 characters on one line');
}

function readPriority(given: string): number {
  const number = Number(given);
  if (/^-?\d+$/.test(given) && Math.abs(number) <= 1_000_000) return number;
  throw badValue('not a priority', `--priority ${given}`, 'give -1000000 to 1000000');
}

/** A time as microseconds since 1970. */
function readTime(given: string): number {
  const at = /^\d{4}-/.test(given) ? Date.parse(given) * 1_000 : (parseDeadline(given) ?? Number.NaN);
  if (Number.isSafeInteger(at) && at >= 0) return at;
  throw badValue('not a time', `--at ${given}`, 'give such as 10m, 17:00 or 2026-12-24T18:00:00Z');
}
