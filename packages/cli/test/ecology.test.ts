/** `assay ecology`: the worked example, its evidence, why, contracts against cases, and what is no world. */
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
import { assay, BIN, temporaryFolder } from './lib/assay.ts';
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

const applied = await called('world', 'apply', `${EXAMPLE}world.json`, `${EXAMPLE}actions.jsonl`, '-o', out);

/** The number of the printed line that holds a text. */
function recordOf(text: string): string {
  const line = applied.stdout.split('\n').find((one) => one.includes(text));
  return line?.split(' ')[0] ?? '';
}

describe('the weather market', () => {
  test('runs, its balances add up, and it verifies', async () => {
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toMatch(/auction 0: 5 bids, won by ada, ben, cid, price 40 scrip\n/);
    expect(applied.stdout).toMatch(/offer o11 bought\n/);
    expect(applied.stdout).toMatch(/^Balances +([\d.]+) scrip held of a supply of \1: it adds up\.\n/m);
    const verified = await called('verify', ledger);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/rederivation +held/);
  });

  test('its world and the worlds that are none: the published schema agrees', () => {
    const world = JSON.parse(readFileSync(`${EXAMPLE}world.json`, 'utf8')) as JsonObject;
    const [, , worldSchema = () => ''] = ECOLOGY_PUBLISHED.find(([name]) => name === 'ecology-world') ?? [];
    expect(worldSchema(world)).toBeNull();
    expect(worldSchema({ ...world, config: { mint: { slot: 1 } } })).toBe('/config/mint');
    expect(worldSchema({ artifacts: [{ id: '__proto__' }] })).toBe('/artifacts/0/id');
  });

  test('why the poor buyer was refused, in under ten lines', async () => {
    const { code, stdout } = await called('show', ledger, recordOf('pia        read'));
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThan(10);
    expect(stdout).toMatch(/paid_read allows read of weather-berlin, code [0-9a-f]{12}/);
    expect(stdout).toMatch(
      /0\.5 scrip from pia, who has 0 scrip, to seller: there is too little scrip; no one pays/,
    );
  });

  test('who paid for the griefer', async () => {
    const { stdout } = await called('show', ledger, recordOf('ada        read free-forecast'));
    expect(stdout.split('\n').length).toBeLessThan(10);
    expect(stdout).toMatch(/grief refuses read of free-forecast: the code used all its fuel/);
    expect(stdout).toMatch(/metered +\d+ µs of CPU, paid by ada/);
  });

  test('is shown and explained by its view', async () => {
    expect((await called('show', ledger)).stdout).toMatch(/^Stopped +\d+ actions done, \d+ refused/m);
    expect((await called('show', ledger)).code).toBe(0);
    const works = (await called('show', ledger, 'artifacts')).stdout;
    expect(works).toMatch(/report-ada +content +ada +ada +80 +0/);
    expect(works).toMatch(/weather-oslo +content +the world file +ben +30 +30/);
    expect((await called('show', ledger, 'balances')).stdout).toMatch(/^Balances +1225\.5 scrip held/);
    const { stderr } = await called('show', ledger, 'nothing');
    expect(stderr.match(/\bbalances\b/g)).toHaveLength(1);
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

  test('a changed line of a contract is found by diff', async () => {
    const world = readFileSync(`${EXAMPLE}world.json`, 'utf8').replaceAll(
      '"code_file": "',
      `"code_file": "../`,
    );
    for (const name of ['paid-read.js', 'grief.js', 'toll.js'])
      writeFileSync(
        join(folder, name),
        readFileSync(`${EXAMPLE}${name}`, 'utf8').replace('PRICE = 500', 'PRICE = 300'),
      );
    const path = file(world.replaceAll('../', ''));
    const other = join(folder, 'cheaper');
    await called('world', 'apply', path, `${EXAMPLE}actions.jsonl`, '-o', other);
    const { code, stdout } = await called('diff', ledger, join(other, 'run.ledger.jsonl'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/record 9: 500\n.*record 9: 300/);
  });

  test('an auction, its settlement and a sale are told in words', async () => {
    const auction = (await called('show', ledger, recordOf('auction 0: 5 bids'))).stdout;
    expect(auction).toMatch(
      /^auction +0: 5 bids for 3 slots, price 40: all winners pay the highest bid that lost\n/,
    );
    expect(auction).toMatch(/bid +cid 60 wins with report-cid\nbid +dan 40 loses, and has it back\n/);
    const settled = (await called('show', ledger, recordOf('report-cid scored'))).stdout;
    expect(settled).toMatch(/made +8 for ada: score 80 of report-ada, 10 points a scrip\n/);
    expect(settled).toMatch(/income +60 for eve: without its bid 3 had paid 40 each, shared by 2\n/);
    const sold = (await called('show', ledger, recordOf('offer o11 bought'))).stdout;
    expect(sold).toMatch(
      /moves +30 scrip from ben to seller: offer o11: weather-oslo, 20000 disk for 30 scrip\n/,
    );
  });

  test('what if there were one slot: the rows of the two pictures that differ', async () => {
    const { stdout } = await called('whatif', ledger, '--set', 'mint.slots=1');
    expect(stdout).toMatch(/note +minds were not asked again/);
    expect(stdout).toMatch(
      /record 339, auction 0 is won by ada at 80 scrip, instead of won by ada, ben, cid/,
    );
    expect(stdout).toMatch(/differs +Who worked and earned\n +eve +income 60 → 40, has 256 → 236\n/);
    expect(stdout).toMatch(/ben {2}the mint {2}price of an auction +no longer: times 1, scrip 40\n/);
    const { rows } = await calledJson('whatif', ledger, '--set', 'mint.slots=1');
    expect(rows).toContainEqual({
      panel: 'Who worked and earned',
      row: 'eve',
      was: ['income 60', 'has 256'],
      would_be: ['income 40', 'has 236'],
    });
  });

  test('a statement of account adds up; who has none is told', async () => {
    const { code, stdout } = await called('show', ledger, '--agent', 'eve');
    expect(code).toBe(0);
    expect(stdout).toMatch(/#\d+ +\+60 +256 +sys:mint +basic income of auction 0\n/);
    expect(stdout.match(/, adds up\n/g)).toHaveLength(3);
    expect(await called('show', ledger, '--agent', 'nobody')).toMatchObject({ code: 2 });
    const document = await calledJson('show', ledger, '--agent', 'pia');
    expect(document).toMatchObject({
      holder: 'pia',
      accounts: [{ resource: 'scrip', closing: 0, adds_up: true }],
    });
  });

  test('its contract holds against its cases, with fuel beside each', async () => {
    const { code, stdout } = await called('check', `${EXAMPLE}paid-read.js`, `${EXAMPLE}cases.json`);
    expect(code).toBe(0);
    expect(stdout.match(/^holds +[\d]+ fuel /gm)).toHaveLength(3);
    const changed = file(
      readFileSync(`${EXAMPLE}cases.json`, 'utf8').replace('"amount": 500', '"amount": 400'),
    );
    expect((await called('check', `${EXAMPLE}paid-read.js`, changed)).code).toBe(1);
    // What the world takes for no verdict is none here.
    const broken = file(
      `function check_permission() {
        charge('seller', 0);
        return { allowed: true, charges: [{ to: 'seller', amount: get_balance('constructor') }] };
      }`,
      'js',
    );
    const allowed = file(JSON.stringify([{ expect: { allowed: true } }]));
    expect((await called('check', broken, allowed)).stdout).toMatch(
      /^differs .*"why":"no verdict: \/charges\/0\/amount is an integer of at least 1","answer":\{"allowed":true,"charges":\[\{"to":"seller","amount":0\}\]/,
    );
    // Code finds the artifacts of its case.
    const members = file(
      `function check_permission(q) {
        const { success, result } = read('members');
        const { owner } = get_artifact_info('members') ?? { owner: 'nobody' };
        return { allowed: success && result.content.includes(q.requester_id), reason: owner };
      }`,
      'js',
    );
    const artifacts = [{ id: 'members', content: ['requester'], owner: 'ada' }];
    const found = [
      { artifacts, expect: { allowed: true, reason: 'ada' } },
      { expect: { allowed: false, reason: 'nobody' } },
    ];
    expect((await called('check', members, file(JSON.stringify(found)))).stdout).toMatch(/^holds .*\nholds /);
    const endless = file('for (;;); function check_permission() {}', 'js');
    expect((await called('check', endless, `${EXAMPLE}cases.json`)).code).toBe(1);
    // Code that broke down refuses too: a case holds only if it says so.
    const throws = file('function check_permission() { throw 1; }', 'js');
    for (const [expected, code] of [
      [{ allowed: false }, 1],
      [{ allowed: false, ended: 'threw' }, 0],
    ] as const) {
      const one = file(JSON.stringify([{ expect: expected }]));
      expect((await called('check', throws, one)).code).toBe(code);
    }
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
  test('code_file is laid beside the content; words of contracts and operators are quoted', async () => {
    writeFileSync(
      join(folder, 'beside.js'),
      `function run() { return read('tool').result.content.n; }
       function check_permission() { return { allowed: false, reason: 'paid; now free' }; }`,
    );
    const guarded = { id: 'kept', owner: 'a', content: 1, access_contract_id: 'contract' };
    const world = {
      config: { agents: { initial: ['a'] } },
      artifacts: [
        {
          id: 'tool',
          owner: 'a',
          content: { n: 7 },
          code_file: 'beside.js',
          interface: { tools: [{ name: 'go' }] },
        },
        { id: 'contract', owner: 'a', code_file: 'beside.js' },
        guarded,
      ],
    };
    const lines = [
      { agent: 'a', action: { op: 'invoke', id: 'tool', method: 'go', args: {} } },
      { agent: 'a', action: { op: 'read', id: 'kept' } },
      { operator: { op: 'stop', rationale: 'done: all 5' } },
    ];
    const path = join(folder, 'beside');
    const actions = file(lines.map((line) => JSON.stringify(line)).join('\n'), 'jsonl');
    const { stdout } = await called('world', 'apply', file(JSON.stringify(world)), actions, '-o', path);
    expect(stdout).toMatch(/tool\.go .*done 7/);
    expect(stdout).toMatch(/operator: stop: "done: all 5"/);
    const at =
      stdout
        .split('\n')
        .find((line) => line.includes('read kept'))
        ?.split(' ')[0] ?? '';
    const { stdout: why } = await called('show', join(path, 'run.ledger.jsonl'), at);
    expect(why).toMatch(/contract refuses read of kept: "paid; now free"/);
  });

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
    'world',
    'apply',
    file(BARE),
    file(lines.join('\n'), 'jsonl'),
    '-o',
    to,
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
      'world',
      'apply',
      file(BARE),
      file(text, 'jsonl'),
      '-o',
      to,
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
