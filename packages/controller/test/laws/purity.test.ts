/** `law-L4` of D.1, for the controller and for memory. */
import { advance, encodeLine, openRun, orThrow, type Json, type Machine } from '@assay/kernel';
import { entropy, type MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { controller } from '../../src/index.js';
import { memory } from '../../src/memory/index.js';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { randomRun } from '../../tools/random-runs.js';
import { memoryArbitraries, native } from '../memory/arbitraries.js';

const runs = lawRuns('law-L4');
const options = { sha256: native };
const STEPS = 24;
/** Milliseconds that a law may take on a machine with other work. */
const LONG = 240_000;

/** What a pure machine must not touch, with a thrower in its place. */
function withoutTheWorld<T>(act: () => T): T {
  const banned: readonly (readonly [object, string])[] = [
    [Date, 'now'],
    [performance, 'now'],
    [Math, 'random'],
    [Math, 'exp'],
    [Math, 'pow'],
    [Math, 'log'],
    [Math, 'sin'],
    [globalThis.crypto, 'getRandomValues'],
    [String.prototype, 'localeCompare'],
    [String.prototype, 'toLocaleLowerCase'],
    [String.prototype, 'toLocaleUpperCase'],
    [Number.prototype, 'toLocaleString'],
    [Intl, 'Collator'],
    [Intl, 'NumberFormat'],
    [Intl, 'DateTimeFormat'],
  ];
  const kept = banned.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  for (const [owner, name] of banned)
    Object.defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value: () => {
        throw new Error(`${name} was called`);
      },
    });
  try {
    return act();
  } finally {
    for (const [index, [owner, name]] of banned.entries()) {
      const found = kept[index];
      if (found === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, found);
    }
  }
}

function pure<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
): void {
  fc.assert(
    fc.property(fc.nat(STEPS), entropy(), (length, draw) => {
      const { genesis, records, steps } = randomRun(machine, arbitraries, draw, length, options);
      const again = withoutTheWorld(() => {
        const opening = orThrow(openRun(machine, genesis));
        const written = [...opening.records];
        let { run } = opening;
        for (const { proposal } of steps) {
          const step = orThrow(advance(run, proposal));
          written.push(...step.records);
          run = step.run;
        }
        return written;
      });
      expect(again.map(encodeLine).join('\n') === records.map(encodeLine).join('\n')).toBe(true);
    }),
    runs,
  );
}

describe(
  'law-L4 purity: a run is the same, byte for byte, where clock, chance, locale and the ' +
    'inexact functions of Math throw',
  () => {
    it('are held: what is called is a thrower, and put back', () => {
      expect(() => withoutTheWorld(() => Date.now())).toThrow('now was called');
      expect(() => withoutTheWorld(() => 'a'.localeCompare('b'))).toThrow('localeCompare was called');
      expect([typeof Date.now(), Math.exp(0), 'a'.localeCompare('a')]).toEqual(['number', 1, 0]);
    });
    it('law-L4 of the controller', () => pure(controller, controllerArbitraries()), LONG);
    it('law-L4 of memory', () => pure(memory, memoryArbitraries()), LONG);
  },
);
