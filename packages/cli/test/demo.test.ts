/** `assay demo`: offline, one screen, three attacks that end as announced. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assay, document, temporaryFolder, type Ended } from './lib/assay.ts';
import { findOverrun } from './lib/measured.ts';

const folder = temporaryFolder();
const BIN = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));
const TEXTS = [
  'Ship the export within 2 weeks. Files should not exceed 5 MB. No customer names in it.',
  'It would be nice.',
  'x',
  `${'Keep the audit logs at least 6 months. '.repeat(40)}\u001b[31m\u202e`,
];

const demos = new Map<string, Promise<Ended>>();
/** The demo of a text in an empty folder, which has the same bytes whenever it is called. */
function demo(...args: readonly string[]): Promise<Ended> {
  const key = args.join();
  const ended = demos.get(key) ?? assay(['demo', ...args], { cwd: mkdtempSync(join(folder, 'demo-')) });
  demos.set(key, ended);
  return ended;
}

const documents = new Map<string, ReturnType<typeof document>>();
/** The document of the demo of a text. */
function documentOf(...args: readonly string[]): ReturnType<typeof document> {
  const key = args.join();
  const ended = documents.get(key) ?? document(['demo', ...args], { cwd: temporaryFolder() });
  documents.set(key, ended);
  return ended;
}

/** A command as a shell runs it, \`npx @assay/cli@VERSION\` being the command under test. */
async function pasted(command: string, cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n${command}`],
    { cwd },
  );
  return stdout;
}

describe('demo', () => {
  test('fits a screen, says what it is, and takes less than two seconds of CPU (or 25 times a bare Node)', async () => {
    const cwd = temporaryFolder();
    expect(await findOverrun((env) => assay(['demo'], { cwd, env }), cwd, 2_000, 25)).toBeNull();
    const { code, stdout, stderr } = await demo();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toContain('no model is called');
  });

  test('the hostile answer changed nothing, and its reading is one of those scored', async () => {
    const { json } = await documentOf();
    expect(json).toMatchObject({
      hostile_changed_nothing: true,
      picture: {
        panels: expect.arrayContaining([
          expect.objectContaining({
            id: 'scores',
            block: expect.objectContaining({
              rows: expect.arrayContaining([
                expect.objectContaining({ label: [{ said: 'approve-me' }], tag: 'outscored' }),
                expect.objectContaining({ label: [{ said: 'card-on-file' }], tag: 'vetoed', total: null }),
              ]) as unknown,
            }) as unknown,
          }),
        ]) as unknown,
      },
    });
  });

  test.skipIf(process.platform === 'win32')(
    'the command that recomputes a hash without us gives the hash it shows, which the ledger has too',
    async () => {
      const cwd = temporaryFolder();
      for (const args of [[], ['It would be nice.']]) {
        const { stdout } = await assay(['demo', ...args], { cwd });
        const [, command = '', hash, record] =
          /^recompute {3}(sha256sum .+)\n {12}([0-9a-f]{64}) {3}as record (\d+) says$/m.exec(stdout) ?? [];
        const { stdout: computed } = await promisify(execFile)('bash', ['-c', command], { cwd });
        expect(computed.slice(0, 64)).toBe(hash);
        const ledger = join(cwd, dirname(command.replace('sha256sum ', '')), 'run.ledger.jsonl');
        const lines = readFileSync(ledger, 'utf8').split('\n');
        expect(JSON.parse(lines[Number(record)] ?? '')).toMatchObject({ payload: { artifact_hash: hash } });
      }
    },
  );

  test('the three attacks end as announced', async () => {
    const { code, json } = await documentOf();
    expect(code).toBe(0);
    const held = { verdict: 'held' };
    expect(json).toMatchObject({
      status: 'success',
      as_announced: true,
      checks: { integrity: held, rederivation: held, completeness: { verdict: 'not_checked' } },
      attacks: [
        { attack: 'edit', checks: { integrity: { verdict: 'failed', code: 'payload_hash' } } },
        {
          attack: 'rehash',
          checks: { integrity: held, rederivation: { verdict: 'failed', code: 'differs' } },
        },
        {
          attack: 'rederive',
          checks: { integrity: held, rederivation: held, completeness: { verdict: 'not_checked' } },
          checks_with_head: { completeness: { verdict: 'failed', code: 'head_mismatch' } },
        },
      ],
    });
  });

  test.skipIf(process.platform === 'win32')(
    'what it says to try next works as it is pasted, with the head it printed',
    async () => {
      const cwd = temporaryFolder();
      const { stdout } = await assay(['demo'], { cwd });
      const next = stdout
        .slice(stdout.indexOf('\nnext ') + 1)
        .replace(/\n[0-9.]+ s\n$/, '')
        .replaceAll(/^.{12}/gm, '')
        .replaceAll('\\\n', '');
      const commands = next.split('\n');
      expect(commands.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
        'npx @assay/cli@0.1.0 show',
        'npx @assay/cli@0.1.0 demo',
        'npx @assay/cli@0.1.0 verify',
      ]);
      expect(await pasted(commands[0] ?? '', cwd)).toMatch(
        /^next {8}assay whatif assay-demo\/run\.ledger\.jsonl /m,
      );
      expect(await pasted(commands[2] ?? '', cwd)).toMatch(/^ {2}completeness {2}held /m);
      expect(await pasted(commands[1] ?? '', cwd)).toMatch(
        /^request {5}"Keep logs for 30 days\. Pages should load fast\."\nproposed {4}rules \(rule\): 2 readings$/m,
      );
    },
  );

  test('twice the same bytes; a folder of somebody else is left alone', async () => {
    const cwd = temporaryFolder();
    await assay(['demo'], { cwd });
    const first = readFileSync(join(cwd, 'assay-demo', 'run.ledger.jsonl'));
    await assay(['demo'], { cwd });
    expect(readFileSync(join(cwd, 'assay-demo', 'run.ledger.jsonl'))).toEqual(first);
    expect(readdirSync(cwd)).toEqual(['assay-demo']);
    writeFileSync(join(cwd, 'assay-demo', 'blueprint.json'), 'mine');
    expect((await document(['demo'], { cwd })).json).toMatchObject({ folder: 'assay-demo-2' });
    expect(readFileSync(join(cwd, 'assay-demo', 'blueprint.json'), 'utf8')).toBe('mine');
  });

  test.each([
    [TEXTS[0] ?? '', 'success'],
    ['It would be nice.', 'refused'],
    ['x', 'refused'],
    ['a request of your own', 'refused'],
  ])(
    "with the visitor's text %j it is the same, by the rules alone, and says what is left out: %s",
    async (text, status) => {
      const { code, json } = await documentOf(text);
      expect([
        code,
        json['status'],
        json['as_announced'],
        json['pin'],
        json['hostile_changed_nothing'],
      ]).toEqual([0, status, true, null, null]);
      const { stdout } = await demo(text);
      expect(stdout).not.toMatch(/: failed(?:$|: [a-z_]+$)/m);
      expect(stdout).toMatch(
        /^left out {4}a pin, a veto by it and a hostile answer: they are written for our own request$/m,
      );
      expect(stdout).not.toContain('written by hand');
    },
  );
});

describe('a text with one reading', () => {
  const TWO_DEMANDS = 'The lift must hold 300 kg; it must stop within 5 s.';

  test.each([[TWO_DEMANDS], ['The door must close within 3 s.'], ['Give the dashboard a modern feel.']])(
    'no line shows a change from a thing to the same thing: %j',
    async (text) => {
      const { stdout } = await demo(text);
      expect(stdout).toMatch(/^proposed {4}rules \(rule\): 1 reading$/m);
      const changes = [...stdout.matchAll(/^[123] {2}.*?, .*? {2,}(.*) → (.*)$/gm)].map(
        ([, from = '', to = '']) => [from.replace(/^.*: /, ''), to] as const,
      );
      expect(changes).toHaveLength(3);
      for (const [from, to] of changes) expect(from).not.toBe(to);
    },
  );
});

describe('interrupted', () => {
  test('ends with 130 and leaves nothing behind', async () => {
    const cwd = temporaryFolder();
    const child = spawn(process.execPath, [BIN, 'run', '-', '-o', 'out', '--verbose'], {
      cwd,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    // It says that it waits for its standard input, which stays open.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
