/**
 * Language models behind the command: decided, verified, recorded and given again; what is wrong is told, and
 * nothing is lost.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scripted, type Scripted, type Step } from '../../models/test/tools/scripted-server.ts';
import { commit, LITERAL, reading, REQUEST, said } from '../../models/test/tools/synthetic.ts';
import { plain } from '../src/terminal/shown.ts';
import { resumeLine } from '../src/start/start.ts';
import { argv, assay, temporaryFolder, lackingPackage } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { calledWith, CANARY, envOf, named, WIRES } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = temporaryFolder();
const servers: Scripted[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});
const serve = async (...args: Parameters<typeof scripted>): Promise<Scripted> => {
  const server = await scripted(...args);
  servers.push(server);
  return server;
};
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const ledgerIn = (out: string): string => readFileSync(join(out, 'run.ledger.jsonl'), 'utf8');
type Payload = Readonly<Record<string, unknown>>;
const payloads = (text: string, kind: string): readonly Payload[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const record = JSON.parse(line) as { readonly kind: string; readonly payload: Payload };
      return record.kind === kind ? [record.payload] : [];
    });
/** Verified by a process of its own that can open no socket. */
async function requireVerified(out: string, head: string): Promise<void> {
  const { code, stdout } = await assay(['verify', join(out, 'run.ledger.jsonl'), '--head', head]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/integrity +held[\s\S]*rederivation +held[\s\S]*completeness +held/),
  ]);
}
const headIn = (stdout: string): string => /^head +(assay-head:\S+)$/m.exec(stdout)?.[1] ?? '';

describe.skipIf(!hasLoopback)('the same request, decided', () => {
  test.each(WIRES)('by a model of %s; then recorded, and given again with the network cut', async (wire) => {
    const server = await serve(wire, [{ text: said() }]);
    const [out, again, recording] = [at(`${wire}-live`), at(`${wire}-again`), at(`${wire}.json`)];
    const { code, stdout } = await calledWith(
      envOf(server.url),
      ...argv`run ${REQUEST} --proposer ${named(wire, server.url)} -o ${out}`,
    );
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`"llm:${wire}/synthetic" +live_model +1$`, 'm')),
    ]);
    await requireVerified(out, headIn(stdout));

    const recorded = await assay(['record', join(out, 'run.ledger.jsonl'), '-o', recording]);
    expect([recorded.code, recorded.stdout]).toEqual([0, expect.stringMatching(/recorded {3}llm$/m)]);
    await server.close();
    const replay = ['run', REQUEST, '--set', 'run_id=again', '--proposer', `recorded:${recording}`, '-o'];
    const replayed = await assay([...replay, again]);
    expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringMatching(/ recorded_model +1$/m)]);
    await requireVerified(again, headIn(replayed.stdout));
    // Who said it stands in the blueprint; what is to be shown is the same.
    const checks = (place: string): unknown =>
      (
        JSON.parse(readFileSync(join(place, 'verification-pack.json'), 'utf8')) as {
          readonly checks: unknown;
        }
      ).checks;
    expect(checks(again)).toEqual(checks(out));
    expect(payloads(ledgerIn(again), 'proposal')[0]).toMatchObject({
      source: 'recorded_model',
      proposer: `llm:${wire}/synthetic`,
      provenance: { raw_response: said(), model_asked: 'synthetic' },
    });
    const twice = await assay([...replay, at(`${wire}-twice`)]);
    expect([twice.code, ledgerIn(at(`${wire}-twice`))]).toEqual([0, ledgerIn(again)]);

    const changed = await assay(['run', `${REQUEST} Thanks.`, '--proposer', `recorded:${recording}`]);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^assay: recording_miss: .*first difference at \/body\/seed_text: asked .*Thanks/m,
      ),
    ]);
  });
});

describe.skipIf(!hasLoopback)('an ensemble', () => {
  const SECOND = said([
    reading('other', [
      commit('Keep audit logs for 90 days', { key: 'audit_logs.retention', op: '>=', value: 90, unit: 'd' }),
    ]),
  ]);
  const two = async (one: readonly Step[], other: readonly Step[]): Promise<readonly string[]> => {
    const [a, b] = [await serve('compatible', one), await serve('compatible', other)];
    return ['--proposer', named('compatible', a.url, 'one'), '--proposer', named('compatible', b.url, 'two')];
  };

  test('of two models: each has its slot, and how far they agree is scored by the kernel', async () => {
    const out = at('ensemble');
    const { code } = await calledWith(
      {},
      ...argv`run ${REQUEST} ${await two([{ text: said() }], [{ text: SECOND }])} -o ${out}`,
    );
    expect(code).toBe(0);
    expect(payloads(ledgerIn(out), 'genesis')[0]).toMatchObject({ policy: { proposers: ['llm', 'llm-2'] } });
    const { stdout } = await called('show', join(out, 'run.ledger.jsonl'));
    expect(stdout.match(/agreement +0\.500000/g)).toHaveLength(2);

    // A recording of two slots answers both.
    await called('record', join(out, 'run.ledger.jsonl'), '-o', at('ensemble.json'));
    const replayed = await assay(['run', REQUEST, '--proposer', `recorded:${at('ensemble.json')}`]);
    expect([replayed.code, replayed.stdout]).toEqual([
      0,
      expect.stringMatching(/compatible\/one" +recorded_model +1\n.*compatible\/two" +recorded_model +1$/m),
    ]);
  });

  test.each([
    [1, 0, 'one that fails is tolerated'],
    [2, 5, 'one that fails is one too few'],
  ])('with min_proposals %i, exit %i: %s', async (min_proposals, exit) => {
    const policy = at(`min-${min_proposals}.json`);
    writeFileSync(policy, JSON.stringify({ min_proposals, proposers: ['first', 'second'] }));
    const { code, stderr } = await calledWith(
      {},
      ...argv`run ${REQUEST} --set policy=@${policy} ${await two([{ text: said() }], [{ status: 401 }])}`,
    );
    expect([code, stderr]).toEqual([
      exit,
      expect.stringMatching(
        /^assay: model_unreachable: slot second: the provider rejects this key \(status 401, some_error\)$/m,
      ),
    ]);
  });
});

test.skipIf(!hasLoopback)('the command that goes on with an interrupted run asks the models alike', () => {
  const flags = { llm: ['seed=7', 'prices=prices.json', 'timeout=30', 'budget.output_tokens=9'] };
  expect(
    plain(
      resumeLine('r', { store: 'file:./runs', proposer: ['llm:openai/m'], output: 'out', ...flags }) ??
        expect.unreachable(),
    ),
  ).toBe(
    "assay resume 'file:./runs#r' --proposer llm:openai/m --llm seed=7 --llm " +
      'prices=prices.json --llm timeout=30 --llm budget.output_tokens=9 -o out',
  );
});

describe.skipIf(!hasLoopback)('a budget', () => {
  const prices = at('prices.json');
  beforeAll(() => {
    writeFileSync(
      prices,
      JSON.stringify({
        format: 'assay-prices/0',
        as_of: '2026-11-22',
        currency: 'usd',
        prices: [{ provider: 'compatible', model: 'synthetic', input: 3_000_000, output: 15_000_000 }],
      }),
    );
  });

  test('that covers it: tokens and money stand in the ledger, in whole numbers', async () => {
    const server = await serve('compatible', [{ text: 'no' }, { text: said() }]);
    const out = at('budget-enough');
    const { code, stdout } = await calledWith(
      {},
      ...argv`run ${REQUEST} --proposer ${named('compatible', server.url)} --llm prices=${prices}`,
      ...argv`--llm budget.usd_micros=900000 --llm max_output_tokens=4096 -o ${out}`,
    );
    expect(code, stdout).toBe(0);
    expect(payloads(ledgerIn(out), 'proposal').map(({ spent }) => spent)).toEqual(
      [1, 2].map(() => ({ input_tokens: 120, output_tokens: 45, usd_micros: 360 + 675 })),
    );
    expect(server.received[0]?.body).toMatchObject({ max_tokens: 4_096 });
  });

  test('that does not: nobody is called, and the refusal has the figures', async () => {
    const server = await serve('compatible', [{ text: said() }]);
    const { code, stderr } = await calledWith(
      {},
      ...argv`run ${REQUEST} --proposer ${named('compatible', server.url)} --llm prices=${prices}`,
      ...argv`--llm budget.usd_micros=1000`,
    );
    expect([code, stderr, server.received]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          String.raw`^assay: model_failed: slot llm: the budget does not cover it: of 1000 usd_micros, 0 are ` +
            String.raw`spent and 0 reserved, and it could need \d+$`,
          'm',
        ),
      ),
      [],
    ]);
  });
});

describe.skipIf(!hasLoopback)('what is wrong', () => {
  test.each<[string, readonly string[], RegExp]>([
    [
      'a key as the model',
      ['--proposer', `llm:openai/${CANARY}`],
      /^assay: key: the name of this model, .*would stand in every record\n {2}place {3}llm:…$/m,
    ],
    [
      'a key as the model, in capitals and with spaces',
      ['--proposer', `llm:openai/${CANARY.toUpperCase()} b`],
      /^assay: bad_value: .*\n {2}place {3}llm:…$/m,
    ],
    [
      'a key as the path of an address',
      ['--proposer', `llm:compatible/m@http://127.0.0.1:9/v1/${CANARY}`],
      /^assay: key: .*\n {2}place {3}llm:…$/m,
    ],
    [
      'a key as the path of an address, escaped',
      ['--proposer', `llm:compatible/m@http://127.0.0.1:9/v1/%73${CANARY.slice(1)}`],
      /^assay: key: /,
    ],
  ])('%s: exit 2, and nothing of it is shown', async (_, args, message) => {
    const { code, stderr, stdout } = await calledWith(
      envOf('http://127.0.0.1:9/v1'),
      'run',
      REQUEST,
      ...args,
    );
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    expect(stderr.toLowerCase()).not.toContain(CANARY.slice(0, 12));
  });

  test.each(['anthropic', 'openai'] as const)(
    'a key as the path of the base URL of %s: exit 2, and nothing of it is shown',
    async (wire) => {
      const { code, stderr } = await calledWith(
        envOf(`http://127.0.0.1:9/v1/${CANARY}`),
        ...argv`run ${REQUEST} --proposer llm:${wire}/m`,
      );
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^assay: key: ${wire.toUpperCase()}_BASE_URL holds a key`)),
      ]);
      expect(stderr).not.toContain(CANARY);
    },
  );

  test.each([
    [
      '@assay/models',
      /^assay: package: language models need a package .*\n.*\n {2}remedy {2}npm install @assay\/models@\d/,
    ],
    [
      '@ai-sdk/anthropic',
      new RegExp(
        String.raw`^assay: package: this provider needs @ai-sdk\/anthropic.*\n.*\n {2}remedy {2}npm ` +
          String.raw`install @ai-sdk\/anthropic@3\.0\.138$`,
        'm',
      ),
    ],
  ])('a package that is not installed (%s): exit 2 with the line to type', async (name, message) => {
    const { code, stderr } = await assay(['run', REQUEST, '--proposer', 'llm:anthropic/m'], {
      env: {
        ANTHROPIC_API_KEY: CANARY,
        ...lackingPackage(name),
      },
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([['ANTHROPIC_API_KEY', 'anthropic']] as const)(
    '%s with a line feed or a letter that no header takes: exit 2, named, and nobody is called',
    async (variable, wire) => {
      const server = await serve(wire, [{ text: said() }]);
      for (const key of [`${CANARY}\n${CANARY}`, `${CANARY}é`]) {
        const { code, stdout, stderr } = await calledWith(
          { ...envOf(server.url), [variable]: key },
          ...argv`run ${REQUEST} --proposer ${named(wire, server.url)}`,
        );
        expect([code, stderr, server.received]).toEqual([
          2,
          expect.stringMatching(new RegExp(`^assay: key: the key in ${variable} `)),
          [],
        ]);
        expect(stdout + stderr).not.toContain(CANARY);
      }
    },
  );

  test.each([
    [
      'whose words are kept: the file',
      { text: 'Sorry!' },
      /^ {2}remedy {2}the record has its words: assay show \S+run\.ledger\.jsonl records; run it again/m,
    ],
    ['that is empty: no words', { text: '' }, /^ {2}remedy {2}run it again, or with another model$/m],
    [
      'with the key: no words',
      { text: CANARY },
      /^ {2}remedy {2}the server sent the key back, so nothing of its answer was kept/m,
    ],
    [
      'that is a redirect: its address',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      /its address redirects calls.*\n.*\n {2}remedy {2}give the new address/,
    ],
  ] as readonly (readonly [string, Step, RegExp])[])(
    'the remedy for an answer %s',
    async (name, step, remedy) => {
      const server = await serve('anthropic', [step]);
      const args = ['run', REQUEST, '--proposer', 'llm:anthropic/synthetic'];
      expect(
        (await calledWith(envOf(server.url), ...args, '-o', at(`remedy-${name.replaceAll(/\W/g, '-')}`)))
          .stderr,
      ).toMatch(remedy);
      expect((await calledWith(envOf(server.url), ...args)).stderr).not.toContain('assay show');
    },
  );

  test('a base address that is none: exit 2', async () => {
    const { code, stderr } = await calledWith(
      { ...envOf('ftp://nowhere'), OPENAI_API_KEY: CANARY },
      ...argv`run ${REQUEST} --proposer llm:openai/m`,
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^assay: bad_value: OPENAI_BASE_URL/)]);
  });

  const remote: readonly (readonly [string, Step, number, RegExp])[] = [
    [
      'a wrong key',
      { status: 401, error: { type: 'authentication_error', message: `bad key ${CANARY}` } },
      5,
      /^assay: model_unreachable: slot llm: the provider rejects this key \(status 401, authentication_error\)/,
    ],
    [
      'a server that never answers',
      { silent: true },
      5,
      /^assay: model_unreachable: slot llm: no answer came in time/,
    ],
    [
      'an answer that is none, twice',
      { text: 'Sorry!' },
      1,
      /^assay: model_failed: slot llm: the answer was not accepted: json/,
    ],
  ];
  test.each(remote)(
    '%s: exit %3$s, a recorded failure and a verified refusal',
    async (name, step, exit, message) => {
      const server = await serve('anthropic', [step]);
      const out = at(`remote-${name.replaceAll(/\W/g, '-')}`);
      const { code, stdout, stderr } = await calledWith(
        envOf(server.url),
        ...argv`run ${REQUEST} --proposer llm:anthropic/synthetic --llm timeout=1 -o ${out}`,
      );
      expect([code, stderr]).toEqual([exit, expect.stringMatching(message)]);
      await requireVerified(out, headIn(stdout));
      expect(payloads(ledgerIn(out), 'close')[0]).toMatchObject({
        status: 'refused',
        reasons: expect.arrayContaining(['insufficient_proposals']) as unknown,
      });
    },
  );

  test.each([[{ 'retry-after-ms': '1e308' }, 'for ever']])(
    'a server that asks for an endless wait (%j): said at once, waited no longer than --llm timeout, exit 5',
    async (headers, asked) => {
      const server = await serve('compatible', [{ status: 429, headers }]);
      const started = performance.now();
      const { code, stderr } = await calledWith(
        {},
        ...argv`run ${REQUEST} --proposer ${named('compatible', server.url)} --llm timeout=1`,
      );
      expect([code, stderr, server.received.length]).toEqual([
        5,
        expect.stringMatching(
          new RegExp(
            String.raw`^assay: llm:compatible\/synthetic@\S+ asks to wait [^;]+; no more than 1 s are waited ` +
              String.raw`\(--llm timeout\)[\s\S]*^assay: model_unreachable: slot llm: the provider takes no more ` +
              String.raw`calls now \(status 429`,
            'm',
          ),
        ),
        2,
      ]);
      expect(stderr).toContain(asked);
      expect(performance.now() - started).toBeLessThan(60_000);
    },
    90_000,
  );

  test('a folder that holds a run: nobody is asked before that is settled', async () => {
    const server = await serve('compatible', [{ text: said() }]);
    await called('run', REQUEST, '-o', at('taken'));
    const args = ['run', REQUEST, '--proposer', named('compatible', server.url), '-o', at('taken')];
    const { code, stderr } = await calledWith({}, ...args);
    expect([code, stderr, server.received]).toEqual([
      2,
      expect.stringMatching(/^assay: exists: .*nothing was done/),
      [],
    ]);
  });
});

test.skipIf(!hasLoopback)(
  'the canary key is in nothing that is written: files, store, notes, stdout, stderr',
  async () => {
    const place = at('canary');
    const steps: readonly Step[] = [
      { text: CANARY },
      { text: said([{ ...LITERAL, intent_summary: CANARY }]), model: CANARY },
      { status: 401, error: { type: CANARY, message: CANARY } },
      { text: said() },
    ];
    let told = '';
    for (const wire of WIRES) {
      for (const [index, step] of steps.entries()) {
        const server = await serve(wire, [step]);
        const run = `${wire}-${index}`;
        const { stdout, stderr } = await calledWith(
          envOf(server.url),
          ...argv`run ${REQUEST} --set run_id=${run} --verbose --proposer ${named(wire, server.url)}`,
          ...argv`--store file:${join(place, 'store')} -o ${join(place, run)} --json`,
        );
        expect(JSON.stringify(server.received[0]?.headers)).toContain(CANARY);
        told += stdout + stderr;
      }
    }
    const files = filesBelow(place);
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((path) => readFileSync(path, 'utf8').includes(CANARY))).toEqual([]);
    expect(told).not.toContain(CANARY);
  },
);

function filesBelow(path: string): readonly string[] {
  return statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
    : [path];
}
