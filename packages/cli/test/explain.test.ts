/** `assay explain`: what re-derives is explained, and the command it prints has the other reading win. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyChange, rankAnswers, renderAtom, type Explanation } from '@assay/kernel/intent';
import { explainDocumentSchema, type PinnableKey } from '@assay/kernel/schemas';
import { derivedRun } from '../src/commands/explain/derived.ts';
import { readPins } from '../src/options/pins.ts';
import { shellWord } from '../src/terminal/quote.ts';
import { POLL, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { commit, reading, recordsOf, writeLedger } from './lib/hand.ts';

const folder = temporaryFolder();
const BIN = join(ROOT, 'packages', 'cli', 'bin', 'assay.mjs');
const GOLDENS = readdirSync(join(ROOT, 'golden-fixtures'))
  .filter((name) => name.startsWith('intent-'))
  // The largest takes as long as all others together.
  .filter((name) => name !== 'intent-large' || process.env['ASSAY_LANE'] === 'long')
  .map((name) => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl'));
const SEVERAL = join(ROOT, 'golden-fixtures', 'intent-several-proposers', 'ledger.jsonl');
type Place = { readonly slot: string; readonly index: number; readonly name: string };
type Suggestion = {
  readonly family: string;
  readonly flip: { readonly winner: Place };
  readonly words: readonly string[];
  readonly command: string;
  readonly wins: boolean;
};

/** The words that bash makes of a command. */
function words(command: string, shell = 'bash'): readonly string[] {
  const printed = execFileSync(shell, ['-c', `assay() { printf '%s\\0' "$@"; }\n${command}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  return printed.split('\0').slice(0, -1);
}

/** The printed line that can be pasted. */
function printed(stdout: string): string {
  return /^try {9}(.*)$/m.exec(stdout)?.[1] ?? '';
}

describe('the command it prints', () => {
  test.each(GOLDENS)('flips the winner: %s', async (ledger) => {
    const { code, stdout } = await called('explain', ledger);
    expect(code).toBe(0);
    const json = await calledJson('explain', ledger);
    const suggestion = json['suggestion'] as Suggestion | null;
    expect(printed(stdout)).toBe(suggestion?.command ?? '');
    if (suggestion === null) return;
    const [, ...args] = ['assay', ...words(printed(stdout))];
    expect(args).toEqual(suggestion.words.slice(1));
    const out = join(folder, args.at(-1) ?? '');
    const ran = await called(...args.slice(0, -1), out);
    const { winner } = suggestion.flip;
    const first = (given: unknown): Place =>
      (({ slot, index, name }: Place) => ({ slot, index, name }))(
        (given as Explanation).readings[0] as Place,
      );
    expect(winner).not.toEqual(first(json['explanation']));
    if (suggestion.wins) {
      expect(ran.code).toBe(0);
      expect(JSON.parse(readFileSync(join(out, 'blueprint.json'), 'utf8'))).toMatchObject({
        intent: { name: winner.name },
      });
    } else expect(ran.code).toBe(1);
    const verified = await calledJson('verify', join(out, 'run.ledger.jsonl'));
    expect(verified).toMatchObject({
      results: [{ checks: { integrity: { verdict: 'held' }, rederivation: { verdict: 'held' } } }],
    });
    expect(first((await calledJson('explain', join(out, 'run.ledger.jsonl')))['explanation'])).toEqual(
      winner,
    );
  });

  test('is pasted into a shell as it stands, with the command itself', async () => {
    const ledger = join(ROOT, 'golden-fixtures', 'intent-pin-veto', 'ledger.jsonl');
    const command = printed((await called('explain', ledger)).stdout);
    const text = execFileSync(
      'bash',
      ['-c', `assay() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n${command}`],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(text).toMatch(/^run-[0-9a-f]{12} {3}decided/);
    expect(text).toContain('keep-the-card');
  });

  test('obeys nothing that evidence or a file name says', async () => {
    const evil = "x'; touch pwned; $(touch pwned) `touch pwned` !! \\' \u001b[31m\n\u202e é {";
    const seed = 'Ship it to a place we can reach by train. The door must be blue.';
    const place = (value: string, quote = 'Ship it to a place we can reach by train'): never =>
      commit(seed, quote, { key: 'ship.place', op: '=', value, unit: null }) as never;
    const value = [
      reading('first', [place('Ulm'), commit(seed, 'The door must be blue')]),
      reading(`second ${evil}`.slice(0, 120), [place(evil)]),
    ];
    const inside = join(folder, evil.replaceAll('/', ''));
    mkdirSync(inside);
    const ledger = writeLedger(
      join(inside, '-out.jsonl'),
      recordsOf(seed, [{ slot: 'a', source: 'human', proposer: 'a', value }]),
    );
    const { code, stdout } = await called('explain', ledger);
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- what must not be printed
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const suggestion = (await calledJson('explain', ledger))['suggestion'] as Suggestion;
    expect(suggestion).toMatchObject({ family: 'pin', wins: true });
    expect(words(printed(stdout))).toEqual(suggestion.words.slice(1));
    expect(suggestion.words).toContain(`ship.place=${evil}`);
    expect(readdirSync(folder)).not.toContain('pwned');
    const args = suggestion.words.slice(1, -1);
    expect((await called(...args, join(folder, 'evil'))).stdout).toContain('second x');
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

describe('what is said of a reading', () => {
  test('criteria, weights, contributions, the tie, the margin; both atoms of a pin conflict, and its words', async () => {
    const { stdout } = await called(
      'explain',
      join(ROOT, 'golden-fixtures', 'intent-pin-veto', 'ledger.jsonl'),
    );
    expect(stdout).toContain('"ask-each-time" is first, and there is no other');
    expect(stdout).toMatch(
      /^ {2}coverage {6}0\.750000 of weight {2}250000 {3}brings 0\.208333 {3}\(3 of 4\)$/m,
    );
    expect(stdout).toMatch(
      /pin_conflict .*"keep the card data for the next order" says must "card_data = true", and pinned is must_not "card_data = true"$/m,
    );
    expect(stdout).toContain('(synthetic, written by hand)');
    for (const family of ['weight', 'pin', 'proposal', 'commit'])
      expect(stdout).toMatch(new RegExp(`^(?:to flip {5}| {12})${family} +\\S`, 'm'));
  });

  test('a refused run gives its reasons; a reading is vetoed with the words it fell over', async () => {
    const seed = 'Do not send the invoices by post. Archive them within 10 days.';
    const value = [
      reading('by post', [commit(seed, 'send the invoices by post')]),
      reading('twice', [
        commit(seed, 'Archive them within 10 days', {
          key: 'a.b',
          op: '<=',
          value: { n: 12, scale: 0 },
          unit: 'd',
        }),
      ]),
    ];
    const ledger = writeLedger(
      join(folder, 'vetoed.jsonl'),
      recordsOf(seed, [{ slot: 'a', source: 'synthetic', proposer: 'fixture:a', value }]),
    );
    const { code, stdout } = await called('explain', ledger);
    expect(code).toBe(0);
    expect(stdout).toMatch(/refused {3}no reading is left/);
    expect(stdout).toMatch(/^because {5}no_valid_interpretation: /m);
    expect(stdout).toMatch(
      /polarity .*claim 1 "send the invoices by post" asserts what the request only negates/,
    );
    expect(stdout).toMatch(
      /ungrounded .*claim 1 "Archive them within 10 days" has a number that cannot be read in its words/,
    );
    expect(printed(stdout)).toBe('');
  });

  test("with --json it is the kernel's explanation", async () => {
    const json = await calledJson('explain', SEVERAL);
    expect(json).toMatchObject({
      status: 'success',
      reasons: [],
      explanation: { format: 'assay-explanation/1', flips: expect.any(Object) },
    });
  });
});

describe('the document of --json', () => {
  test.each(GOLDENS)('fits its published schema: %s', async (ledger) => {
    const document = await calledJson('explain', ledger);
    expect(explainDocumentSchema.safeParse(document).error?.issues).toBeUndefined();
    expect(explainDocumentSchema.safeParse({ ...document, more: 1 }).success).toBe(false);
    for (const key of Object.keys(document))
      expect(
        explainDocumentSchema.safeParse(
          Object.fromEntries(Object.entries(document).filter(([name]) => name !== key)),
        ).success,
        key,
      ).toBe(false);
  });

  test('the goldens show every fate, a veto, a refusal, a suggestion, and a flip of each family', async () => {
    const texts = await Promise.all(
      GOLDENS.map(async (ledger) => JSON.stringify(await calledJson('explain', ledger))),
    );
    for (const part of [
      '"fate":"first"',
      '"fate":"outscored"',
      '"fate":"pruned"',
      '"code":"pin_conflict"',
      '"status":"refused"',
      '"suggestion":{',
      '"t":"weight"',
      '"t":"pin_removed"',
      '"t":"pin_added"',
      '"t":"proposal_removed"',
      '"t":"commit_removed"',
    ]) {
      expect(texts.filter((text) => text.includes(part)).length, part).toBeGreaterThan(0);
    }
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
  const lines = (stdout: string): readonly string[] =>
    stdout.split('\n').filter((line) => / --pin /.test(line) && !line.startsWith('try'));

  test('each key stands with the form of its value and an option to paste', async () => {
    const { stdout } = await called('explain', ledger);
    for (const line of [
      /it_1\.weigh_mass +amount, kg +--pin 'it_1\.weigh_mass=<= 5 kg' +the one reading says so$/m,
      /log\.retention +amount, d +--pin 'log\.retention=<= 30 d' /m,
      /no_card_data +true or false +--pin no_card_data=true /m,
      /ship\.date +date +--pin 'ship\.date=\{/m,
      /door\.colour +text +--pin door\.colour=blue /m,
      /motor\.count +number +--pin motor\.count=3 |motor\.count +number +--pin 'motor\.count=\{/m,
    ])
      expect(stdout).toMatch(line);
  });

  test('pasted all together, no listed reading is vetoed, and nothing is left to pin', async () => {
    const pasted = lines((await called('explain', ledger)).stdout)
      .map((line) => /(--pin .*?) {3}/.exec(line)?.[1] ?? '')
      .join(' ');
    const out = join(folder, 'all-pinned');
    expect((await called('run', '--from', ledger, ...words(`assay ${pasted}`), '-o', out)).code).toBe(0);
    const json = await calledJson('explain', join(out, 'run.ledger.jsonl'));
    expect(json).toMatchObject({ pinnable: [], explanation: { readings: [{ fate: 'first', vetoes: [] }] } });
  });

  test.each(GOLDENS)(
    'an option of %s is read as its value, and no reading that says so conflicts with it',
    async (golden) => {
      const run = await derivedRun(golden);
      const pinnable = (await calledJson('explain', golden))['pinnable'] as readonly PinnableKey[];
      for (const { key, value, option, says, readings } of pinnable) {
        expect(await readPins([option])).toEqual({ [key]: value });
        const { vetoed } = rankAnswers(
          applyChange(run.grounds, { t: 'pin_added', pin: { [key]: value } }),
          run.context,
        );
        for (const { slot, index } of readings) {
          // A reading that says two things of one key keeps neither pin.
          if (
            pinnable.some(
              (other) =>
                other.says !== says &&
                other.key === key &&
                other.readings.some((one) => one.slot === slot && one.index === index),
            )
          )
            continue;
          const found = vetoed.find(
            ({ candidate }) => candidate.from.slot === slot && candidate.index === index,
          );
          expect(
            found?.vetoes.filter(
              (veto) => veto.code === 'pin_conflict' && renderAtom(veto.pinned.atom).includes(key),
            ) ?? [],
          ).toEqual([]);
        }
      }
    },
  );

  test('what a reading says is shown, never obeyed, and a long list is cut', async () => {
    const seed = Array.from({ length: 14 }, (_, index) => `Item k${index} weighs ${index + 1} kg.`).join(' ');
    const commits = Array.from({ length: 14 }, (_, index) =>
      commit(seed, `Item k${index} weighs ${index + 1} kg.`, {
        key: `k${index}.mass`,
        op: '=',
        value: { n: index + 1, scale: 0 },
        unit: 'kg',
      }),
    );
    const long = writeLedger(
      join(folder, 'long.jsonl'),
      recordsOf(seed, [
        { slot: 'a', source: 'human', proposer: 'a', value: [reading('\u001b[31m', commits)] },
      ]),
    );
    const { stdout } = await called('explain', long);
    expect(lines(stdout)).toHaveLength(12);
    expect(stdout).toContain('            and 2 more: --json lists them all');
    expect((await calledJson('explain', long))['pinnable']).toHaveLength(14);
    // oxlint-disable-next-line no-control-regex -- what must not be printed
    expect(stdout).not.toMatch(/\u001b/);
  });
});

test('the two counts of coverage are told apart', async () => {
  expect((await called('explain', SEVERAL)).stdout).toMatch(
    /^two counts {2}coverage scores what claims take up, .*; covered counts what claims quote, .*blueprint/m,
  );
});

describe('what does not re-derive is not explained', () => {
  test.each([
    ['edit', 3, 'payload_hash'],
    ['rehash', 3, 'differs'],
    ['truncate', 2, 'run_open'],
  ])('a ledger after the attack %s: exit %d, %s', async (attack, code, word) => {
    const forged = join(folder, `${attack}.jsonl`);
    await called('tamper', SEVERAL, '--attack', attack, '-o', forged);
    for (const args of [
      ['explain', forged],
      ['run', '--from', forged],
    ]) {
      const ended = await called(...args);
      expect([ended.code, ended.stdout]).toEqual([code, '']);
      expect(ended.stderr).toMatch(new RegExp(`^assay: ${word}: .+\\n {2}place {3}.+\\n {2}remedy {2}.+`));
    }
  });

  test("another machine's ledger is shown by its view; no ledger", async () => {
    expect(await called('explain', POLL)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Votes') as unknown,
    });
    expect((await called('explain', join(folder, 'none'))).code).toBe(2);
  });
});

test('a controller run whose work left its plan: the calls that ended it are named, with the breach', async () => {
  const { code, stdout } = await called(
    'explain',
    join(ROOT, 'golden-fixtures', 'controller-undeclared', 'ledger.jsonl'),
  );
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.startsWith('stopped at'))).toEqual([
    'stopped at  write_file: undeclared_target_used: {"content":"x","path":"notes.md"} → done',
    'stopped at  shell: undeclared_target_used: tee notes.md → done',
  ]);
});
