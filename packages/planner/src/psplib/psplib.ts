/**
 * Reads PSPLIB and MMLIB files (`.sm`, `.mm`) as plan files. Total.
 *
 * Job n is `t` and three digits, mode n `m` and n, non-renewable resource n the row `n` and n with `<=` its
 * availability, renewable resource n `r` and n, durations are minutes. The first mode is the own approach. Modes that
 * need more of a renewable resource than there is are left out. Source: dec-K87.
 */
import { err, ok, type Json, type Result } from '@assay/kernel';

/** Why a file is not taken, and the line where reading ended (from 1). */
export type PsplibFault = {
  readonly code: 'bad_psplib' | 'bad_patterson';
  readonly line: number;
  readonly wanted: string;
};

/**
 * A file as a plan value for `parsePlan`; `criticalPath`: the `MPM-Time` of its header, or null; `shortest`: minutes of
 * each job at its shortest mode, which that counts, be it left out or not.
 */
type PsplibPlan = {
  readonly plan: Json;
  readonly criticalPath: number | null;
  readonly shortest: readonly number[];
};

/** Jobs of a file. */
export const JOBS_MAX = 2_000;
const MILLION = 1_000_000;

class Lines {
  at = 0;
  wanted: string | null = null;
  private readonly lines: readonly string[];

  constructor(text: string) {
    this.lines = text.split(/\r?\n/);
  }

  /** Goes behind the next line that matches, and so many more; gives what the pattern caught. */
  after(pattern: RegExp, wanted: string, more: number = 0): string {
    for (; this.at < this.lines.length; this.at += 1) {
      const found = pattern.exec(this.lines[this.at] ?? '');
      if (found === null) continue;
      this.at += 1 + more;
      return found[1] ?? '';
    }
    this.wanted ??= wanted;
    return '';
  }

  /** The integers of the next line. */
  numbers(wanted: string): readonly number[] {
    const words = (this.lines[this.at] ?? '').trim().split(/\s+/);
    this.at += 1;
    if (!words.every((word) => /^\d{1,12}$/.test(word))) this.wanted ??= wanted;
    return this.wanted === null ? words.map(Number) : [];
  }

  find(pattern: RegExp): readonly string[] {
    const at = this.lines.findIndex((line) => pattern.test(line));
    return at < 0 ? [] : (this.lines[at + 1] ?? '').trim().split(/\s+/);
  }
}

type Mode = { readonly minutes: number; readonly used: readonly number[]; readonly spent: readonly number[] };

/** See the module. */
export function readPsplib(text: string): Result<PsplibFault, PsplibPlan> {
  const lines = new Lines(text);
  const jobs = Number(lines.after(/^jobs[^:]*:\s*(\d{1,6})/, 'jobs'));
  const renewable = Number(lines.after(/- renewable\s*:\s*(\d{1,2})/, 'renewable'));
  const rows = Number(lines.after(/- nonrenewable\s*:\s*(\d{1,2})/, 'nonrenewable'));
  if (jobs > JOBS_MAX) lines.wanted ??= `at most ${JOBS_MAX} jobs`;
  const header = lines.find(/^pronr/);
  lines.after(/^PRECEDENCE RELATIONS/, 'PRECEDENCE RELATIONS', 1);
  const heads = each(lines, jobs, () => lines.numbers('a job'));
  lines.after(/^REQUESTS\/DURATIONS/, 'REQUESTS/DURATIONS', 2);
  const modes = heads.map(([, count = 0]) =>
    each(lines, count, (index): Mode => {
      const numbers = lines.numbers('a mode').slice(index === 0 ? 1 : 0);
      if (numbers.length !== 2 + renewable + rows) lines.wanted ??= 'a mode';
      return {
        minutes: numbers[1] ?? 0,
        used: numbers.slice(2, 2 + renewable),
        spent: numbers.slice(2 + renewable),
      };
    }),
  );
  lines.after(/^ *RESOURCE *AVAILABILITIES/, 'RESOURCEAVAILABILITIES', 1);
  const caps = lines.numbers('availabilities');
  if (caps.length !== renewable + rows) lines.wanted ??= 'availabilities';
  if (lines.wanted !== null) return err({ code: 'bad_psplib', line: lines.at, wanted: lines.wanted });
  const criticalPath = /^\d+$/.test(header[5] ?? '') ? Number(header[5]) : null;
  const shortest = modes.map((all) => Math.min(...all.map(({ minutes }) => minutes)));
  return ok({ plan: makePlan(heads, modes, caps, renewable), criticalPath, shortest });
}

function each<A>(lines: Lines, count: number, read: (index: number) => A): readonly A[] {
  const found: A[] = [];
  for (let index = 0; index < count && lines.wanted === null; index += 1) found.push(read(index));
  return found;
}

/**
 * The plan of jobs. `heads`: each job's number, how many modes it has, how many successors, and which; `caps`:
 * renewable resources first.
 */
export function makePlan(
  heads: readonly (readonly number[])[],
  modes: readonly (readonly Mode[])[],
  caps: readonly number[],
  renewable: number,
): Json {
  const before = heads.map((): string[] => []);
  for (const [job, head] of heads.entries())
    for (const next of head.slice(3)) before[next - 1]?.push(jobName(job));
  const uses = (amounts: readonly number[], letter: string): Json =>
    Object.fromEntries(amounts.map((amount, index) => [`${letter}${index + 1}`, amount]));
  // Files have modes that need more than there is: nobody can take them.
  const isPossible = ({ used }: Mode): boolean => used.every((use, at) => use <= (caps[at] ?? 0));
  const listModes = (all: readonly Mode[]): readonly (readonly [Mode, number])[] => {
    const numbered = all.map((mode, at) => [mode, at + 1] as const);
    const possible = numbered.filter(([mode]) => isPossible(mode));
    return possible.length === 0 ? numbered : possible;
  };
  const approach = ([{ minutes, used, spent }, mode]: readonly [Mode, number]) => ({
    method: `mode ${mode}`,
    minutes,
    confidence: MILLION,
    amounts: uses(spent, 'n'),
    uses: uses(used, 'r'),
  });
  return {
    plan: 1,
    renewable: uses(caps.slice(0, renewable), 'r'),
    rows: caps.slice(renewable).map((cap, index) => ({ id: `n${index + 1}`, op: '<=', cap })),
    tasks: modes.map((all, job) => {
      const [first = [{ minutes: 0, used: [], spent: [] }, 1] as const, ...others] = listModes(all);
      return {
        id: jobName(job),
        after: before[job] ?? [],
        approach: `m${first[1]}`,
        ...approach(first),
        alternatives: others.map((mode) => ({ id: `m${mode[1]}`, ...approach(mode) })),
      };
    }),
  };
}

function jobName(job: number): string {
  return `t${String(job + 1).padStart(3, '0')}`;
}
