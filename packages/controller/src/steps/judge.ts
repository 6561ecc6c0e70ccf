/**
 * The agent-validator of the rules: each criterion is judged by the calls that were made, never by what the
 * executor says of itself. Source: 003 §R4a; dec-G3; calls/C6.
 *
 * @module
 */
import { absurd, cutText, nobleSha256, type Json, type Sha256 } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import { callLine } from '../evidence/transcript.js';
import type { FailureClass } from '../ggs/input.js';
import type { JudgeBody, Judgement } from '../protocol/requests.js';
import { EVIDENCE_MAX, TEXT_MAX, type Verdict } from '../protocol/criteria.js';
import { canonicalText, renderText } from './files.js';
import { parseCheck, type Check, type Look, type Want, findWhole, type Wholes } from './checks.js';
import { brief, derive, makeMark, markWith } from './values.js';

/** What was found of one criterion. `failure` null: it is met. `call`: that shows it. */
type Found = {
  readonly failure: FailureClass | null;
  readonly evidence: string;
  readonly call: EvidenceCall | null;
  readonly advice: string;
};
type Seeing = { readonly calls: readonly EvidenceCall[]; readonly wholes: Wholes; readonly sha256: Sha256 };

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
  const seeing: Seeing = { calls: callsIn(of), wholes, sha256 };
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
      return went(last(seeing.calls, check.look), check.look, met);
    case 'claim':
      return went(last(seeing.calls, check.look), check.look, (call) => claimed(check, claim, call, seeing));
    case 'shown':
      return went(last(seeing.calls, check.look), check.look, (call) =>
        claim === shownBy(call, seeing) ? met(call) : misclaimed(claim, call, 'hand on what the file holds'),
      );
    case 'stands':
      return stands(check, seeing);
    case 'there':
      return there(last(seeing.calls, check.look), check.look, true);
    case 'gone':
      return there(last(seeing.calls, check.look), check.look, false);
    case 'handed_on':
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

function went(call: EvidenceCall | null, { tool }: Look, and: (call: EvidenceCall) => Found): Found {
  if (call === null) return unseen(tool);
  return call.status === 'ok'
    ? and(call)
    : wrong('environmental', call, callLine(call), `call ${tool} in another way`);
}

/** What is claimed, made again from what the call gave. */
function claimed(
  { do: operations }: Extract<Check, { is: 'claim' }>,
  claim: string,
  call: EvidenceCall,
  { wholes, sha256 }: Seeing,
): Found {
  const whole = findWhole(call, wholes, sha256);
  if (whole._tag === 'Left')
    return wrong('environmental', call, `${whole.left.code}: ${whole.left.detail}`, 'call it again');
  const made = derive(
    { from: 'seen', do: operations },
    new Map<string, Json>([['seen', whole.right]]),
    sha256,
  );
  if (made._tag === 'Left')
    return wrong('logical', call, `${made.left.code}: ${made.left.detail}`, 'hand on what the tool found');
  return renderText(made.right) === claim
    ? met(call)
    : misclaimed(claim, call, 'hand on what the tool found');
}

/** A tool wrote it, a later look shows the same bytes, and they are those that are wanted. */
function stands({ path, look, want }: Extract<Check, { is: 'stands' }>, seeing: Seeing): Found {
  const { calls } = seeing;
  const write = calls.findLast(
    (call) => call.tool === 'write_file' && call.status === 'ok' && pathIn(call.input) === path,
  );
  const written = MARK.exec(write?.output ?? '');
  if (write === undefined || written === null)
    return wrong('environmental', null, `no call wrote ${path}`, `write ${path}`);
  return went(last(calls.slice(write.n + 1), look), look, (shown) => {
    const found = marked(shown, seeing);
    if (markWith(Number(written[1]), written[2] ?? '') !== found)
      return wrong(
        'logical',
        shown,
        `written ${written[0].trimEnd()}, found ${found}`,
        `write ${path} again`,
      );
    // What is written is made of what was seen before it was written.
    const wanted = want === null ? null : wantedMark(want, { ...seeing, calls: calls.slice(0, write.n) });
    return wanted === null || wanted === found
      ? met(shown)
      : wrong(
          'logical',
          shown,
          `wanted ${wanted}, found: ${callLine(shown)}`,
          `write what is wanted to ${path}`,
        );
  });
}

/** The end of what a writer says: what the file holds now. */
const MARK = /([0-9]{1,15}) bytes, sha256 ([0-9a-f]{64})\n$/;

function pathIn(input: Json): Json {
  return readField(input, 'path');
}

/** Size and digest of what is wanted; null where nothing was looked at that would say it. */
function wantedMark({ text, looks, value }: Want, seeing: Seeing): string | null {
  const { wholes, sha256 } = seeing;
  if (text !== null) return makeMark(text, sha256);
  const outputs = new Map<string, Json>();
  for (const { id, look } of looks) {
    const call = last(seeing.calls, look);
    if (call?.status !== 'ok') return null;
    if (value.from === id && value.do.length === 0) return marked(call, seeing);
    const whole = findWhole(call, wholes, sha256);
    if (whole._tag === 'Left') return NOTHING;
    outputs.set(id, whole.right);
  }
  const made = derive(value, outputs, sha256);
  return made._tag === 'Left' || typeof made.right !== 'string' ? NOTHING : makeMark(made.right, sha256);
}

const NOTHING = 'what cannot be told from what was found';

function marked({ output, output_bytes, digest }: EvidenceCall, { sha256 }: Seeing): string {
  return digest === null ? makeMark(output, sha256) : markWith(output_bytes, digest);
}

/** What a step hands on of an output that it looked at: the text, or its mark. */
function shownBy(call: EvidenceCall, { wholes, sha256 }: Seeing): string {
  const whole = findWhole(call, wholes, sha256);
  return whole._tag === 'Right' ? brief(whole.right, sha256) : marked(call, { calls: [], wholes, sha256 });
}

/**
 * A path is there where it can be read or is no text, and gone where nothing is found; anything else shows
 * neither.
 */
function there(call: EvidenceCall | null, look: Look, isWanted: boolean): Found {
  if (call === null) return unseen(look.tool);
  const isThere = call.status === 'ok' || call.code === 'not_text';
  const isGone = call.status === 'error' && call.code === 'not_found';
  if (isWanted ? isThere : isGone) return met(call);
  return wrong(
    isThere || isGone ? 'logical' : 'environmental',
    call,
    callLine(call),
    isWanted ? 'name a file that is there' : 'see that it is gone',
  );
}

function last(calls: readonly EvidenceCall[], { tool, input }: Look): EvidenceCall | null {
  const wanted = input === null ? null : canonicalText(input);
  return (
    calls.findLast(
      (call) => call.tool === tool && (wanted === null || canonicalText(call.input) === wanted),
    ) ?? null
  );
}

function met(call: EvidenceCall): Found {
  return { failure: null, evidence: callLine(call), call, advice: '' };
}

function misclaimed(claim: string, call: EvidenceCall, advice: string): Found {
  return wrong(
    'logical',
    call,
    `claimed ${canonicalText(cutText(claim, 100))}, found: ${callLine(call)}`,
    advice,
  );
}

function unseen(tool: string): Found {
  return wrong('environmental', null, `no call of ${tool} that would show it`, `call ${tool}`);
}

function wrong(failure: FailureClass, call: EvidenceCall | null, evidence: string, advice: string): Found {
  return { failure, evidence, call, advice };
}
