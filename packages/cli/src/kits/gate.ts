/**
 * A gate as the command knows it: what a person is asked, and how the answer reaches the process that holds the run.
 *
 * @module
 */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { leaveAnswer } from '@assay/gate';
import { gate } from '@assay/gate/machine';
import { compareCalls } from '@assay/gate/view';
import type { WhatIfDocument } from '@assay/kernel/schemas';
import type { Digest, EvidenceRecord, Json, JsonObject } from '@assay/kernel';
import { badValue } from '../problems/problem.js';
import type { Shell } from '../start/kit.js';
import { jsonShown, plain, textIn, valueIn } from '../terminal/shown.js';

const INPUT_POINTS = 120;

/** Gates, which other processes drive. */
export const gateKit: Shell = {
  machine: gate,
  reopens: 'open it again with openGate and the same run name (docs/guides/gate.md)',
  answers: {
    approve: {
      asks: (body) =>
        `${textIn(body, 'principal')} calls ${textIn(body, 'tool')} (call ${JSON.stringify(valueIn(body, 'n'))})`,
      shows: (body, records) => findInput(records, valueIn(body, 'n')),
      words: [
        { usage: 'yes', form: /^yes$/i, value: () => ({ approved: true, note: '' }) },
        {
          usage: 'no, or "no: REASON"',
          form: /^no(?:: *(?<note>.*))?$/is,
          value: ({ note = '' }) => ({ approved: false, note }),
        },
      ],
    },
  },
  describeFork,
  leave: async ({ journal, run_id, by = userInfo().username }, { kind, body }, value) => {
    const folder = journal?.folder ?? null;
    if (kind !== 'approve' || folder === null)
      throw badValue(
        folder === null
          ? 'this store has no place for approvals'
          : 'a gate is closed by the process that holds it',
        run_id,
        'answer where the call is made',
      );
    const { n, digest } = body as unknown as { readonly n: number; readonly digest: Digest };
    const note = textIn(value, 'note');
    await leaveAnswer(locateAnswers(folder, run_id), {
      n,
      digest,
      approved: valueIn(value, 'approved') === true,
      by,
      note,
    });
    return `left for the process that holds ${run_id}; it takes it up within a second, or when the gate is opened again`;
  },
};

/** Where approvals of a run are left. `folder`: of its store's journal. */
export function locateAnswers(folder: string, run: string): string {
  return join(folder, `${run}.answers`);
}

/** The input of a call as it was recorded: null where there is no such call. */
function findInput(records: readonly EvidenceRecord[], n: Json): Json {
  const decided = records.findIndex(
    ({ kind, payload }) =>
      kind === 'decision' &&
      ((payload as JsonObject)['events'] as readonly JsonObject[]).some((event) => event['n'] === n),
  );
  const call = records.slice(0, Math.max(0, decided)).findLast(({ kind }) => kind === 'proposal');
  return valueIn(valueIn(call?.payload ?? null, 'value'), 'input');
}

/** The first call that comes to something else, as impact tells it, and what is done outside for a call. */
function describeFork(
  run: readonly EvidenceRecord[],
  fork: readonly EvidenceRecord[],
  _record: unknown,
  flip: WhatIfDocument['flip'],
): ReturnType<NonNullable<Shell['describeFork']>> {
  const { groups, note } = compareCalls(run, fork);
  const [first] = groups.toSorted((a, b) => a.example.at - b.example.at);
  const sentence =
    first === undefined
      ? null
      : `call ${first.example.at}, ${first.example.text}: ${first.kind}, ${first.why}`;
  return { sentence, note, effect: flip?.kind === 'effect' ? describeEffect(run, flip) : null };
}

function describeEffect(
  run: readonly EvidenceRecord[],
  { name, was, would_be }: NonNullable<WhatIfDocument['flip']>,
): string {
  const body = was ?? would_be;
  const input = plain(jsonShown(findInput(run, valueIn(body, 'n')), INPUT_POINTS));
  const call = `${textIn(body, 'tool')} ${input}`;
  const isGone = would_be === null;
  if (name.startsWith('approve'))
    return `${call}: ${isGone ? 'no person is asked any more' : 'a person is asked'}`;
  return `${call}: ${isGone ? 'is no longer performed' : 'is requested anew'}`;
}
