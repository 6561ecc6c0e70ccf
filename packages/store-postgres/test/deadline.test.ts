import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { Deadline } from '../src/session.js';
import { atPlace, describeServer, sql } from './tools/server.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the time of an answer', () => {
  it('is over after so long, and not before', () => {
    const onOver = vi.fn();
    new Deadline(onOver).begin(100);
    vi.advanceTimersByTime(99);
    expect(onOver).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(onOver).toHaveBeenCalledTimes(1);
  });

  it('is never over for what ended in time, however many came one after the other', () => {
    const onOver = vi.fn();
    const deadline = new Deadline(onOver);
    for (let at = 0; at < 50; at += 1) {
      deadline.begin(100);
      vi.advanceTimersByTime(30);
      deadline.end();
    }
    vi.advanceTimersByTime(1_000);
    expect(onOver).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be longer than any timer of the runtime, which would fire at once', () => {
    const onOver = vi.fn();
    const [set, warned] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(process, 'emitWarning')];
    new Deadline(onOver).begin(1e10);
    vi.advanceTimersByTime(2 ** 31);
    expect([onOver.mock.calls.length, set.mock.calls.map(([, ms]) => ms), warned.mock.calls.length]).toEqual([
      0,
      [2 ** 31 - 1, 2 ** 31 - 1],
      0,
    ]);
    vi.restoreAllMocks();
  });

  it('is counted from its own beginning, and may be shorter than the one before', () => {
    const onOver = vi.fn();
    const deadline = new Deadline(onOver);
    deadline.begin(100);
    vi.advanceTimersByTime(60);
    deadline.end();
    deadline.begin(100);
    vi.advanceTimersByTime(99);
    expect(onOver).not.toHaveBeenCalled();
    deadline.end();
    deadline.begin(5);
    vi.advanceTimersByTime(6);
    expect(onOver).toHaveBeenCalledTimes(1);
  });
});

describeServer('a connection that nobody uses', () => {
  it('is closed after ten seconds, and no other with it', () =>
    atPlace(
      async ({ schema }, store) => {
        const open = async (): Promise<number> =>
          Number(
            (
              await sql(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'assay' AND query LIKE $1",
                [`%"${schema}"%`],
              )
            )[0]?.['count'],
          );
        const until = async (count: number): Promise<void> => {
          for (let tries = 0; (await open()) !== count && tries < 200; tries += 1);
          expect(await open()).toBe(count);
        };
        const runs = ['a', 'b', 'c'].map((run) => ({ run, chain: smallChain(run, 2) }));
        for (const { run, chain } of runs) orThrow(await store.append(run, null, chain));
        await Promise.all(runs.map(({ run }) => store.head(run)));
        await until(3);
        vi.advanceTimersByTime(6_000);
        expect(orThrow(await store.head('a'))).toEqual(headOfChain('a', smallChain('a', 2)));
        vi.advanceTimersByTime(4_500);
        await until(1);
        vi.advanceTimersByTime(6_000);
        await until(0);
        expect(orThrow(await store.head('a'))).toEqual(headOfChain('a', smallChain('a', 2)));
      },
      { notify: false },
    ));
});
