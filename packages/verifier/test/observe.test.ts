/** Looking on while a ledger is verified: one reading, and the verdicts as without. */
import { describe, expect, test } from 'vitest';
import { utf8Bytes, type Follower } from '@assay/kernel';
import { viewable, watched, type Viewer } from '@assay/kernel/view';
import { tally } from '@assay/testing/tally';
import { tallyView } from '@assay/testing/tally-view';
import { verify } from '@assay/verifier';
import { encodeFile } from '@assay/verifier/attacks';
import { machines, success } from '../tools/runs.ts';

const { records } = success();
const bytes = encodeFile(records);

describe('verify/observe', () => {
  test('each sound record once, in order, with what is derived up to it', () => {
    const seen: (readonly [number, string, number | null])[] = [];
    const observe = (record: { readonly kind: string }, position: number, reached: Follower | null): void => {
      seen.push([position, record.kind, reached?.head.count ?? null]);
    };
    const { document } = verify('x', bytes, { machines, observe });
    expect(document).toEqual(verify('x', bytes, { machines }).document);
    expect(seen).toEqual(records.map(({ kind }, at) => [at, kind, at + 1]));
  });

  test('nothing is derived without a machine, and nothing is seen from the first fault on', () => {
    const reached: (Follower | null)[] = [];
    verify('x', bytes, { observe: (_record, _position, follower) => reached.push(follower) });
    expect(reached).toEqual(records.map(() => null));
    const broken = utf8Bytes(
      new TextDecoder().decode(bytes).replace('"kind":"decision"', '"kind":"decisiom"'),
    );
    const seen: number[] = [];
    const { document } = verify('x', broken, { observe: (_record, position) => seen.push(position) });
    expect(seen).toEqual(Array.from({ length: document.checks.integrity.record ?? 0 }, (_, at) => at));
  });

  test('a view that is watched derives once for the verdict and for its picture', () => {
    let viewer: Viewer | null = null;
    let looks = 0;
    const looking = watched(viewable(tallyView, tally), (next) => {
      viewer = next;
      looks += 1;
    });
    const { document } = verify('x', bytes, { machines: looking });
    expect(document).toEqual(verify('x', bytes, { machines }).document);
    expect(looks).toBe(records.length);
    expect((viewer as Viewer | null)?.show().verdict).toBeTypeOf('string');
  });
});
