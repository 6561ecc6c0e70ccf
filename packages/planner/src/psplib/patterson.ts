/**
 * Reads files of Patterson's form (`.rcp`) as plan files: integers alone, in this order: activities, resources; the
 * capacities; then of each activity its duration, its use of each resource, how many follow it, and which. Total.
 */
import { err, ok, type Json, type Result } from '@assay/kernel';
import { JOBS_MAX, makePlan, type PsplibFault } from './psplib.js';

/** True for a text of integers alone that begins with two of them in a line. */
export function isPatterson(text: string): boolean {
  return /^\s*\d+[ \t]+\d+\s/.test(text) && !/[^\d\s]/.test(text);
}

/** See the module. Names and units are those of PSPLIB files. */
export function readPatterson(text: string): Result<PsplibFault, Json> {
  const numbers = text
    .split('\n')
    .flatMap((line, at) => (line.match(/\d+/g) ?? []).map((word) => ({ word, line: at + 1 })));
  let at = 0;
  let fault: PsplibFault | null = null;
  const fail = (wanted: string): void => {
    const { line } = numbers[Math.min(at, numbers.length) - 1] ?? { line: 1 };
    fault ??= { code: 'bad_patterson', line, wanted };
  };
  const take = (wanted: string, most: number): number => {
    const word = fault === null ? numbers[at++]?.word : '0';
    if (word !== undefined && word.length <= 12 && Number(word) <= most) return Number(word);
    fail(wanted);
    return 0;
  };
  const times = <A>(length: number, read: () => A): readonly A[] => Array.from({ length }, read);
  const jobs = take(`at most ${JOBS_MAX} activities`, JOBS_MAX);
  const resources = take('at most 99 resources', 99);
  const amount = (wanted: string) => (): number => take(wanted, 1e12);
  const caps = times(resources, amount('a capacity'));
  const read = times(jobs, () => ({
    minutes: take('a duration', 1e12),
    used: times(resources, amount('a use')),
    after: times(take('a count of successors', jobs), () => take('a successor', jobs)),
  }));
  if (at++ < numbers.length) fail('the end');
  if (fault !== null) return err(fault);
  const heads = read.map(({ after }, job) => [job + 1, 1, after.length, ...after]);
  const modes = read.map(({ minutes, used }) => [{ minutes, used, spent: [] }]);
  return ok(makePlan(heads, modes, caps, resources));
}
