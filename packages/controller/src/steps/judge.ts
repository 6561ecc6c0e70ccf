/**
 * The agent-validator of the rules: each criterion is judged by the calls that were made, never by what the executor
 * says of itself. Source: 003 §R4a; dec-G3; calls/C6.
 */
import { absurd, cutText, nobleSha256, type Result, type Sha256 } from '@assay/kernel';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import { callLine } from '../evidence/transcript.js';
import type { FailureClass } from '../ggs/input.js';
import type { JudgeBody, Judgement } from '../protocol/requests.js';
import { EVIDENCE_MAX, TEXT_MAX, type Verdict } from '../protocol/criteria.js';
import { canonicalText, renderText } from './files.js';
import { readOutputs } from './next.js';
import { derivationIn, type StepFault, parseCheck, type Check, type Wholes } from './program.js';
import { derive, findUnmet, makeMark, markWith } from './values.js';

/** What was found of one criterion. `failure` null: it is met. `call`: that shows it. */
type Found = {
  readonly failure: FailureClass | null;
  readonly evidence: string;
  readonly call: EvidenceCall | null;
  readonly advice: string;
};
type Seeing = ReturnType<typeof readOutputs> & {
  readonly last: EvidenceCall | null;
  readonly sha256: Sha256;
};

/**
 * Judges every criterion of a body by what there is of its sub-task. A criterion whose check is not one of
 * the rules' is never met. Classes: a call that did not go well, and what no call shows, is `environmental`; a
 * call that shows something else than is wanted is `logical`. `wholes`: outputs that the records show in
 * part. `sha256`: a faster digest of the host.
 */
export function judgeByRules(
  { criteria, claim }: Pick<JudgeBody, 'criteria' | 'claim'>,
  of: SubTaskEvidence,
  wholes: Wholes = new Map(),
  sha256: Sha256 = nobleSha256,
): Judgement {
  const seeing: Seeing = { ...readOutputs(of, wholes, sha256), last: callsIn(of).at(-1) ?? null, sha256 };
  const found = criteria.map(({ id, check }) => ({ id, ...judged(parseCheck(check), claim, seeing) }));
  const verdicts: readonly Verdict[] = found.map(({ id, failure, evidence, call }) => ({
    criterion: id,
    verdict: failure === null ? 'pass' : 'fail',
    failure_class: failure,
    evidence: cutText(evidence, EVIDENCE_MAX),
    calls: call === null ? [] : [call.n],
  }));
  const unmet = found.find(({ failure }) => failure !== null);
  return {
    verdicts,
    what_was_wrong: unmet === undefined ? null : cutText(unmet.evidence, TEXT_MAX),
    what_to_do: unmet?.advice ?? null,
  };
}

function judged(check: Check | null, claim: string, seeing: Seeing): Found {
  if (check === null)
    return wrong(
      'logical',
      null,
      'the criterion has no check that these rules know',
      'have it judged by somebody else',
    );
  switch (check.is) {
    case 'ran':
      return judgeCalls(check.step, seeing);
    case 'there':
    case 'gone':
      return judgeLook(findCall(check.step, seeing), check.step, check.is === 'there');
    case 'stands':
      return judgeWritten(check, seeing);
    case 'holds': {
      const { value, op, than } = check.that;
      const unmet = findUnmet(check.that, seeing.outputs);
      return unmet._tag === 'Right' && unmet.right !== null
        ? wrong(
            'logical',
            seeing.last,
            `${op} ${renderText(than)} is wanted, found ${unmet.right}`,
            'see what is there',
          )
        : judgeMade(unmet, value.from, seeing);
    }
    case 'claim': {
      const made = derive(check.value, seeing.outputs);
      return made._tag === 'Right' && renderText(made.right) !== claim
        ? wrong(
            'logical',
            seeing.last,
            `claimed ${canonicalText(cutText(claim, 100))}, found ${cutText(renderText(made.right), 100)}`,
            'hand on what the calls gave',
          )
        : judgeMade(made, check.value.from, seeing);
    }
    case 'all': {
      const found = check.of.map((one) => judged(one, claim, seeing));
      return found.find(({ failure }) => failure !== null) ?? found.at(-1) ?? met(seeing.last);
    }
    case 'present':
      return wrong(
        'logical',
        null,
        'a criterion of the task is not judged here',
        'have it judged with the whole',
      );
    default:
      return absurd(check);
  }
}

/** Whether a value could be made; where an output is missing, whose. */
function judgeMade(made: Result<StepFault, unknown>, from: string, { calls, faulty, last }: Seeing): Found {
  if (made._tag === 'Right') return met(calls.findLast(([step]) => step === from)?.[1] ?? last);
  const { code, detail } = faulty.get(made.left.detail) ?? made.left;
  const isUnseen = code === 'unknown_step' || code === 'output_gone' || code === 'not_whole';
  return wrong(
    isUnseen ? 'environmental' : 'logical',
    last,
    `${code}: ${detail}`,
    'make the calls of the plan',
  );
}

function findCall(wanted: string, { calls }: Seeing): EvidenceCall | null {
  return calls.findLast(([step]) => step === wanted)?.[1] ?? null;
}

function judgeCalls(step: string, seeing: Seeing): Found {
  const own = seeing.calls.flatMap(([id, call]) => (id === step ? [call] : []));
  const failed = own.find(({ status }) => status !== 'ok');
  if (failed !== undefined) return wrong('environmental', failed, callLine(failed), 'see why it failed');
  return own.length === 0 && !seeing.outputs.has(step) ? unseen(step) : met(own.at(-1) ?? seeing.last);
}

/** A tool wrote it, a later look shows the same bytes, and they are those that are wanted. */
function judgeWritten({ step, by, want }: Extract<Check, { is: 'stands' }>, seeing: Seeing): Found {
  const { outputs, sha256 } = seeing;
  const [write, look] = [findCall(step, seeing), findCall(by, seeing)];
  const written = MARK.exec(write?.output ?? '')?.[0]?.trimEnd();
  if (write?.status !== 'ok' || written === undefined) return unseen(step);
  if (look?.status !== 'ok')
    return look === null ? unseen(by) : wrong('environmental', look, callLine(look), 'look again');
  const found =
    look.digest === null ? makeMark(look.output, sha256) : markWith(look.output_bytes, look.digest);
  if (written !== found)
    return wrong('logical', look, `written ${written}, found ${found}`, 'write it again');
  const derivation = derivationIn(want);
  const made = derivation === null ? { _tag: 'Right' as const, right: want } : derive(derivation, outputs);
  if (made._tag === 'Left') return judgeMade(made, by, seeing);
  const wanted = makeMark(renderText(made.right), sha256);
  return wanted === found
    ? met(look)
    : wrong('logical', look, `wanted ${wanted}, found: ${callLine(look)}`, 'write what is wanted');
}

/** The end of what a writer says: what the file holds now. */
const MARK = /[0-9]{1,15} bytes, sha256 [0-9a-f]{64}\n$/;

/**
 * A path is there where it can be read or is no text, and gone where nothing is found; anything else shows
 * neither.
 */
function judgeLook(call: EvidenceCall | null, step: string, isWanted: boolean): Found {
  if (call === null) return unseen(step);
  const isThere = call.status === 'ok' || call.code === 'not_text';
  const isGone = call.status === 'error' && call.code === 'not_found';
  if (isWanted ? isThere : isGone) return met(call);
  return wrong(isThere || isGone ? 'logical' : 'environmental', call, callLine(call), 'see what is there');
}

function met(call: EvidenceCall | null): Found {
  return { failure: null, evidence: call === null ? 'no call was needed' : callLine(call), call, advice: '' };
}

function unseen(step: string): Found {
  return wrong(
    'environmental',
    null,
    `no call of step ${step} that would show it`,
    'make the calls of the plan',
  );
}

function wrong(failure: FailureClass, call: EvidenceCall | null, evidence: string, advice: string): Found {
  return { failure, evidence, call, advice };
}
