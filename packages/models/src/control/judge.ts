/**
 * Which criteria of a sub-task are met, asked of a model as R4a. A pass names the calls that show it. Source:
 * 003 §R4a, "evidence grounding rule"; calls/C6.
 *
 * @module
 */
import { cutText, ok, type Json, type Result } from '@assay/kernel';
import { EVIDENCE_MAX, FAILURE_CLASSES, TEXT_MAX, readBody } from '@assay/controller';
import { callsIn, judged, type SubTaskEvidence } from '@assay/controller/evidence';
import * as z from 'zod';
import { JUDGE_PROMPT_1 } from './judge-1.js';
import { NO_HISTORY, subTaskOf, type RoleContext } from './role-context.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { fault, schemaOf, shaped } from '../task/strict.js';

const text = z.nullable(z.string());
const verdict = z.strictObject({
  criterion: z.string(),
  verdict: z.enum(['pass', 'fail']),
  calls: z.array(z.number()),
  failure_class: z.nullable(z.enum(FAILURE_CLASSES)),
  why: z.string(),
});
const wire = z.strictObject({ verdicts: z.array(verdict), what_was_wrong: text, what_to_do: text });

/**
 * The task of kind `judge`. Fault `ungrounded`: a pass that names no call, unless words are enough, or any
 * verdict a call there is not.
 */
export function judgeTask(context: RoleContext): Task {
  return {
    kind: 'judge',
    missing: NO_HISTORY,
    prompt: JUDGE_PROMPT_1,
    schema: schemaOf(wire),
    data: (body) => {
      const asked = readBody('judge', body);
      const of = subTaskOf(context, body);
      if (asked === null || of === null) return null;
      const { intent, criteria, attempt, claim, rests_on } = asked;
      return {
        task: context.evidence().text,
        intent,
        criteria: criteria.map(({ id, text: said, mode, hard }) => ({ id, text: said, mode, hard })),
        attempt,
        claim,
        rests_on,
        words: of.subtask.words,
        calls: judged(of),
      };
    },
    read: (answer, body) => read(answer, subTaskOf(context, body)),
  };
}

function read(answer: Json, of: SubTaskEvidence | null): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { verdicts, what_was_wrong, what_to_do } = said.right;
  const made = of === null ? 0 : callsIn(of).length;
  const isWords = of?.subtask.words ?? false;
  for (const [index, { verdict: is, calls }] of verdicts.entries()) {
    const unknown = calls.find((n) => !Number.isInteger(n) || n < 0 || n >= made);
    if (unknown !== undefined || (is === 'pass' && calls.length === 0 && !isWords))
      return fault('ungrounded', `/verdicts/${index}/calls`, String(unknown ?? 'no call'));
  }
  return ok({
    value: {
      verdicts: verdicts.map(({ why, ...rest }) => ({ ...rest, evidence: cutText(why, EVIDENCE_MAX) })),
      what_was_wrong: cut(what_was_wrong),
      what_to_do: cut(what_to_do),
    },
    confidence: null,
  });
}

function cut(words: string | null): string | null {
  return words === null ? null : cutText(words, TEXT_MAX);
}
