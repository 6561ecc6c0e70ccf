/** What `assay report --serve` serves: bytes of files and stores as they stand, whole lines while they are written. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { main } from '@assay/cli';
import { viewerPath, type Runs } from '@assay/explorer';
import { orThrow, runView, type EvidenceRecord } from '@assay/kernel';
import { freshName, server, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { assay, POLL, temporaryFolder } from './lib/assay.ts';
import { fileRuns, folderRuns, storeRuns } from '../src/commands/serve.ts';
import { openStore } from '../src/files/store.ts';
import { newInterruption } from '../src/terminal/signals.ts';

const folder = temporaryFolder();
const bytesOf = async (runs: Runs, id: string, from = 0): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of runs.read(id, from)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('explorer/served-bytes', () => {
  test('a file: a line being written waits; one that was left so long ago does not', async () => {
    const path = join(folder, 'run.ledger.jsonl');
    writeFileSync(path, '{"a":1}\n{"b"');
    const runs = fileRuns(path);
    expect(await runs.size('run.ledger.jsonl')).toBe(8);
    const past = new Date(Date.now() - 60_000);
    utimesSync(path, past, past);
    expect(await runs.size('run.ledger.jsonl')).toBe(12);
    appendFileSync(path, ':2}\n');
    expect(await bytesOf(runs, 'run.ledger.jsonl', 8)).toBe('{"b":2}\n');
    expect(await runs.size('../run.ledger.jsonl')).toBe(null);
  });

  test('a folder: its ledgers and those one folder below, no openings and proofs', async () => {
    const below = join(folder, 'out', 'one');
    mkdirSync(below, { recursive: true });
    for (const name of ['run.ledger.jsonl', 'run.openings.jsonl', 'a.proofs.jsonl', 'b.txt'])
      writeFileSync(join(below, name), 'x\n');
    const runs = folderRuns(join(folder, 'out'));
    expect(await runs.list()).toEqual([{ id: join('one', 'run.ledger.jsonl'), bytes: 2 }]);
    // A pipe has no size: nobody waits for one.
    execFileSync('mkfifo', [join(below, 'pipe.jsonl')]);
    expect(await runs.size(join('one', 'pipe.jsonl'))).toBe(null);
  });

  test('a store: the lines that were appended, from any byte on', async () => {
    const url = `file:${join(folder, 'store')}`;
    await assay(['run', 'The lamp must be lit until 23:00.', '--store', url, '--set', 'run_id=lamp']);
    const store = await openStore(url, { mustExist: true, readsOnly: true });
    const runs = storeRuns(store, url);
    expect((await runs.list()).map(({ id }) => id)).toEqual(['lamp']);
    const size = (await runs.size('lamp')) ?? 0;
    const whole = await bytesOf(runs, 'lamp');
    expect(Buffer.byteLength(whole)).toBe(size);
    const first = whole.indexOf('\n') + 1;
    for (const from of [first, first + 5, size])
      expect(await bytesOf(runs, 'lamp', from)).toBe(Buffer.from(whole).subarray(from).toString());
    expect(await runs.size('other')).toBe(null);
    await store.close();
  });

  test.each([
    [['report', join(folder, 'nowhere'), '--serve'], 'missing_file'],
    [['report', POLL, '--serve', '99999'], 'bad_value'],
    [['report', viewerPath(), '--serve'], 'result_file'],
  ])('%j is refused', async (args, code) => {
    const refused = await assay(args);
    expect([refused.code, refused.stderr.includes(code)]).toEqual([2, true]);
  });
});

test.skipIf(server === null)('a store in PostgreSQL wakes who follows a run', async () => {
  const schema = freshName();
  const url = urlOf(schema);
  const [writer, reader] = [await openStore(url), await openStore(url, { mustExist: true, readsOnly: true })];
  const lines = readFileSync(POLL, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as EvidenceRecord);
  const runId = orThrow(runView(records.slice(0, 1))).genesis.run_id;
  const begun = orThrow(await writer.append(runId, null, records.slice(0, 2)));
  const runs = storeRuns(reader, url);
  const first = await runs.size(runId);
  let unwatch = (): void => undefined;
  const woken = new Promise<number | null>((go) => {
    const look = async (): Promise<void> => {
      const size = await runs.size(runId);
      if (size !== first) go(size);
    };
    unwatch = runs.watch(runId, () => void look());
  });
  orThrow(await writer.append(runId, begun, records.slice(2)));
  expect(await woken).toBe(Buffer.byteLength(`${lines.join('\n')}\n`));
  unwatch();
  await writer.close();
  await reader.close();
  await sql(`DROP SCHEMA "${schema}" CASCADE`);
});

test('what is served is the file, byte for byte', async () => {
  const runs = fileRuns(POLL);
  expect(await bytesOf(runs, 'ledger.jsonl')).toBe(readFileSync(POLL, 'utf8'));
});

test.skipIf(process.platform !== 'linux')('the browser gets a file of its user, and no token', async () => {
  const seen = join(folder, 'opened');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin', 'xdg-open'),
    `#!/bin/sh\nstat -c %a "$1" > ${seen}.part; echo "$1" >> ${seen}.part; cat "$1" >> ${seen}.part; mv ${seen}.part ${seen}\n`,
    { mode: 0o755 },
  );
  const interruption = newInterruption();
  const path = process.env['PATH'];
  process.env['PATH'] = `${join(folder, 'bin')}:${path ?? ''}`;
  let out = '';
  const write = (text: string): void => void (out += text);
  try {
    const ended = main(['report', POLL, '--serve'], {
      out: { write },
      err: { write },
      env: {},
      interruption,
    });
    await vi.waitFor(() => expect(existsSync(seen)).toBe(true), 10_000);
    interruption.raise();
    expect(await ended).toBe(130);
  } finally {
    process.env['PATH'] = path;
  }
  const [mode, argument = '', ...page] = readFileSync(seen, 'utf8').split('\n');
  const url = /^http:\S+$/m.exec(out)?.[0] ?? expect.unreachable();
  expect([mode, page.join('')]).toEqual(['600', expect.stringContaining(url)]);
  expect(argument).not.toContain(new URL(url).pathname.replaceAll('/', ''));
  expect(existsSync(argument)).toBe(false);
});
