/** `assay run` and `resume`, killed with kill -9: the run goes on to the bytes that an uninterrupted one has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { drawing, signalled } from './lib/killed.ts';
import { bytesIn, kindsOfStores } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for 90 days. Pages must load in 2 seconds.';
/** Kills of the command for each kind of store: as many as `ASSAY_KILLS` says, else 3. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 3);
const SEED = 20_261_122;
/** As many slots as a policy may have: as many moments between two records. */
const MANY = Array.from({ length: 16 }, () => ['--proposer', 'rules']).flat();
const kinds = kindsOfStores(folder);

describe('a run killed at random moments and resumed has the bytes of one that was not', () => {
  const args = [REQUEST, '--set', 'run_id=many', ...MANY];
  let whole = '';
  beforeAll(async () => {
    const out = join(folder, 'whole');
    await called('run', ...args, '-o', out);
    whole = readFileSync(join(out, 'run.ledger.jsonl'), 'utf8');
  });

  test.each(kinds)(
    `$kind: ${KILLS} times kill -9, seed ${SEED}`,
    { timeout: 300_000 * Math.max(1, KILLS / 10) },
    async ({ fresh }) => {
      const draw = drawing(SEED);
      const lengths: number[] = [];
      for (let trials = 0; lengths.length < KILLS && trials < 10 * KILLS; trials += 1) {
        const url = fresh();
        let ended = await signalled(['run', ...args, '--store', url], 'SIGKILL', draw(14), draw(6));
        while (ended.signal === 'SIGKILL') {
          const left = await bytesIn(url, 'many');
          // Killed before its first group was durable: there is nothing to resume, and nothing to lose.
          if (left === null) break;
          expect(whole.startsWith(left)).toBe(true);
          lengths.push(left.split('\n').length - 1);
          ended = await signalled(['resume', `${url}#many`], 'SIGKILL', 1 + draw(14), draw(6));
        }
        if (ended.signal === 'SIGKILL') continue;
        expect(ended.code, ended.stderr).toBe(0);
        expect(await bytesIn(url, 'many')).toBe(whole);
      }
      console.log(`killed after ${lengths.join(', ')} of ${whole.split('\n').length - 1} records`);
      expect(lengths.length).toBeGreaterThanOrEqual(KILLS);
      expect(new Set(lengths).size).toBeGreaterThan(1);
    },
  );
});
