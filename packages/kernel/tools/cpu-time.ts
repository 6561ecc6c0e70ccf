/**
 * Time as this process spends it: a busy machine does not fail a test that bounds work.
 *
 * @module
 */

/** Runs a function; gives its result and the CPU milliseconds it took. */
export function cpuTime<A>(run: () => A): { readonly result: A; readonly milliseconds: number } {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { result, milliseconds: (user + system) / 1_000 };
}
