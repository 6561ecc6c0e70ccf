/** `assay audit --follow`: runs of a store as they end; told once, ended by an interruption. */
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  advance,
  encodeLine,
  err,
  makeHead,
  ok,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import type { Store } from '@assay/host';
import { controller, defaultPolicy } from '@assay/controller';
import { auditDocumentSchema } from '@assay/controller/schemas';
import { openUrl } from '@assay/host/store-file';
import { openUrl as openPostgres } from '@assay/store-postgres';
import { main } from '@assay/cli';
import { freshName, server, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { follow } from '../src/commands/audit/follow.ts';
import type { NamedStore } from '../src/files/store.ts';
import { newInterruption } from '../src/terminal/signals.ts';
import { temporaryFolder } from './lib/assay.ts';
import { shaped } from './lib/called.ts';

const folder = temporaryFolder();
const fail = (): never => {
  throw new Error('not expected');
};

/** A follower of a store, until something is true of what it printed. */
function following(store: string, ...more: readonly string[]) {
  const read = { stdout: '', stderr: '' };
  const interruption = newInterruption();
  const ended = main(['audit', store, '--follow', '1h', ...more], {
    out: { write: (text) => (read.stdout += text) },
    err: { write: (text) => (read.stderr += text) },
    env: process.env,
    interruption,
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const stop = async (): Promise<number> => {
    interruption.raise();
    return ended;
  };
  return { read, until, stop, started: () => until(() => read.stderr.includes('assay: following ')) };
}

/** Runs that end because the perceiver gives up for this reason. The last record of each is the close. */
const endedBy = (code: string, ids: string) =>
  [...ids].map((id) => {
    const policy = { ...defaultPolicy, clock: 'stamps' } as unknown as Json;
    const input = { text: 'write it', session: [], deadline_us: null };
    const begun = orThrow(openRun(controller, { run_id: id, ts_base: 'T', policy, input }));
    const answer = {
      request_id: openRequests(begun.run)[0]?.id ?? '',
      source: 'rule',
      proposer: 'p',
    } as const;
    const failure = { code: 'denied', final: true, detail: { code, unit: 'tokens' } } as const;
    const none = { confidence: null, value: null, at_us: null, spent: {}, cites: [], provenance: {} };
    const ended = orThrow(advance(begun.run, { ...answer, ...none, failure }));
    return { id, begun, ended, records: [...begun.records, ...ended.records] };
  });
const stored = async (
  store: Store,
  runs: readonly { readonly id: string; readonly records: readonly EvidenceRecord[] }[],
): Promise<void> => {
  for (const { id, records } of runs) orThrow(await store.append(id, null, records));
};

describe('assay audit --follow', () => {
  test('six runs fail alike: one alert as it comes; a run counts once it has ended; exit 130', async () => {
    const url = `file:${join(folder, 'six')}`;
    const store = orThrow(openUrl(url));
    const [open] = endedBy('budget', 'z');
    await stored(store, endedBy('tired', '0'));
    if (open !== undefined) orThrow(await store.append('z', null, open.begun.records));
    const { read, until, started, stop } = following(url);
    await started();
    expect(read.stderr).toContain('runs that were over before: 1\n');
    await stored(store, endedBy('tired', 'abcd'));
    await until(() => read.stdout.includes('d record 6: 4 of the last 4 runs failed alike'));
    expect(read.stdout).toMatch(/^on-demand, \d+ records of 4 runs, a record 0 to d record \d+\n/);
    await stored(store, endedBy('tired', 'ef'));
    if (open !== undefined) orThrow(await store.append('z', makeHead(open.begun.run), open.ended.records));
    await until(() => read.stdout.includes('budget_exhausted'));
    await stored(store, endedBy('tired', 'g'));
    expect(await stop()).toBe(130);
    expect(read.stdout).toMatch(/\non-demand, \d+ records of 3 runs, e record 0 to z record \d+\n/);
    expect(read.stdout.match(/^ {2}(?:boundary|drift|anomaly) .*/gm)).toHaveLength(2);
    await store.close();
  });

  test('each interval brings a report, with --json a document a line', async () => {
    const url = `file:${join(folder, 'interval')}`;
    const store = orThrow(openUrl(url));
    await stored(store, endedBy('tired', 'a'));
    const { read, until, started, stop } = following(url, '--json', '--follow', '1s');
    await started();
    await stored(store, endedBy('tired', 'b'));
    await until(() => read.stdout.endsWith('}\n'));
    expect(await stop()).toBe(130);
    const document = shaped(auditDocumentSchema, JSON.parse(read.stdout.split('\n')[0] ?? ''));
    const outcomes = [{ outcome: 'abandon', reason: 'perceiver_gave_up: tired', runs: 1 }];
    expect(document).toMatchObject({ alerts: 0, reports: [{ trigger: 'periodic', outcomes }] });
    await store.close();
  });

  test.skipIf(server === null)('a store in PostgreSQL wakes it', async () => {
    const schema = freshName();
    const store = orThrow(openPostgres(urlOf(schema)));
    await stored(store, endedBy('tired', '0'));
    const { read, until, started, stop } = following(urlOf(schema));
    await started();
    await stored(store, endedBy('tired', 'abcd'));
    await until(() => read.stdout.includes('same_cause'));
    expect(await stop()).toBe(130);
    await store.close();
    await sql(`DROP SCHEMA "${schema}" CASCADE`);
  });

  test('a store that does not answer is told once and tried again; a torn run is not over', async () => {
    vi.useFakeTimers();
    const gone = err({
      code: 'unavailable',
      run_id: null,
      operation: 'list',
      errno: 'ECONNREFUSED',
    } as const);
    const listed = [ok([]), gone, gone, ok(['a', 'torn']), ok(['a', 'torn'])];
    const [{ ended, records } = fail()] = endedBy('tired', 'a');
    const store: NamedStore = {
      list: async () => listed.shift() ?? ok(['a', 'torn']),
      head: async (id) =>
        id === 'a' ? ok(makeHead(ended.run)) : err({ code: 'torn', run_id: id, detail: 'no end' }),
      read: async function* (_, from = 0) {
        for (const record of records.slice(from)) yield new TextEncoder().encode(encodeLine(record));
      },
      append: fail,
      tryWriting: fail,
      close: async () => undefined,
    };
    const happened: string[] = [];
    const over = new AbortController();
    const done = follow(store, 'a store', {
      everyMs: 1_600,
      signal: over.signal,
      onStart: (count) => happened.push(`start ${count}`),
      onEnded: async (id) => void happened.push(`ended ${id}`),
      onInterval: () => happened.push('interval'),
      onLost: ({ exit }) => happened.push(`lost ${exit}`),
    });
    await vi.advanceTimersByTimeAsync(2_000);
    over.abort();
    await done;
    vi.useRealTimers();
    expect(happened).toEqual(['start 0', 'lost 5', 'ended a', 'interval']);
  });
});
