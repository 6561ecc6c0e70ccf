/**
 * `describe`, `it` and hooks as the tests use them, with the assertions of Vitest's own `@vitest/expect`.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import * as chai from 'chai';
import { SKIPPED } from './areas.mjs';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
const expect = Object.assign(
  (value, message) => chai.expect(value, message),
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0 }, expect);
chai.expect.extend(expect, customMatchers);

/** Tests in the order of registration: { id, run, suites }; a suite is { before, after, each hooks }. */
export class Suite {
  tests = [];
  #file = '';
  #suites = [];
  #used = new Map();

  constructor() {
    // Vitest takes options before the body or a time limit behind it; neither means anything here.
    const it = (name, ...rest) =>
      this.#add(
        name,
        rest.find((given) => typeof given === 'function'),
      );
    it.each = (rows) => (name, run) =>
      rows.forEach((row) =>
        this.#add(filled(name, row), rows.every(Array.isArray) ? () => run(...row) : () => run(row)),
      );
    it.skipIf = (skipped) => (skipped ? () => undefined : it);
    const describe = (name, body) => this.#within(name, body);
    describe.each = (rows) => (name, body) =>
      rows.forEach((row) =>
        this.#within(filled(name, row), () => (rows.every(Array.isArray) ? body(...row) : body(row))),
      );
    describe.skipIf = (skipped) => (skipped ? () => undefined : describe);
    const hook = (when) => (run) => void this.#suites.at(-1)[when].push(run);
    this.api = {
      describe,
      it,
      test: it,
      expect,
      beforeAll: hook('beforeAll'),
      afterAll: hook('afterAll'),
      beforeEach: hook('beforeEach'),
      afterEach: hook('afterEach'),
    };
  }

  /** Called by each test file as it starts. */
  file(path) {
    this.#file = path;
    this.#suites = [newSuite('')];
  }

  #within(name, body) {
    this.#suites = [...this.#suites, newSuite(name)];
    body();
    this.#suites = this.#suites.slice(0, -1);
  }

  #add(title, run) {
    const name = [...this.#suites.slice(1).map((suite) => suite.name), title].join(' ');
    if (SKIPPED.some((skipped) => skipped.test(name))) return;
    const count = (this.#used.get(this.#file + name) ?? 0) + 1;
    this.#used.set(this.#file + name, count);
    this.tests.push({
      id: `${this.#file}#${name}${count === 1 ? '' : ` (${count})`}`,
      name,
      file: this.#file,
      run,
      suites: this.#suites,
    });
  }
}

function newSuite(name) {
  return { name, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [], isOpen: false };
}

/** A title with its values filled in, cut: only a reader needs it. */
function filled(title, row) {
  const values = Array.isArray(row) ? [...row] : [row];
  return title
    .replaceAll(/%[sdijo#%]/g, () => shown(values.shift()))
    .replaceAll(/\$([\w.]+)/g, (_, path) => shown(path.split('.').reduce((value, key) => value?.[key], row)));
}

function shown(value) {
  if (typeof value === 'string') return value.slice(0, 60);
  return typeof value === 'object' || typeof value === 'function' ? '…' : String(value);
}
