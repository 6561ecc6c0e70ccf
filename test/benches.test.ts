/** Benches: a target is compared with the exact figure; what is printed is rounded, and a target's figure never for the better. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atLeast, atMost, shown } from '../bench/lib/targets.mjs';

const ROOT = join(import.meta.dirname, '..');
const benches = [...readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name, 'bench')), join('bench', 'rivals')].flatMap((folder) => {
  try {
    return readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.bench.mjs')).map((name) => join(folder, name));
  } catch {
    return [];
  }
});

/** Those that round a figure themselves. Of each it was looked at that its targets are given another, the exact one; a new one is to be looked at as well. */
const ROUNDING = ['attest/bench/root', 'host/bench/drive', 'kernel/bench/record', 'store-file/bench/durable', 'store-postgres/bench/durable', 'store-sqlite/bench/durable', 'bench/rivals/sqlite-saver'];

describe('a target', () => {
  it('is missed by what rounds to its bound, and says so in its figure', () => {
    expect([atMost('a', '', 50.0004, 50, 'ms'), atMost('a', '', 50, 50, 'ms')]).toMatchObject([{ figure: 50.001, met: false }, { figure: 50, met: true }]);
    expect([atLeast('a', '', 44_999.9996, 45_000, '/s'), atLeast('a', '', 45_000, 45_000, '/s')]).toMatchObject([{ figure: 44_999.999, met: false }, { figure: 45_000, met: true }]);
  });

  it('stays as it is where its report is rounded for print', () => {
    const targets = [atMost('a', '', 50.0004, 50, 'ms')];
    expect(shown({ ms: 50.0004, each: [{ us: 1.2345 }], name: 'x', none: null, targets })).toEqual({ ms: 50, each: [{ us: 1.23 }], name: 'x', none: null, targets });
    expect(shown({ ms: 50.6 }, 0)).toEqual({ ms: 51 });
  });

  it('is given no rounded figure: a bench rounds in `shown` alone', () => {
    expect(benches.length).toBeGreaterThan(15);
    const rounding = benches.filter((path) => readFileSync(join(ROOT, path), 'utf8').split('\n').some((line) => !line.includes('stderr') && /\brounded\(|\.toFixed\(|Math\.round\(/.test(line)));
    expect(rounding.map((path) => path.replace(/^packages\/|\.bench\.mjs$/g, '')).toSorted()).toEqual(ROUNDING.toSorted());
  });
});
