/** The exit code of `assay verify`, by the verdicts of its documents and by what was asked for. */
import { expect, describe, it } from 'vitest';
import {
  exitCode,
  notChecked,
  type CheckName,
  type ExitOptions,
  type Verdict,
  type VerifyDocument,
} from '@assay/verifier';
import { failed, held } from '../src/verify/document.ts';
import { hashOf } from '../../kernel/tools/ledger-builder.js';

const document = (changes: Partial<Record<CheckName, Verdict>> = {}): VerifyDocument => ({
  file: 'run.ledger.jsonl',
  head: { run_id: 'poll-1', count: 8, hash: hashOf(1) },
  outcome: 'success',
  due: 0,
  checks: {
    integrity: held(),
    rederivation: held(),
    completeness: notChecked('no_head'),
    authorship: notChecked('unsigned'),
    time: notChecked('no_witness'),
    ...changes,
  },
});

describe('exit codes', () => {
  const all = { completeness: held(), authorship: held(), time: held() };
  it.each<[string, Partial<Record<CheckName, Verdict>>, ExitOptions, number]>([
    ['all held', all, {}, 0],
    ['all held, strict', all, { strict: true }, 0],
    ['no head', {}, {}, 0],
    ['no head, strict', {}, { strict: true }, 4],
    ['no head, strict and allowed', {}, { strict: true, allowUnchecked: true }, 0],
    ['not derived again', { ...all, rederivation: notChecked('unknown_machine') }, {}, 4],
    [
      'not derived again, allowed',
      { ...all, rederivation: notChecked('unknown_machine') },
      { allowUnchecked: true },
      0,
    ],
    [
      'failed and not derived again',
      { rederivation: notChecked('limit'), completeness: failed('truncated', null) },
      { allowUnchecked: true },
      3,
    ],
    ['integrity failed', { integrity: failed('empty', 0) }, {}, 3],
    [
      'asked for authorship, not checked',
      { ...all, authorship: notChecked('unknown_key') },
      { authorship: true },
      4,
    ],
    [
      'asked for authorship, not checked, allowed',
      { ...all, authorship: notChecked('unknown_key') },
      { authorship: true, allowUnchecked: true },
      0,
    ],
    ['authorship not asked for', { ...all, authorship: notChecked('unknown_key') }, {}, 0],
    ['authorship failed', { ...all, authorship: failed('bad_signature', null) }, {}, 3],
    ['time failed', { ...all, time: failed('bad_witness', null) }, {}, 3],
  ])('%s', (_, changes, options, code) => expect(exitCode([document(changes)], options)).toBe(code));

  it('of several files is the worst', () => {
    const [good, unchecked, bad] = [
      document(),
      document({ rederivation: notChecked('limit') }),
      document({ integrity: failed('empty', 0) }),
    ];
    expect(exitCode([good, unchecked])).toBe(4);
    expect(exitCode([unchecked, bad, good])).toBe(3);
    expect(exitCode([])).toBe(4);
  });
});
