/**
 * The documents of real requests: short enough to be read, complete, the same each time, and removed with
 * their run.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Blueprint } from '@assay/kernel/intent';
import { requestText as textOf } from '../../../scripts/lib/requests.mjs';
import { argv, POLL, resultsIn, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { commit, reading, recordsOf, writeLedger } from './lib/hand.ts';

const LINES_MAX = 60;
const folder = temporaryFolder();
const REQUESTS = [
  'audit-logs-and-customer-data',
  'bracket-drawing-note',
  'clinic-reminders',
  'harbour-marathon',
  'lease-amendment',
  'school-trip-baltic',
  'street-festival',
  'upload-hangs',
];

/** Decides a text, and gives its folder. */
async function decided(name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.txt`);
  writeFileSync(file, text);
  const out = join(folder, name);
  expect((await called('run', file, '-o', out)).code).toBe(0);
  return out;
}

/** The first words of a text, whole paragraphs. */
function firstWords(text: string, count: number): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if ([...kept, line].join(' ').split(/\s+/).length > count) break;
    kept.push(line);
  }
  return kept.join('\n');
}

describe('a request of 300 words is at most 60 lines', () => {
  const long = textOf('rfp-school-meals');
  test.each<readonly [name: string, text: string]>([
    ['two requests at once', `${textOf('harbour-marathon')}\n${textOf('school-trip-baltic')}`],
    ['the beginning of a request for proposals', firstWords(long, 300)],
    ['its end', firstWords(long.split('\n').reverse().join('\n'), 300).split('\n').reverse().join('\n')],
    ...REQUESTS.map((name) => [name, textOf(name)] as const),
  ])('%s', async (name, text) => {
    const out = await decided(name.replaceAll(' ', '-'), text);
    const lines = readFileSync(join(out, 'blueprint.md'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
    expect(
      readFileSync(join(out, 'verification-pack.md'), 'utf8').trimEnd().split('\n').length,
    ).toBeLessThanOrEqual(LINES_MAX);
    const blueprint = JSON.parse(readFileSync(join(out, 'blueprint.json'), 'utf8')) as Blueprint;
    // Nothing of the text disappears: what is claimed, what is asked and what nobody claimed.
    const places = [
      ...blueprint.uncovered,
      ...blueprint.questions.flatMap(({ raised_by }) => raised_by ?? []),
      ...blueprint.claims.flatMap(({ quote }) => quote ?? []),
    ];
    for (const { start, end } of places) expect(lines.join('\n')).toContain(` (${start}–${end})`);
  });
});

describe('assay show', () => {
  test('prints the documents of an intent run, and nothing else, on stdout', async () => {
    const out = await decided('shown', textOf('clinic-reminders'));
    const { code, stdout, stderr } = await called(
      ...argv`show ${join(out, 'run.ledger.jsonl')} --format markdown`,
    );
    expect(code).toBe(0);
    expect(stdout).toBe(
      `${readFileSync(join(out, 'blueprint.md'), 'utf8')}\n${readFileSync(join(out, 'verification-pack.md'), 'utf8')}`,
    );
    expect(stderr).toMatch(/assay verify/);
    expect((await called('show', join(out, 'run.ledger.jsonl'), 'records')).stdout).toMatch(
      /^ +0 {2}genesis /m,
    );
  });

  test("of a refused run, of another machine's, and of a result of another form", async () => {
    await called('run', 'It would be nice.', '-o', join(folder, 'refused'));
    expect(
      (await called('show', join(folder, 'refused', 'run.ledger.jsonl'), '--format', 'markdown')).stdout,
    ).toBe(readFileSync(join(folder, 'refused', 'refusal.md'), 'utf8'));
    expect((await called('show', POLL, '--format', 'markdown')).stdout).toMatch(/^# Decided: /);
    const odd = recordsOf('Keep it dry.', [
      {
        slot: 'a',
        source: 'human',
        proposer: 'a',
        value: [reading('dry', [commit('Keep it dry.', 'Keep it dry')])],
      },
    ]).map((record) =>
      record.kind === 'artifact'
        ? { ...record, payload: { ...(record.payload as object), content: { claims: 'none' } } }
        : record,
    );
    const { code, stdout } = await called(
      ...argv`show ${writeLedger(join(folder, 'odd.jsonl'), odd)} --format markdown`,
    );
    expect([code, stdout]).toEqual([3, '']);
  });
});

describe('assay run -o', () => {
  test('writes the same bytes twice; documents go with their run, and others stay', async () => {
    const out = await decided('twice', textOf('clinic-reminders'));
    const before = readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]);
    expect(resultsIn(out)).toEqual([
      'blueprint.json',
      'blueprint.md',
      'run.ledger.jsonl',
      'verification-pack.json',
      'verification-pack.md',
    ]);
    await decided('twice', textOf('clinic-reminders'));
    expect(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')])).toEqual(before);
  });

  test('replaces no document of somebody else', async () => {
    const out = join(folder, 'foreign');
    mkdirSync(out);
    writeFileSync(join(out, 'blueprint.md'), 'mine');
    const { code, stderr } = await called('run', 'Keep logs at least 6 months.', '-o', out);
    expect([code, stderr.startsWith('assay: exists: ')]).toEqual([2, true]);
    expect(readdirSync(out)).toEqual(['blueprint.md']);
  });
});
