import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { ask, Children, processesContract, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { bundled } from '../../../../test/lib/bundle.ts';

/**
 * How often a writer is killed; more for a long run:
 * `ASSAY_KILLS=200 npx vitest run packages/host/test/store-file/processes.test.ts`.
 */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 20);

let bundle: Awaited<ReturnType<typeof bundled>>;
let folder: { readonly path: string; readonly remove: () => Promise<void> };
const children = new Children();

beforeAll(async () => {
  bundle = await bundled(new URL('tools/writer.ts', import.meta.url));
  folder = await temporaryFolder();
});

afterEach(() => children.killAll());

afterAll(async () => {
  await bundle.remove();
  await folder.remove();
});

const meeting: ReturnType<Parameters<typeof processesContract>[1]> = {
  children,
  start: (runId, name) => children.start(bundle.path, [folder.path, runId, name]),
  /** The whole lines; a killed writer may leave the beginning of one more. */
  async ledger(runId) {
    const text = await readFile(join(folder.path, `${runId}.ledger.jsonl`), 'utf8');
    return text
      .slice(0, text.lastIndexOf('\n'))
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  },
};

processesContract(
  'file',
  () => meeting,
  { describe, it },
  { kills: KILLS, losers: ['locked', 'stale_head'], isWhole: false },
);

describe('a lock between processes', () => {
  it('is taken over from a killed writer, and never from one that lives', async () => {
    const first = await meeting.start('over', 'first');
    await ask(first, 'race');
    const second = await meeting.start('over', 'second');
    expect(await ask(second, 'claim')).toEqual({ code: 'locked' });
    await children.kill(first);
    expect(await ask(second, 'claim')).toEqual({ code: null });
    const third = await meeting.start('over', 'third');
    expect(await ask(third, 'claim')).toEqual({ code: 'locked' });
    const own = fileStore(folder.path);
    expect(await own.append('over', orThrow(await own.head('over')), [])).toEqual({
      _tag: 'Left',
      left: {
        code: 'locked',
        run_id: 'over',
        owner: expect.stringContaining(`process ${second.pid} on `),
        ...(process.platform === 'linux' ? { isAlive: true } : {}),
      },
    });
    await own.close();
  });

  it('that all come for when its owner is dead: exactly one gets it', async () => {
    const first = await meeting.start('heirs', 'first');
    await ask(first, 'race');
    const heirs = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => meeting.start('heirs', name)),
    );
    await children.kill(first);
    const answers = (await Promise.all(heirs.map((heir) => ask(heir, 'claim')))) as readonly {
      readonly code: string | null;
    }[];
    expect(answers.map(({ code }) => code).sort()).toEqual([
      'locked',
      'locked',
      'locked',
      'locked',
      'locked',
      null,
    ]);
  });

  it('and a cut line are mended by the next writer, and nothing half made stays', async () => {
    await children.killAgainAndAgain(
      3,
      () => meeting.start('mended', 'x'),
      async () => undefined,
    );
    const last = await meeting.start('mended', 'x');
    expect(await ask(last, 'claim')).toEqual({ code: null });
    await children.kill(last);
    expect((await readFile(join(folder.path, 'mended.ledger.jsonl'), 'utf8')).endsWith('}\n')).toBe(true);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
