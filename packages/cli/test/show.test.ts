/** `assay show`: what re-derives is drawn as its machine shows it, with commands to paste. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainDocumentSchema, type ExplainDocument } from '@assay/kernel/schemas';
import { shellWord } from '../src/terminal/shown.ts';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { commit, reading, recordsOf, writeLedger } from './lib/hand.ts';

const folder = temporaryFolder();
const FIXTURES = join(ROOT, 'golden-fixtures');
const GOLDENS = readdirSync(FIXTURES)
  .filter((name) => /^(?:intent|controller|memory)-/.test(name))
  // The largest takes as long as all others together.
  .filter((name) => name !== 'intent-large' || process.env['ASSAY_LANE'] === 'long')
  .map((name) => join(FIXTURES, name, 'ledger.jsonl'));
const SEVERAL = join(FIXTURES, 'intent-several-proposers', 'ledger.jsonl');

/** The words that bash makes of a command. */
function words(command: string, shell = 'bash'): readonly string[] {
  const printed = execFileSync(shell, ['-c', `assay() { printf '%s\\0' "$@"; }\n${command}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  return printed.split('\0').slice(0, -1);
}

async function explained(ledger: string): Promise<ExplainDocument> {
  return (await calledJson('show', ledger)) as unknown as ExplainDocument;
}

/** The commands that can be pasted, as printed. */
function printed(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^next {8}(.*)$/gm)].map(([, command = '']) => command);
}

describe('the document of --json', () => {
  test('fits its published schema, of every machine; a field more or less does not', async () => {
    // Each machine has more than four runs.
    for (const ledger of GOLDENS.filter((_, index) => index % 4 === 0)) {
      const document = await explained(ledger);
      expect(explainDocumentSchema(document), ledger).toBeNull();
      expect(explainDocumentSchema({ ...document, more: 1 }) === null).toBe(false);
      for (const key of Object.keys(document)) {
        const others = Object.entries(document).filter(([name]) => name !== key);
        expect(explainDocumentSchema(Object.fromEntries(others)), key).not.toBeNull();
      }
    }
  });
});

describe('the commands it prints', () => {
  test('are those of the document, and bash reads them as they are', async () => {
    for (const name of ['intent-several-proposers', 'intent-pin-veto', 'controller-c2-loss']) {
      const ledger = join(FIXTURES, name, 'ledger.jsonl');
      const { next } = await explained(ledger);
      const commands = printed((await called('show', ledger)).stdout);
      expect(commands.map((command) => ['assay', ...words(command)])).toEqual(next);
      expect(next.length, name).toBeGreaterThan(1);
    }
  });

  test('obey nothing that evidence or a file name says', async () => {
    const evil = "x'; touch pwned; $(touch pwned) `touch pwned` !! \\' \u001b[31m\n\u202e é {";
    const seed = 'Ship it to a place we can reach by train. The door must be blue.';
    const place = (value: string, quote = 'Ship it to a place we can reach by train'): never =>
      commit(seed, quote, { key: 'ship.place', op: '=', value, unit: null }) as never;
    const value = [
      reading('first', [
        place('Ulm'),
        commit(seed, 'The door must be blue', { key: 'door.blue', op: '=', value: true, unit: null }),
      ]),
      reading(`second ${evil}`.slice(0, 120), [place(evil)]),
    ];
    const inside = join(folder, evil.replaceAll('/', ''));
    mkdirSync(inside);
    const ledger = writeLedger(
      join(inside, '-out.jsonl'),
      recordsOf(seed, [{ slot: 'a', source: 'human', proposer: 'a', value }]),
    );
    const { code, stdout } = await called('show', ledger);
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- what must not be printed
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const { next } = await explained(ledger);
    expect(printed(stdout).map((command) => ['assay', ...words(command)])).toEqual(next);
    expect(next.flat()).toContain(`input.pin.ship.place=${evil}`);
    expect(readdirSync(folder)).not.toContain('pwned');
  });

  test.each([
    ['plain'],
    [''],
    ['a b'],
    ["it's"],
    ['$HOME'],
    ['`x`'],
    ['!!'],
    ['\\'],
    ['\\n'],
    ['a\nb'],
    ['\u001b[2J'],
    ['\u202e'],
    ['\u{e0041}'],
    ['~'],
    ['*'],
    ['=x'],
    ['{a,b}'],
    ['é 😀'],
    ["\u001bf'0"],
    ['#x'],
    ['%s'],
  ])('a word is quoted for bash: %j', (word) => {
    expect(words(`assay ${shellWord(word)}`)).toEqual([word]);
  });
});

describe('what can be pinned', () => {
  const SEED =
    'The scale weighs at most 5 kg. Never keep logs longer than 30 days. Do not store card ' +
    'data. Ship by 2026-05-04. The door is blue. Use 3 motors.';
  const value = [
    reading('first', [
      commit(SEED, 'The scale weighs at most 5 kg', {
        key: 'it_1.weigh_mass',
        op: '<=',
        value: { n: 5, scale: 0 },
        unit: 'kg',
      }),
      commit(
        SEED,
        'Never keep logs longer than 30 days',
        { key: 'log.retention', op: '>', value: { n: 30, scale: 0 }, unit: 'd' },
        'must_not',
      ),
      commit(
        SEED,
        'Do not store card data',
        { key: 'card_data', op: '=', value: true, unit: null },
        'must_not',
      ),
      commit(SEED, 'Ship by 2026-05-04', { key: 'ship.date', op: '<=', value: '2026-05-04', unit: 'date' }),
      commit(SEED, 'The door is blue', { key: 'door.colour', op: '=', value: 'blue', unit: null }, 'should'),
      commit(SEED, 'Use 3 motors', { key: 'motor.count', op: '=', value: { n: 3, scale: 0 }, unit: null }),
    ]),
  ];
  const ledger = writeLedger(
    join(folder, 'pinnable.jsonl'),
    recordsOf(SEED, [{ slot: 'a', source: 'human', proposer: 'a', value }]),
  );

  test('each key stands with the form of its value; all of them are taken together', async () => {
    const block = async (path: string): Promise<readonly (readonly unknown[])[]> => {
      const found = (await explained(path)).picture.panels.find(({ id }) => id === 'pins')?.block;
      return found?.t === 'table' ? found.rows.map(({ cells }) => cells) : [];
    };
    const rows = await block(ledger);
    const said = (cell: unknown): string => (cell as readonly { readonly said: string }[])[0]?.said ?? '';
    expect(rows.map(([key, form]) => [said(key), form])).toEqual(
      [
        ['no_card_data', 'true or false'],
        ['door.colour', 'text'],
        ['it_1.weigh_mass', 'amount, kg'],
        ['log.retention', 'amount, d'],
        ['motor.count', 'number'],
        ['ship.date', 'date'],
      ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
    const pins = rows.flatMap(([, , written]) => ['--pin', said(written)]);
    expect(await calledJson('run', SEED, ...pins)).toMatchObject({ status: 'success' });
  });
});

describe('what does not re-derive is not explained', () => {
  test.each([
    ['edit', 3, 'payload_hash'],
    ['rehash', 3, 'differs'],
  ])('a ledger after the attack %s: exit %d, %s', async (attack, code, word) => {
    const forged = join(folder, `${attack}.jsonl`);
    await called('tamper', SEVERAL, attack, '-o', forged);
    const ended = await called('show', forged);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(new RegExp(`^assay: ${word}: .+\\n {2}place {3}.+\\n {2}remedy {2}.+`));
  });
});

test('an open run is shown as far as it goes', async () => {
  const open = join(folder, 'open.jsonl');
  await called('tamper', SEVERAL, 'truncate', '-o', open);
  expect(await explained(open)).toMatchObject({ outcome: null, next: [] });
});
