/** `--machine FILE`: a user's own machine and view, and what is said of a module that is none. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, FORGERIES, POLL, ROOT, spawned, temporaryFolder } from './lib/assay.js';

const folder = temporaryFolder();
mkdirSync(folder, { recursive: true });
const dist = (name: string): string =>
  JSON.stringify(new URL(`../../testing/dist/machines/${name}.js`, import.meta.url).href);
const IMPORTS = `import { tally } from ${dist('tally')};\nimport { tallyView } from ${dist('tally-view')};\n`;
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `${IMPORTS}${text}`);
  return path;
};
/** A poll that version 99 of the machine wrote: nobody but the user has it. */
const OWN = join(FORGERIES, 'unknown-machine-version', 'ledger.jsonl');
const mine = write(
  'mine.mjs',
  `export const machines = [{ ...tally, version: 99 }];
export const views = [{ ...tallyView, versions: [99], show: (fold, state) => ({ ...tallyView.show(fold, ` +
    `state), verdict: 'Mine' }) }];`,
);

test('what a module keeps goes from no ledger to another, whatever ASSAY_THREADS says', async () => {
  // Keeps, across its own import, which runs it has seen, and decides otherwise after a second one.
  writeFileSync(join(folder, 'kept.mjs'), 'export const seen = globalThis.seen ??= new Set();');
  const path = write(
    'keeps.mjs',
    `import { seen } from './kept.mjs';
export const machines = [{ ...tally, open: (genesis, context) => {
  const opened = tally.open(genesis, context);
  seen.add(context.run_id);
  return seen.size < 2 ? opened : { _tag: 'Left', left: { code: 'seen_another', detail: null } }; } }];`,
  );
  const golden = (name: string): string => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl');
  const ledgers = [golden('tally-success'), golden('tally-refused')];
  const given = ['--machine', path];
  for (const workers of ['1', '2'])
    expect((await assay(['verify', ...ledgers, ...given], { env: { ASSAY_THREADS: workers } })).code).toBe(0);
  expect((await assay(['impact', ...ledgers, ...given])).code).toBe(0);
  const runs = join(folder, 'kept');
  mkdirSync(runs);
  for (const [n, ledger] of ledgers.entries()) cpSync(ledger, join(runs, `${n}.ledger.jsonl`));
  expect((await assay(['test', runs, ...given])).code).toBe(0);
});

describe('a machine and a view of the user', () => {
  test('show draws its picture', async () => {
    const explained = await assay(['show', OWN, '--machine', mine]);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toMatch(/^poll {3}tally v99 .*, recomputed\nMine {3}3 of 2 ballots needed\n/);
    expect(explained.stdout).toContain('next        assay verify ');
    const json = JSON.parse((await assay(['show', OWN, '--machine', mine, '--json'])).stdout) as unknown;
    expect(json).toMatchObject({
      run_id: 'poll',
      outcome: 'success',
      picture: { verdict: 'Mine', panels: [{ id: 'votes' }, { id: 'ballots' }] },
      knobs: [{ id: 'quorum', at: 2 }],
      next: [['assay', 'verify', OWN, '--machine', mine]],
    });
    const shown = await assay(['show', OWN, '--machine', mine, '--format', 'markdown']);
    expect([shown.code, shown.stdout.split('\n')[0]]).toEqual([0, '# Mine: 3 of 2 ballots needed']);
    const forged = ['tamper', OWN, 'rehash', '-o', join(folder, 'forged.jsonl')];
    expect((await assay([...forged, '--machine', mine])).stdout).toMatch(
      /^try it: .* --machine \S+mine\.mjs$/m,
    );
    expect((await assay(['verify', OWN, '--machine', mine])).code).toBe(0);
    const asked = await assay(['whatif', OWN, '--set', 'quorum=1', '--machine', mine]);
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringMatching(/^would be {4}Mine /m)]);
  });

  test('without a view the ledger has its own pictures: verdicts and records', async () => {
    const blind = write('blind.mjs', 'export const machines = [{ ...tally, version: 99 }];');
    const { code, stdout, stderr } = await assay(['show', OWN, '--machine', blind]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/rederivation +held[^]*poll {3}tally v99[^]*close +success/);
    expect(stderr).toContain('export const views');
    // Of a machine that is not at hand nothing is derived again.
    expect(await assay(['show', OWN])).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/unknown_machine[^]*close +success/) as unknown,
    });
  });
});

test('a module with another version only, and a machine that changed, are told of', async () => {
  const changed = write(
    'changed.mjs',
    'export const machines = [{ ...tally, evolve: (state) => state }, { ...tally, version: 2 }];\n' +
      'export const views = [tallyView];',
  );
  const other = await assay(['verify', OWN, '--machine', changed]);
  expect([other.code, other.stdout + other.stderr]).toEqual([
    4,
    expect.stringContaining('this module has tally@1, tally@2; the ledger is of tally@99'),
  ]);
  const differs = await assay(['verify', POLL, '--machine', changed]);
  expect([differs.code, differs.stdout + differs.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('your machine changed: raise its version'),
  ]);
  const explained = await assay(['show', POLL, '--machine', changed]);
  expect(explained.stderr).toContain('your machine changed: raise its version');
  const ours = await assay(['verify', join(FORGERIES, 'controller-loss-lowered', 'ledger.jsonl')]);
  expect(ours.stdout + ours.stderr).not.toContain('your machine');
});

/** Pictures that no one can draw, and where they are wrong. */
const WRONG = [
  ['no-verdict.mjs', 'verdict: undefined', 'show().verdict: '],
  ['no-panels.mjs', 'panels: undefined', 'show().panels: '],
  ['no-block.mjs', panels("{ t: 'pie' }"), 'show().panels[0].block: '],
  [
    'no-cell.mjs',
    panels("{ t: 'table', columns: ['a'], rows: [{ record: null, tone: 'plain', cells: ['a', 1] }] }"),
    'show().panels[0].block.rows[0].cells[1]: ',
  ],
] as const;

function panels(block: string): string {
  return `panels: [{ id: 'p', title: 'P', says: '', page: 'result', left_out: 0, block: ${block} }]`;
}

test('nothing that a view says acts on a terminal or in Markdown', async () => {
  const evil = '\\u001b[2J<b>|';
  const value = `{ n: 1, unit: 'micro:${evil}', exact: '${evil}' }`;
  const amount = `{ record: null, name: '${evil}', tone: 'plain', value: ${value} }`;
  const path = write(
    'evil.mjs',
    `export const machines = [tally]; export const views = [{ ...tallyView, show: (fold, state) => ({ ` +
      `...tallyView.show(fold, state), verdict: '${evil}', ${panels(`{ t: 'facts', rows: [${amount}] }`)} }) }];`,
  );
  const [drawn, document] = [
    (await assay(['show', POLL, '--machine', path])).stdout,
    (await assay(['show', POLL, '--machine', path, '--format', 'markdown'])).stdout,
  ];
  expect(drawn.match(/\\u\{1b\}\[2J/g)).toHaveLength(4);
  expect(document.match(/\\u\{1b\}&#91;2J&#60;b&#62;&#124;/g)).toHaveLength(4);
  expect(drawn + document).not.toContain('\u001b');
});

describe('a module that will not do', () => {
  test.each<readonly [string, string, string, string, string]>([
    [
      'no-views.mjs',
      'export const machines = [tally]; export const views = 1;',
      POLL,
      'machine_file',
      'not a list',
    ],
    [
      'a-view.mjs',
      'export const machines = [tally]; export const views = [{}];',
      POLL,
      'machine_file',
      'not a view',
    ],
    ['nothing.mjs', '', POLL, 'machine_file', 'list of machines'],
    ['other.mjs', 'export const machines = [{ ...tally, name: "other" }];', POLL, 'other_machine', 'other@1'],
    [
      'throws.mjs',
      'export const machines = [{ ...tally, decide: () => { throw new Error("no luck"); } }]; ' +
        'export const views = [tallyView];',
      POLL,
      'machine_file',
      'no luck',
    ],
    [
      'throwing-view.mjs',
      'export const machines = [tally]; export const views = [{ ...tallyView, show: () => { ' +
        'throw new Error("no luck"); } }];',
      POLL,
      'machine_file',
      'no luck',
    ],
    [
      'no-picture.mjs',
      'export const machines = [tally]; export const views = [{ ...tallyView, show: () => null }];',
      POLL,
      'machine_file',
      'show(): ',
    ],
    ...WRONG.map(
      ([name, part, place]) =>
        [
          name,
          `export const machines = [tally]; export const views = [{ ...tallyView, show: (fold, state) => ` +
            `({ ...tallyView.show(fold, state), ${part} }) }];`,
          POLL,
          'machine_file',
          place,
        ] as const,
    ),
    [
      'unsteady.mjs',
      'let calls = 0; export const machines = [{ ...tally, decide: (...given) => { calls += 1; ' +
        'const made = tally.decide(...given); return made._tag === "Left" ? made : { ...made, ' +
        'right: { ...made.right, events: [...made.right.events, { t: "noted", text: ' +
        'String(calls), node: null }] } }; } }];',
      POLL,
      'machine_file',
      'decides differently the second time',
    ],
    [
      'promised.mjs',
      'export const machines = [{ ...tally, decide: async () => null }]; export const views = [tallyView];',
      POLL,
      'machine_file',
      'decide() returns no result',
    ],
    [
      'random-parse.mjs',
      'let calls = 0; export const machines = [{ ...tally, parse: (...given) => (calls += 1) % 2 === 0 ? ' +
        '{ _tag: "Left", left: { code: "odd", detail: null } } : tally.parse(...given) }]; ' +
        'export const views = [tallyView];',
      POLL,
      'machine_file',
      'parse() decides differently the second time',
    ],
    [
      'ours.mjs',
      `import { intent } from ${JSON.stringify(new URL('../../kernel/dist/intent/index.js', import.meta.url).href)}; ` +
        'export const machines = [{ ...intent, open: intent.open }];',
      POLL,
      'machine_file',
      'intent@1 is a machine of Assay',
    ],
  ])('%s: a code, the file, and what to export', async (name, text, ledger, word, message) => {
    const path = write(name, text);
    for (const [command, ...more] of [['show'], ['whatif', '--set', 'quorum=1']] as const) {
      const { code, stdout, stderr } = await assay([command, ledger, ...more, '--machine', path]);
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^assay: ${word}: `));
      expect(stderr).toContain(message);
      expect(stderr).toContain(path);
      expect(stderr).toMatch(/remedy/);
    }
  });

  test('a machine of a class is taken with what its class has', async () => {
    const path = write(
      'class.mjs',
      'class Poll { get name() { return "tally"; } get version() { return 1; } open(...given) { return ' +
        'tally.open(...given); } parse(...given) { return tally.parse(...given); } decide(...given) { return ' +
        'tally.decide(...given); } evolve(...given) { return tally.evolve(...given); } encode(state) { return ' +
        'tally.encode(state); } decode(json) { return tally.decode(json); } } ' +
        'export const machines = [new Poll()];',
    );
    expect((await assay(['verify', POLL, '--machine', path])).code).toBe(0);
  });

  test('a module that ends the process is no success', async () => {
    const path = write('leaves.mjs', 'process.exit(0); export const machines = [tally];');
    expect((await spawned(['verify', POLL, '--machine', path])).code).toBe(70);
  });

  test.each([
    ['unsteady.mjs', 'decides differently the second time'],
    ['throws.mjs', 'no luck'],
  ])('verify and test tell of %s', async (name, said) => {
    const path = join(folder, name);
    const runs = join(folder, `runs-of-${name}`);
    mkdirSync(runs);
    cpSync(POLL, join(runs, 'poll.ledger.jsonl'));
    for (const [command = '', given = ''] of [
      ['verify', POLL],
      ['test', runs],
    ])
      expect(await assay([command, given, '--machine', path])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(said) as unknown,
      });
  });
});
