/**
 * `node scripts/mutation/times.mjs graph`: how long each test of this area takes on sources that are not
 * mutated, slowest first. A mutant of a constant runs all of them.
 */
process.env.ASSAY_MUTATION_AREA = process.argv[2];
const { RUNS } = await import('./areas.mjs');
process.env.ASSAY_LAW_RUNS = String(RUNS);
const { bundleTests } = await import('./bundle.mjs');
const { Suite } = await import('./suite.mjs');
const evaluate = await bundleTests(process.cwd());
const say = console.log;
console.log = () => undefined;
const suite = new Suite();
globalThis.__suite = suite;
const rows = [];
const loading = performance.now();
evaluate();
rows.push([performance.now() - loading, 'loading']);
for (const test of suite.tests) {
  const start = performance.now();
  let failed = '';
  try {
    for (const outer of test.suites) {
      if (!outer.isOpen) for (const hook of outer.beforeAll) await hook();
      outer.isOpen = true;
      for (const hook of outer.beforeEach) await hook();
    }
    await test.run();
  } catch (error) {
    failed = ` FAILED ${error}`;
  }
  for (const outer of test.suites) for (const hook of outer.afterEach) await hook();
  rows.push([performance.now() - start, test.id + failed]);
}
say(`${suite.tests.length} tests, ${Math.round(rows.reduce((all, [ms]) => all + ms, 0))} ms`);
for (const [ms, id] of rows.toSorted((a, b) => b[0] - a[0]).slice(0, Number(process.argv[3] ?? 25)))
  say(`${ms.toFixed(0).padStart(6)} ms  ${id.slice(0, 200)}`);
for (const [, id] of rows) if (id.includes(' FAILED ')) say(id.slice(0, 400));
