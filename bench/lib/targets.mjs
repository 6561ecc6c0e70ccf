/**
 * What every bench says in the same way: the machine, and each target with the figure it was compared with.
 *
 * A missed target is a finding, not a failure: `met` is false and the bench exits 0. A target that was not
 * measured has the figure null and `met` null.
 *
 * @module
 */
import { cpus, loadavg, totalmem } from 'node:os';

const GIB = 2 ** 30;

/**
 * A target that is met by a figure of at most `bound`. `id`: what the table of docs/benchmarks.md calls it.
 * Compared as it is, shown with three decimals, rounded up.
 */
export function atMost(id, says, figure, bound, unit) {
  return {
    id,
    says,
    figure: figure === null ? null : Math.ceil(figure * 1e3) / 1e3,
    at_most: bound,
    unit,
    met: figure === null ? null : figure <= bound,
  };
}

/**
 * A target that is met by a figure of at least `bound`. Compared as it is, shown with three decimals, rounded
 * down: never for the better.
 */
export function atLeast(id, says, figure, bound, unit) {
  return {
    id,
    says,
    figure: figure === null ? null : Math.floor(figure * 1e3) / 1e3,
    at_least: bound,
    unit,
    met: figure === null ? null : figure >= bound,
  };
}

/**
 * Where it was measured. `load_1m`: how many processes wanted a core in the last minute; above `cores` the
 * figures are provisional.
 */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / GIB),
    platform: `${process.platform}-${process.arch}`,
    load_1m: Number(loadavg()[0].toFixed(1)),
  };
}

/** The middle value; of an even number, the upper one of the two. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Rounded to so many decimals, as a number. */
export function rounded(value, decimals = 2) {
  return Number(value.toFixed(decimals));
}

/**
 * A report as it is printed: every number rounded to so many decimals, but for its `targets`, which were
 * compared with the exact ones.
 */
export function shown(report, decimals = 2) {
  if (typeof report === 'number') return rounded(report, decimals);
  if (Array.isArray(report)) return report.map((each) => shown(each, decimals));
  if (typeof report !== 'object' || report === null) return report;
  return Object.fromEntries(
    Object.entries(report).map(([key, value]) => [key, key === 'targets' ? value : shown(value, decimals)]),
  );
}

/** The value after an option of the command line, as a number; else `otherwise`. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
}
