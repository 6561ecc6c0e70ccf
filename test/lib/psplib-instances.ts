/** Random files in the format of PSPLIB, with one or more modes a job. No instance of others is among them. */
import fc from 'fast-check';

type Mode = { readonly minutes: number; readonly used: number; readonly spent: readonly [number, number] };
type Job = { readonly modes: readonly Mode[]; readonly next: readonly number[] };

const mode: fc.Arbitrary<Mode> = fc.record({
  minutes: fc.integer({ min: 1, max: 9 }),
  used: fc.nat(9),
  spent: fc.tuple(fc.nat(9), fc.nat(9)),
});
const job: fc.Arbitrary<Job> = fc.record({
  modes: fc.uniqueArray(mode, { minLength: 1, maxLength: 3, selector: (each) => JSON.stringify(each) }),
  next: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
});

/** A file with at most ten jobs between its two dummies; availabilities are `share` percent of first modes. */
export function arbitraryPsplib(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(job, { minLength: 1, maxLength: 10 }),
      fc.tuple(fc.integer({ min: 20, max: 110 }), fc.nat(110)),
    )
    .map(([jobs, shares]) => fileOf(jobs, shares));
}

function fileOf(jobs: readonly Job[], shares: readonly [number, number]): string {
  const none: Mode = { minutes: 0, used: 0, spent: [0, 0] };
  const last = jobs.length + 2;
  const all: readonly Job[] = [{ modes: [none], next: [] }, ...jobs, { modes: [none], next: [] }];
  // Each job goes before some of the next ones, and at least before the last.
  const next = all.map(({ next: steps }, at): readonly number[] => {
    if (at === 0) return jobs.map((_, index) => index + 2);
    if (at === last - 1) return [];
    return [...new Set([...steps.map((step) => Math.min(at + 1 + step, last)), last])];
  });
  const caps = [0, 1].map((row) => {
    const sum = jobs.reduce((total, { modes: [first = none] }) => total + (first.spent[row] ?? 0), 0);
    return Math.floor((sum * (shares[row] ?? 0)) / 100);
  });
  const ends = all.map(() => 0);
  for (const [at, { modes }] of all.entries()) {
    const before = next.flatMap((list, each) => (list.includes(at + 1) ? [ends[each] ?? 0] : []));
    ends[at] = Math.max(0, ...before) + Math.min(...modes.map(({ minutes }) => minutes));
  }
  return [
    'projects                      :  1',
    `jobs (incl. supersource/sink ):  ${last}`,
    'RESOURCES',
    '  - renewable                 :  1   R',
    '  - nonrenewable              :  2   N',
    '  - doubly constrained        :  0   D',
    'PROJECT INFORMATION:',
    'pronr.  #jobs rel.date duedate tardcost  MPM-Time',
    `    1      ${jobs.length}      0       39       11       ${ends.at(-1) ?? 0}`,
    'PRECEDENCE RELATIONS:',
    'jobnr.    #modes  #successors   successors',
    ...all.map(({ modes }, at) =>
      [at + 1, modes.length, next[at]?.length ?? 0, ...(next[at] ?? [])].join('  '),
    ),
    'REQUESTS/DURATIONS:',
    'jobnr. mode duration  R 1  N 1  N 2',
    '-'.repeat(40),
    ...all.flatMap(({ modes }, at) =>
      modes.map(({ minutes, used, spent }, index) =>
        [...(index === 0 ? [at + 1] : []), index + 1, minutes, used, ...spent].join('  '),
      ),
    ),
    'RESOURCEAVAILABILITIES:',
    '  R 1  N 1  N 2',
    ['20', ...caps].join('   '),
    '',
  ].join('\n');
}
