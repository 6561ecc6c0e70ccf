/** Pins that cannot stand together: both places are named. Which those are follows intent I7 and I9. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const TEXT = 'Logs must not be kept longer than 30 days.';
const file = (name: string, pins: object): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(pins));
  return path;
};
const FIRST = file('first.json', { a: 3 });
const SECOND = file('second.json', { no_a: true, a: 4 });
const FLAGS = file('flags.json', { a: true, no_a: true });

describe('pins that cannot both hold are wrong use, and both places are named', () => {
  test.each<readonly [name: string, pins: readonly string[], code: string, places: readonly string[]]>([
    ['one key twice', ['a=1', 'a=2'], 'bad_pin', ['--pin a=1', '--pin a=2']],
    ['one key twice, the same', ['a=1', 'a=1'], 'bad_pin', ['--pin a=1 and --pin a=1']],
    ['a file and an option', [FIRST, 'a=2'], 'bad_pin', [`${FIRST} (a)`, '--pin a=2']],
    ['two files', [FIRST, SECOND], 'bad_pin', [`${FIRST} (a)`, `${SECOND} (a)`]],
    ['demanded and forbidden', ['a=true', 'no_a=true'], 'bad_pin', ['--pin a=true', '--pin no_a=true']],
    [
      'forbidden and demanded',
      ['no_a=true', 'b=1', 'a=true'],
      'bad_pin',
      ['--pin no_a=true', '--pin a=true'],
    ],
    ['both in one file', [FLAGS], 'bad_pin', [`${FLAGS} (a)`, `${FLAGS} (no_a)`]],
  ])('%s', async (_, pins, code, places) => {
    const {
      code: exit,
      stdout,
      stderr,
    } = await called('run', TEXT, ...pins.flatMap((pin) => ['--pin', pin]));
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: `));
    const place = /^ {2}place {3}(.*)$/m.exec(stderr)?.[1] ?? '';
    for (const one of places) expect(place).toContain(one);
  });

  test.each([
    'no_region=EU',
    'no_region=5',
    'no_region=null',
    'no_region={"op":"=","value":"EU","unit":null}',
  ])('a ban takes true or false: %s', async (pin) => {
    const { code, stdout, stderr } = await called('run', TEXT, '--pin', 'region=EU', '--pin', pin);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('assay: bad_pin: ');
    expect(stderr).toContain(`place   --pin ${pin}`);
    expect(stderr).toContain('to forbid it, write --pin no_region=true');
  });

  test('a message says what each of them states', async () => {
    expect((await called('run', TEXT, '--pin', 'a=true', '--pin', 'no_a=true')).stderr).toContain(
      'must a = true, and must_not a = true',
    );
  });
});

/**
 * Intent I9 compares atoms of equal key and dimension, and demand with ban of the same atom: a number is not
 * a flag.
 */
test('a number and a flag of one key are two kinds of fact, and both stand', async () => {
  const json = await calledJson('run', TEXT, '--pin', 'a=5', '--pin', 'no_a=true');
  expect(json).toMatchObject({
    status: 'success',
    artifacts: {
      blueprint: {
        contradictions: [],
        pin: [
          { modality: 'must', atom: { key: 'a', value: { n: 5 } } },
          { modality: 'must_not', atom: { key: 'a', value: true } },
        ],
      },
    },
  });
});

test('false and a ban say the same of a flag, and both stand', async () => {
  expect((await called('run', TEXT, '--pin', 'a=false', '--pin', 'no_a=true')).code).toBe(0);
});

test('where pins left no reading, each pin that conflicts is named with what it conflicts with', async () => {
  const { code, stdout } = await called(
    'run',
    'Card data must be kept for 10 days.',
    '--pin',
    'card_data.retention=5 days',
    '--pin',
    'region=EU',
  );
  expect(code).toBe(1);
  expect(stdout.split('\n').filter((line) => line.includes('conflict  '))).toEqual([
    expect.stringContaining(
      'pinned is must "card data retention = 5 d", and "literal" says must "card data retention = 10 d"',
    ),
  ]);
});

test('a pin that compares with no claim of its measure is said', async () => {
  const { code, stdout } = await called('run', 'Logs must be kept for 30 days.', '--pin', 'log.retention=30');
  expect(code).toBe(0);
  expect(stdout).toContain(
    '"log retention = 30" cannot be compared with what the request says: "log retention = 30 d"',
  );
  expect(
    (await called('run', 'Logs must be kept for 30 days.', '--pin', 'log.retention=30 days')).stdout,
  ).not.toContain('Pins beside the request');
});
