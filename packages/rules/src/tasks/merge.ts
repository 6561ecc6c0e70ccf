/**
 * The meta-validator of the rules: outputs are compared with each other, each of them judged before against
 * its evidence; what cannot be compared is ambiguous, and so rejected. Source: 003 §R4b; 002 "Key
 * Invariants".
 *
 * @module
 */
import { absurd, cutText, nobleSha256, type Json, type Sha256 } from '@assay/kernel';
import { EVIDENCE_MAX, type Merge, type MergeBody, type TaskVerdict } from '@assay/controller';
import { parseGoal } from './parse.js';
import { answeredAs } from './answered.js';
import type { Goal } from './goal.js';
import { inQuotes } from './tokens.js';
import { canonicalText, derive, parseCheck, type Check } from '@assay/controller/steps';

/**
 * Judges the criteria of a task and merges its outputs: the answer where one is asked for, else those of its
 * sub-tasks in their order. `sha256`: a
 * faster digest of the host.
 */
export function mergeByRules({ intent, criteria, outcomes }: MergeBody, sha256: Sha256 = nobleSha256): Merge {
  const outputs = outcomes.map(({ output }) => output);
  const verdicts = criteria.map(
    ({ id, check }): TaskVerdict => ({ criterion: id, ...judged(parseCheck(check), outputs, sha256) }),
  );
  const goal = parseGoal(intent);
  const merged_output: Json =
    goal._tag === 'Right' && goal.right.family === 'answer'
      ? (outputs[0] ?? '')
      : outcomes.map(({ intent: what, output }) => ({ intent: what, output }));
  return {
    merged_output,
    summary: goal._tag === 'Right' ? summaryOf(goal.right, outputs) : intent,
    verdicts,
  };
}

type Judged = Pick<TaskVerdict, 'verdict' | 'failure_class' | 'evidence'>;

function judged(check: Check | null, outputs: readonly string[], sha256: Sha256): Judged {
  if (check === null)
    return {
      verdict: 'ambiguous',
      failure_class: 'logical',
      evidence: 'the criterion has no check that these rules know',
    };
  switch (check.is) {
    case 'present': {
      const output = outputs[check.at];
      return output === undefined ? fail(`no sub-task ${check.at}`) : pass(output);
    }
    case 'handed_on': {
      const [from, to] = [outputs[check.from], outputs[check.to]];
      if (from === undefined || to === undefined) return fail('a sub-task is missing');
      const made = derive({ from: 'from', do: check.do }, new Map([['from', from]]), sha256);
      return made._tag === 'Right' && made.right === to
        ? pass(to)
        : fail(
            `${canonicalText(from.toWellFormed())} was found, ${canonicalText(to.toWellFormed())} was written`,
          );
    }
    case 'ran':
    case 'claim':
    case 'shown':
    case 'stands':
    case 'there':
    case 'gone':
      return {
        verdict: 'ambiguous',
        failure_class: 'logical',
        evidence: 'only evidence of calls could show this, and there is none here',
      };
    default:
      return absurd(check);
  }
}

function pass(evidence: string): Judged {
  return { verdict: 'pass', failure_class: null, evidence: cutText(evidence, EVIDENCE_MAX) };
}

function fail(evidence: string): Judged {
  return { verdict: 'fail', failure_class: 'logical', evidence: cutText(evidence, EVIDENCE_MAX) };
}

function summaryOf(goal: Goal, outputs: readonly string[]): string {
  const answer = cutText((outputs[0] ?? '').trimEnd(), ANSWER_MAX);
  switch (goal.family) {
    case 'extreme':
      return answeredAs(goal).join(answer);
    case 'count':
    case 'measure':
    case 'sum':
      return `the answer is ${answer}; it stands in ${inQuotes(goal.to)}`;
    case 'list':
    case 'collect':
    case 'duplicates':
    case 'sizes':
      return `the result stands in ${inQuotes(goal.to)}`;
    case 'copy':
    case 'move':
      return `${inQuotes(goal.of)} was ${goal.family === 'copy' ? 'copied' : 'moved'} to ${inQuotes(goal.to)}`;
    case 'create':
      return `${inQuotes(goal.to)} holds the text`;
    case 'remove':
      return `${inQuotes(goal.of)} was removed`;
    case 'answer':
      return `the answer is ${answer}`;
    case 'outside':
      return goal.words;
    default:
      return absurd(goal);
  }
}

const ANSWER_MAX = 500;
