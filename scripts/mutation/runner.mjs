/**
 * Stryker's test runner: the tests and the sources are evaluated anew for every mutant, in Stryker's worker
 * process, and the quickest tests that reach the mutant run first, until one fails.
 *
 * A Vitest run per mutant takes seconds, nearly all of them to start workers and load files; this takes
 * milliseconds. Every mutant still gets modules of its own.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { bundleTests } from './bundle.mjs';
import { Suite } from './suite.mjs';

/** How long each test took in the dry run, for every worker: they share Stryker's sandbox as their folder. */
const TIMES = 'test-times.json';
const IN_HOOK = 'in a hook';
const ns = (globalThis.__stryker__ ??= {});

class InProcessRunner {
  #evaluate;
  #quickness = new Map();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env.ASSAY_LAW_RUNS = String((await import('./areas.mjs')).RUNS);
    this.#evaluate = await bundleTests(process.cwd());
    if (existsSync(TIMES)) this.#quickness = new Map(JSON.parse(readFileSync(TIMES, 'utf8')));
    console.log = () => undefined;
  }

  async dryRun() {
    ns.activeMutant = undefined;
    ns.hitLimit = ns.hitCount = undefined;
    ns.mutantCoverage = { static: {}, perTest: {} };
    const tests = await this.#run(this.#load(), false, true, true);
    writeFileSync(TIMES, JSON.stringify([...this.#quickness]));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: ns.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit, disableBail }) {
    if (this.#quickness.size === 0) this.#quickness = new Map(JSON.parse(readFileSync(TIMES, 'utf8')));
    ns.mutantCoverage = undefined;
    ns.currentTestId = undefined;
    ns.hitLimit = hitLimit;
    ns.hitCount = hitLimit === undefined ? undefined : 0;
    ns.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    let registered;
    try {
      registered = this.#load();
    } catch (error) {
      return toMutantRunResult({
        status: DryRunStatus.Complete,
        tests: [failed({ id: testFilter?.[0] ?? [...this.#quickness.keys()][0], name: 'load' }, 0, error)],
      });
    }
    ns.activeMutant = activeMutant.id;
    const chosen = testFilter === undefined ? registered : pick(registered, testFilter);
    const ordered = chosen.toSorted(
      (a, b) => (this.#quickness.get(a.id) ?? 0) - (this.#quickness.get(b.id) ?? 0),
    );
    const tests = await this.#run(ordered, !disableBail, false, testFilter === undefined);
    ns.activeMutant = undefined;
    return toMutantRunResult(
      determineHitLimitReached(ns.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests },
      false,
    );
  }

  #load() {
    const suite = new Suite();
    globalThis.__suite = suite;
    this.#evaluate();
    return suite.tests;
  }

  async #run(tests, bail, isDry, isWhole) {
    const results = [];
    const opened = [];
    for (const test of tests) {
      const start = performance.now();
      let result;
      try {
        for (const suite of test.suites) await open(suite, opened, isDry);
        if (isDry) share(test);
        ns.currentTestId = isDry ? test.id : undefined;
        for (const suite of test.suites) for (const hook of suite.beforeEach) await hook();
        await test.run();
        result = {
          id: test.id,
          name: test.name,
          timeSpentMs: performance.now() - start,
          status: TestStatus.Success,
        };
      } catch (error) {
        result = failed(test, performance.now() - start, error);
      }
      for (const suite of test.suites) for (const hook of suite.afterEach) await hook();
      restore();
      ns.currentTestId = undefined;
      if (isDry) this.#quickness.set(test.id, result.timeSpentMs);
      results.push(result);
      if (bail && result.status === TestStatus.Failed) break;
    }
    await close(opened, results, isWhole);
    return results;
  }
}

/** Runs a suite's `beforeAll` once; in the dry run what it reaches counts for each of the suite's tests. */
async function open(suite, opened, isDry) {
  if (suite.isOpen) return;
  suite.isOpen = true;
  opened.push(suite);
  if (isDry) ns.currentTestId = IN_HOOK;
  for (const hook of suite.beforeAll) await hook();
  if (!isDry) return;
  suite.reached = ns.mutantCoverage.perTest[IN_HOOK] ?? {};
  delete ns.mutantCoverage.perTest[IN_HOOK];
}

/**
 * Runs each `afterAll`; one that fails counts only where every test ran, since some of them ask what the
 * tests came to.
 */
async function close(suites, results, isWhole) {
  const last = results.at(-1);
  const isJudged = isWhole && results.every(({ status }) => status === TestStatus.Success);
  for (const suite of suites) {
    for (const hook of suite.afterAll) {
      try {
        await hook();
      } catch (error) {
        if (isJudged) results[results.length - 1] = failed(last, last.timeSpentMs, error);
      }
    }
  }
}

function share(test) {
  for (const { reached } of test.suites)
    if (reached !== undefined && Object.keys(reached).length > 0)
      ns.mutantCoverage.perTest[test.id] = { ...ns.mutantCoverage.perTest[test.id], ...reached };
}

function pick(tests, ids) {
  const wanted = new Set(ids);
  return tests.filter(({ id }) => wanted.has(id));
}

function failed({ id, name }, timeSpentMs, error) {
  return {
    id,
    name,
    timeSpentMs,
    status: TestStatus.Failed,
    failureMessage: String(error?.message ?? error).slice(0, 500),
  };
}

const BUILT_IN = [Object.prototype, Array.prototype, String.prototype, Number.prototype].map((prototype) => ({
  prototype,
  slots: Object.getOwnPropertyDescriptors(prototype),
}));

/**
 * Takes back what a failed test may have left on a built-in prototype: it would fail every mutant after it.
 */
function restore() {
  for (const { prototype, slots } of BUILT_IN) {
    for (const key of Reflect.ownKeys(prototype)) if (!Object.hasOwn(slots, key)) delete prototype[key];
  }
}

const create = () => new InProcessRunner();
create.inject = [];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', create)];
