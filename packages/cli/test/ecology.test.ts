/** `assay world apply`: another engine, hostile values, pipes, kills, and a run that is continued. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { ECOLOGY_PUBLISHED } from '@assay/ecology/schemas';
import { chained, encodeFile, type Draft } from '@assay/verifier/attacks';
import { argv, assay, BIN, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const EXAMPLE = fileURLToPath(new URL('../../../examples/ecology/weather-market/', import.meta.url));
const folder = temporaryFolder();
const out = join(folder, 'out');
const ledger = join(out, 'run.ledger.jsonl');
let files = 0;

function file(text: string, name = 'json'): string {
  files += 1;
  const path = join(folder, `${files}.${name}`);
  writeFileSync(path, text);
  return path;
}

await called('world', 'apply', `${EXAMPLE}world.json`, `${EXAMPLE}actions.jsonl`, '-o', out);

describe('the weather market', () => {
  test('its world and the worlds that are none: the published schema agrees', () => {
    const world = JSON.parse(readFileSync(`${EXAMPLE}world.json`, 'utf8')) as JsonObject;
    const [, , worldSchema = () => ''] = ECOLOGY_PUBLISHED.find(([name]) => name === 'ecology-world') ?? [];
    expect(worldSchema(world)).toBeNull();
    expect(worldSchema({ ...world, config: { mint: { slot: 1 } } })).toBe('/config/mint');
    expect(worldSchema({ artifacts: [{ id: '__proto__' }] })).toBe('/artifacts/0/id');
  });

  test('another engine is not ours: not checked, with what was asked for, and no pass', async () => {
    const text = readFileSync(ledger, 'utf8').replace(/fuel1#[0-9a-f]{32}/, `fuel1#${'0'.repeat(32)}`);
    const other = file(rechained(text), 'jsonl');
    const { code, stdout } = await called('verify', other);
    expect(code).toBe(4);
    expect(stdout).toMatch(/rederivation +not_checked +unknown_machine/);
    expect(JSON.stringify(await calledJson('verify', other))).toContain(`fuel1#${'0'.repeat(32)}`);
    expect((await called('show', other, '5')).code).toBe(2);
  });
});

/** The same records with every hash made anew. */
function rechained(text: string): string {
  const drafts = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Draft);
  return Buffer.from(encodeFile(chained(drafts, nativeSha256))).toString('utf8');
}

const BARE = '{"engine":null,"config":{"agents":{"initial":["a","b"]}}}';

describe('bad input', () => {
  test('actions that are none are refused on the record, and the world goes on', async () => {
    const actions = [
      { agent: 'a', action: { op: 'fly' } },
      { agent: 'a', action: pay(-1) },
      { agent: 'a', action: pay(1.5) },
      { agent: 'a', action: pay(Number.MAX_SAFE_INTEGER) },
      { agent: 'a', action: { op: 'read', id: '__proto__' } },
      { agent: 'nobody', action: { op: 'noop' } },
      { turn: Array.from({ length: 5_000 }, () => ['a', { op: 'noop' }]) },
      { score: 50, artifact_id: 'x' },
      { agent: 'a', action: pay(1) },
    ].map((line) => JSON.stringify(line));
    const { code, stdout } = await called('world', 'apply', file(BARE), file(actions.join('\n'), 'jsonl'));
    expect(code).toBe(1);
    expect(stdout.match(/INVALID_ARGS/g)).toHaveLength(4);
    for (const said of [
      'INSUFFICIENT_FUNDS',
      'NOT_FOUND',
      'rejected: bad_turn',
      'no request score ? x is open',
      'done',
    ])
      expect(stdout).toContain(said);
    expect(stdout).toMatch(/200 scrip held of a supply of 200: it adds up/);
  });
});

test('values outside the limits are rejected on the record, by name, and the world goes on', async () => {
  const big = { agent: 'a', action: { op: 'write', id: 'x', content: 'x'.repeat(4_194_304) } };
  const lines = [
    JSON.stringify(big),
    `{"agent":"a","action":${'['.repeat(100)}${']'.repeat(100)}}`,
    String.raw`{"agent":"a\ud800","action":{"op":"read","id":"\ud800"}}`,
    '{"agent":"a","action":{"op":"write","id":"a","content":1e999}}',
    '{"agent":"a","action":{"op":"noop"}}',
  ];
  const to = join(folder, 'outside');
  const { code, stdout } = await called(
    ...argv`world apply ${file(BARE)} ${file(lines.join('\n'), 'jsonl')} -o ${to}`,
  );
  expect(code).toBe(0);
  expect(stdout.match(/rejected: malformed \w+/g)).toEqual(
    ['size', 'depth', 'lone_surrogate', 'not_finite'].map((why) => `rejected: malformed ${why}`),
  );
  expect(stdout).toMatch(/noop +done/);
  expect((await called('verify', join(to, 'run.ledger.jsonl'))).code).toBe(0);
});

test('a line that is none ends the run there: what came before is stopped and written', async () => {
  const good = JSON.stringify({ agent: 'a', action: pay(1) });
  for (const bad of ['{', `{"agent":"a","action":${'['.repeat(300)}${']'.repeat(300)}}`]) {
    const to = join(folder, `cut-${bad.length}`);
    const text = `${good}\n${bad}\n${good}`;
    const { code, stdout, stderr } = await called(
      ...argv`world apply ${file(BARE)} ${file(text, 'jsonl')} -o ${to}`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(':2\n')]);
    expect(stdout.match(/done/g)).toHaveLength(1);
    expect((await called('verify', join(to, 'run.ledger.jsonl'))).code).toBe(0);
  }
});

test('a pipe is answered line by line', async () => {
  const child = spawn(process.execPath, [BIN, 'world', 'apply', file(BARE), '-']);
  const ended = once(child, 'close');
  const line = JSON.stringify({ agent: 'a', action: pay(1) });
  for (let count = 0; count < 2; count += 1) {
    const said = once(child.stdout, 'data');
    child.stdin.write(`${line}\n`);
    expect(String((await said)[0])).toMatch(/done/);
  }
  child.kill('SIGINT');
  const rest = (await child.stdout.toArray()).join('');
  expect(rest).toMatch(/200 scrip held of a supply of 200: it adds up/);
  expect((await ended)[0]).toBe(130);
});

test('what was done before a kill is kept, and the same call goes on behind it', async () => {
  const [to, world] = [join(folder, 'killed'), file(BARE)];
  const args = ['world', 'apply', world, '-', '--set', 'run_id=killed', '-o', to];
  const child = spawn(process.execPath, [BIN, ...args]);
  const ended = once(child, 'close');
  const line = JSON.stringify({ agent: 'a', action: pay(1) });
  for (let count = 0; count < 2; count += 1) {
    child.stdin.write(`${line}\n`);
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  child.kill('SIGKILL');
  await ended;
  const kept = readFileSync(join(to, 'run.ledger.jsonl'), 'utf8');
  expect(kept.split('"kind":"proposal"').length).toBeGreaterThan(1);
  const { code, stdout } = await assay(args, { input: `${line}\n${line}\n${line}\n` });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nresumed {5}after \d+ records\n/)]);
  const whole = readFileSync(join(to, 'run.ledger.jsonl'), 'utf8');
  expect(whole.startsWith(kept)).toBe(true);
  expect(whole.split('"kind":"proposal"')).toHaveLength(5);
});

function pay(amount: number): object {
  return { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args: { to: 'b', amount } };
}

test('with --json each action is a line with its whole response; what --store keeps goes on', async () => {
  const store = `file:${join(folder, 'kept')}`;
  const [world, actions] = [file(BARE), file('', 'jsonl')];
  const lines = [
    { clock: 1 },
    {
      turn: [
        ['a', pay(1)],
        ['b', { op: 'read', id: 'owner_contract' }],
        ['a', {}],
      ],
    },
  ];
  writeFileSync(actions, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { code, stdout } = await called('world', 'apply', world, actions, '--store', store, '--json');
  const told = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  expect(code).toBe(0);
  expect(told).toMatchObject([
    { line: 1, record: 3 },
    { line: 2, record: 5, agent: 'a', response: { success: true, result: null, price_paid: 0 } },
    { line: 2, agent: 'b', response: { success: true, result: { id: 'owner_contract', version: 1 } } },
    { line: 2, agent: 'a', action: {}, response: { success: false, error_code: 'INVALID_ARGS' } },
    { status: 'success' },
  ]);
  expect((await called('store', 'list', store)).stdout).toMatch(/ecology@2 .* success /);
});
