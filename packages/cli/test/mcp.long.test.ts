/**
 * `assay mcp` as a process of its own, asked by a client of the official SDK: the same documents as the
 * commands print, and a clean end.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { viewable, type Picture } from '@assay/kernel/view';
import { tally } from '@assay/testing/tally';
import { tallyView } from '@assay/testing/tally-view';
import { pictureMarkdown } from '@assay/views';
import { findRow, viewRecords, type MachineName } from '@assay/views/machines';
import { asking, type Asking } from '../../mcp/test/tools/desk.ts';
import { scripted } from '../../models/test/tools/scripted-server.ts';
import { LITERAL, REQUEST, said } from '../../models/test/tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { assay, BIN, document, POLL, ROOT, spawned, temporaryFolder, lackingPackage } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { allForgeries } from './lib/forgeries.ts';

type Checked = { readonly checks: { readonly rederivation: { readonly verdict: string } } };

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const clients: Asking[] = [];
afterEach(async () => {
  for (const { client } of clients.splice(0)) await client.close();
});

/** A client that starts the command, as a client's configuration would. */
async function client(...args: readonly string[]): Promise<Asking> {
  const ask = await asking(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', ...args],
      cwd: ROOT,
      stderr: 'ignore',
    }) as Transport,
  );
  clients.push(ask);
  return ask;
}

describe('on standard input and output', () => {
  test('what its tools give is what the commands print', async () => {
    const store = `file:${at('same')}`;
    const ask = await client('--store', store);
    const ran = await ask.call('run', { request: REQUEST, pins: { region: 'EU' } });
    const { run_id, head_line } = ran.json as { readonly run_id: string; readonly head_line: string };

    const { open_requests, ...document_ } = ran.json;
    expect(open_requests).toEqual([]);
    const same = ['run', REQUEST, '--pin', 'region=EU', '--set', `run_id=${run_id}`];
    // Only the command says what was stored before.
    const { was_over, records_found, ...printed } = (await document(same)).json as Record<string, unknown>;
    expect([was_over, records_found]).toEqual([false, 0]);
    expect(document_).toEqual(printed);

    const ledger = at('same', `${run_id}.ledger.jsonl`);
    const verified = (await document(['verify', ledger, '--head', head_line])).json as {
      readonly results: readonly object[];
    };
    const uri = `assay://runs/${run_id}/ledger`;
    expect((await ask.call('verify', { run_id, head: head_line })).json).toEqual({
      results: verified.results.map((each) => ({ ...each, file: uri })),
    });

    const explained = (await ask.call('show', { run_id })).json;
    expect(explained).toMatchObject({
      run_id,
      file: uri,
      outcome: 'success',
      picture: await pictureOf(ledger),
    });
    expect((await ask.call('store_list')).json).toEqual((await document(['store', 'list', store])).json);
    expect((await ask.call('show', { run_id, record: 2 })).json).toEqual(
      (await document(['show', ledger, '2'])).json,
    );
    const {
      contents: [content],
    } = await ask.client.readResource({ uri });
    expect((content as { readonly text: string }).text).toBe(readFileSync(ledger, 'utf8'));
  });

  test(
    'forged, cut, erased and renamed runs of the controller and of the memory are judged as ' +
      'the commands judge them, and end no process',
    async () => {
      const [root, forgeries] = [at('forged'), allForgeries(folder)];
      mkdirSync(root);
      const ask = await client('--store', `file:${root}`, '--proposer', 'client');
      const ledgers = readdirSync(forgeries)
        .filter((name) => /^(?:twin-)?(?:controller|memory)/.test(name))
        .map((name) => readFileSync(join(forgeries, name, 'ledger.jsonl'), 'utf8'));
      const honest = readFileSync(join(ROOT, 'golden-fixtures', 'controller-refine', 'ledger.jsonl'), 'utf8');
      const lines = honest.trimEnd().split('\n');
      const [genesis = ''] = lines;
      const cut = [1, 4, 10, 20].map((count) => `${lines.slice(0, count).join('\n')}\n`);
      // What is erased of decisions and results follows from the answers; an erased answer does not.
      const payload = /"payload":.*,(?="payload_hash":"[0-9a-f]{64}","record_hash")/;
      const erased = [/"kind":"(?:decision|artifact)"/, /"kind":"decision"/, /"kind":"proposal"/].map(
        (kinds) =>
          lines
            .map((line) => `${kinds.test(line.slice(0, 20)) ? line.replace(payload, '') : line}\n`)
            .join(''),
      );
      for (const ledger of [
        ...ledgers,
        ...cut,
        ...erased,
        '',
        `{}\n${honest}`,
        `${genesis}\n${genesis}\n`,
        honest,
      ]) {
        const id = /"run_id":"([^"]+)"/.exec(ledger.split('\n', 1)[0] ?? '')?.[1] ?? 'controller-refine';
        const path = join(root, `${id}.ledger.jsonl`);
        writeFileSync(path, ledger);
        const explained = await ask.call('show', { run_id: id });
        const verified = await called('verify', path, '--json');
        const checks = (results: unknown): unknown =>
          (results as readonly Checked[]).map((each) => each.checks);
        const { results } = (await ask.call('verify', { run_id: id })).json as {
          results: readonly Checked[];
        };
        expect(checks(results)).toEqual(
          checks((JSON.parse(verified.stdout) as { results: unknown }).results),
        );
        expect(explained.isError).toBe(results[0]?.checks.rederivation.verdict !== 'held');
        expect((await ask.call('answer', { run_id: id, request_id: '1.0', answer: {} })).isError).toBe(true);
        expect(readFileSync(path, 'utf8')).toBe(ledger);
      }
      // No round is missing where only what follows is erased, and what is left is compared with what was.
      const explanations = await Promise.all(
        [honest, ...erased.slice(0, 2)].map(async (ledger, index) => {
          const path = at(`erased-${index}.ledger.jsonl`);
          writeFileSync(path, ledger);
          const printed = [
            await called('show', path, '--json'),
            await called('whatif', path, '--set', 'epsilon=50000', '--json'),
          ];
          return printed.map(({ stdout }) => stdout.replaceAll(path, 'LEDGER'));
        }),
      );
      expect(explanations[0]?.[0]).toContain('"name":"round 2"');
      expect(explanations.slice(1)).toEqual([explanations[0], explanations[0]]);
      // A ledger under another name is nobody's run.
      writeFileSync(join(root, 'renamed.ledger.jsonl'), honest);
      for (const tool of ['show', 'verify'])
        expect((await ask.call(tool, { run_id: 'renamed' })).error?.code).toBe('other_run');
      for (const name of ['control', 'nobody'])
        expect((await ask.call(name, { run_id: 'controller-refine' })).error?.code).toBe('unknown_tool');
      for (const run_id of [3, null, ['controller-refine'], ''])
        expect((await ask.call('show', { run_id })).error?.code).toBe('bad_arguments');
      for (const run_id of ['../forged/controller-refine', '__proto__', 'a\0b', '\ud800'])
        expect((await ask.call('show', { run_id })).error?.code).toBe('run_id');
      const machines = await Promise.all(
        ['controller@1', 'memory@1', '__proto__@1'].map(
          async (machine) =>
            (await ask.call('verify', { run_id: 'controller-refine', expect: [`machine=${machine}`] })).json[
              'results'
            ][0].checks.completeness.verdict,
        ),
      );
      expect(machines).toEqual(['not_checked', 'failed', 'failed']);
    },
  );

  test('a run that was begun with a slot of the client is gone on with by another process', async () => {
    const store = `sqlite:${at('advance.db')}`;
    const first = await client('--store', store, '--proposer', 'client');
    const { json: begun } = await first.call('run', { request: REQUEST, proposers: ['client'] });
    await first.client.close();
    const second = await client('--store', store, '--proposer', 'client');
    const { json } = await second.call('answer', {
      run_id: begun['run_id'],
      request_id: begun['open_requests'][0].request_id,
      answer: { readings: [LITERAL], confidence: null },
    });
    expect(json).toMatchObject({ status: 'success', rejection: null });
    // What a client said can be recorded like the answer of any model.
    await second.client.close();
    await assay(['store', 'copy', store, `file:${at('copied')}`]);
    const out = at('recorded.json');
    expect((await assay(['record', at('copied', `${begun['run_id']}.ledger.jsonl`), '-o', out])).code).toBe(
      0,
    );
    expect((await document(['run', REQUEST, '--proposer', `recorded:${out}`])).json['status']).toBe(
      'success',
    );
  });

  test('between two calls no run stays locked: another process can go on with it', async () => {
    const store = `file:${at('shared')}`;
    const ask = await client('--store', store, '--proposer', 'client');
    const {
      json: { run_id },
    } = await ask.call('run', { request: REQUEST, proposers: ['client'] });
    expect((await assay(['resume', `${store}#${run_id}`, '--proposer', 'client=rules'])).code).toBe(0);
    expect((await ask.call('run', { request: REQUEST, proposers: ['client'] })).json['status']).toBe(
      'success',
    );
  });
});

describe('view/same-everywhere', () => {
  test.each(['intent-several-proposers', 'controller-c2-loss', 'memory-tombstones', 'tally-success'])(
    '%s: the same records give the same picture to the tool, the command and who folds the view',
    async (name) => {
      const [folder, id] = [at(`view-${name}`), name === 'tally-success' ? 'spring-fair' : name];
      const ledger = join(folder, `${id}.ledger.jsonl`);
      mkdirSync(folder);
      writeFileSync(ledger, readFileSync(join(ROOT, 'golden-fixtures', name, 'ledger.jsonl')));
      const ask = await client('--store', `file:${folder}`);
      const { picture, markdown } = (await ask.call('show', { run_id: id })).json;
      expect(picture).toEqual(await pictureOf(ledger));
      expect(markdown).toBe(pictureMarkdown(picture as Picture));
      expect((await document(['show', ledger, '--json'])).json).toMatchObject({ picture });
    },
  );
});

/** The picture of a ledger, by its view alone. */
async function pictureOf(path: string): Promise<Picture> {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const [genesis, ...rest] = lines.map((line) => JSON.parse(line) as EvidenceRecord);
  if (genesis === undefined) throw new Error('no records');
  const { machine } = genesis.payload as { readonly machine: MachineName };
  const view = machine.name === 'tally' ? viewable(tallyView, tally) : await findRow(machine)?.view();
  if (view === undefined) throw new Error(`no view of ${machine.name}`);
  return orThrow(viewRecords(view, [genesis, ...rest])).show();
}

describe('its end', () => {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  };
  const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;

  test('standard input closed is exit 0, and standard output holds the protocol alone', async () => {
    const { code, stdout, stderr } = await spawned(['mcp', '--verbose'], {
      input: `${INITIALIZE}no message\n`,
    });
    expect([
      code,
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly id: number }).id),
    ]).toEqual([0, [1]]);
    expect(stderr).toContain('no --store');
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s is exit 0', async (signal) => {
    const child = spawn(process.execPath, [BIN, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('close', (code, by) => resolve([code, by])));
    child.stdin.write(INITIALIZE);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });

  test('while a call decides without end, others are answered; given up, or by a signal, it ends', async () => {
    const runs = at('endless');
    mkdirSync(runs, { recursive: true });
    cpSync(POLL, join(runs, 'poll.ledger.jsonl'));
    const [module, busy] = [at('endless.mjs'), at('busy')];
    writeFileSync(
      module,
      `import { writeFileSync } from 'node:fs';
import { tally } from ${JSON.stringify(new URL('../../testing/dist/machines/tally.js', import.meta.url).href)};
export const machines = [{ ...tally, decide() { for (writeFileSync(${JSON.stringify(busy)}, ''); ; ); } }];`,
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', '--store', `file:${runs}`, '--machine', module],
      cwd: ROOT,
      stderr: 'ignore',
    });
    const ask = await asking(transport as Transport);
    clients.push(ask);
    /** Begins a call, and waits until it decides. */
    const begin = async (signal?: AbortSignal): Promise<{ readonly isOver: () => boolean }> => {
      rmSync(busy, { force: true });
      let isOver = false;
      const options = signal === undefined ? {} : { signal };
      ask.client.callTool({ name: 'verify', arguments: { run_id: 'poll' } }, undefined, options).catch(() => {
        isOver = true;
      });
      while (!existsSync(busy)) await new Promise((resolve) => setTimeout(resolve, 20));
      return { isOver: () => isOver };
    };
    const stopping = new AbortController();
    const { isOver } = await begin(stopping.signal);
    await ask.client.ping({ timeout: 1_000 });
    expect(isOver()).toBe(false);
    stopping.abort();
    await begin();
    expect(isOver()).toBe(true);
    const server = transport.pid ?? 0;
    process.kill(server, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(() => process.kill(server, 0)).toThrow('ESRCH');
  });

  test('while run decides, others are answered; given up, its run is free again within a second', async () => {
    const ask = await asking(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, 'mcp', '--store', `file:${at('busy-runs')}`],
        cwd: ROOT,
        stderr: 'ignore',
      }) as Transport,
    );
    clients.push(ask);
    // More than a second of CPU for the answer of the rules.
    const request = Array.from(
      { length: 420 },
      (_, at) =>
        `Keep audit logs of region ${at} for 90 days. Pages of shop ${at} must load within 2 seconds.`,
    ).join(' ');
    const stopping = new AbortController();
    let isOver = false;
    const begun = ask.client
      .callTool({ name: 'run', arguments: { request } }, undefined, {
        signal: stopping.signal,
        timeout: 60_000,
      })
      .finally(() => (isOver = true))
      .catch(() => undefined);
    // Its run is there as soon as it is claimed; the rules answer at once.
    await expect
      .poll(async () => (await ask.call('store_list')).json['runs'], { timeout: 20_000 })
      .toHaveLength(1);
    for (let count = 0; count < 5; count += 1) await ask.client.ping({ timeout: 500 });
    expect(isOver).toBe(false);
    stopping.abort();
    await begun;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const again = await ask.call('run', { request });
    expect(again.error).toBeNull();
  });

  test.runIf(process.platform === 'linux')('while control acts, others are answered', async () => {
    const [workspace, busy] = [at('slow-work'), at('slow-busy')];
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'old.txt'), 'x');
    const slow = new URL('lib/slow-open.mjs', import.meta.url).href;
    const ask = await asking(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, 'mcp', '--workspace', workspace],
        env: { ...process.env, NODE_OPTIONS: `--import=${slow}`, ASSAY_TEST_BUSY: busy },
        cwd: ROOT,
        stderr: 'ignore',
      } as StdioServerParameters) as Transport,
    );
    clients.push(ask);
    let isOver = false;
    const begun = ask.call('task', { task: 'delete old.txt' }).finally(() => (isOver = true));
    await expect.poll(() => existsSync(busy), { timeout: 20_000 }).toBe(true);
    for (let count = 0; count < 5; count += 1) await ask.client.ping({ timeout: 500 });
    expect(isOver).toBe(false);
    expect((await begun).json).toMatchObject({ status: 'waiting' });
  });

  test('a client that goes away without a word ends it too', async () => {
    const child = spawn(process.execPath, [BIN, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('close', (code, by) => resolve([code, by])));
    child.stdin.write(INITIALIZE);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    child.stdin.destroy();
    expect(await ended).toEqual([0, null]);
  });
});

describe('wrong use', () => {
  test('without the package it is exit 2, with the line to type', async () => {
    const { code, stderr } = await assay(['mcp'], {
      env: lackingPackage('@assay/mcp'),
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^assay: package: [\s\S]*npm install @assay\/mcp@\d/),
    ]);
  });
});

/** Where a server says that it listens. */
function addressOf(stderr: Readable): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const [, found] = /mcp at ([^\s,;]+)[,;]/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

describe.skipIf(!hasLoopback)('over HTTP', () => {
  test('it says where, is asked there with the token, and ends with the signal', async () => {
    const token = 'a-canary-token-51d84a06';
    const child = spawn(process.execPath, [BIN, 'mcp', '--http', '0'], {
      env: { ...process.env, ASSAY_MCP_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const heard = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (heard.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (heard.stderr += text));
    const url = await addressOf(child.stderr);
    const ended = new Promise((resolve) => child.on('close', (code, by) => resolve([code, by])));
    const ask = await asking(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }) as Transport,
    );
    expect((await ask.call('run', { request: REQUEST })).json['status']).toBe('success');
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    await ask.client.close();
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect([heard.stdout, heard.stderr.includes(token)]).toEqual(['', false]);
  });

  test('a second client is told that the run is under way, in words that are true of it', async () => {
    const model = await scripted('compatible', [{ text: said(), pieces: 2, slowMs: 1_500 }]);
    const child = spawn(
      process.execPath,
      [
        BIN,
        'mcp',
        '--http',
        '0',
        '--store',
        `file:${at('two-clients')}`,
        '--proposer',
        `llm:compatible/m@${model.url}`,
        '--proposer',
        'client',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    try {
      const url = new URL(await addressOf(child.stderr));
      const asks = await Promise.all(
        [1, 2].map(() => asking(new StreamableHTTPClientTransport(url) as Transport)),
      );
      clients.push(...asks);
      const [one, other] = asks as [Asking, Asking];
      const running = one.call('run', { request: REQUEST });
      const { pid } = child;
      let runs: readonly { readonly run_id: string }[] = [];
      while (runs.length === 0 || model.received.length === 0)
        ({ runs } = (await other.call('store_list')).json as { readonly runs: typeof runs });
      const refused = (
        await other.call('answer', {
          run_id: runs[0]?.run_id,
          request_id: '1.0',
          answer: JSON.parse(said()) as object,
        })
      ).error;
      expect(refused).toMatchObject({
        code: 'store_locked',
        message: 'another call in this process is writing this run',
        remedy: 'wait until that call ends, then try again',
      });
      expect(JSON.stringify(refused)).not.toContain(String(pid));
      expect((await running).json['status']).toBe('success');
    } finally {
      child.kill('SIGKILL');
      await model.close();
    }
  });

  test('a port that is taken is exit 5', async () => {
    const { createServer } = await import('node:net');
    const taken = createServer();
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { readonly port: number }).port)),
    );
    const { code, stderr } = await called('mcp', '--http', String(port));
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining('assay: listen: cannot listen on this address (EADDRINUSE)'),
    ]);
    await new Promise((resolve) => taken.close(resolve));
  });
});
