/**
 * The agent-validator of the rules: each criterion is judged by the lines of evidence, never by what the
 * executor says of itself. Source: 003 §R4a; dec-G3.
 *
 * @module
 */
import { absurd, cutText, nobleSha256, type Json, type Sha256 } from '@assay/kernel';
import type { FailureClass } from '../ggs/input.js';
import type { Judgement } from '../protocol/answers.js';
import type { JudgeBody } from '../protocol/asks.js';
import { EVIDENCE_MAX, TEXT_MAX, type Verdict } from '../protocol/criteria.js';
import { canonicalText, textOf } from './canonical.js';
import { brief, derive, linesOf, markOf, markWith } from './values.js';
import { parseCheck, type Check, type Look, type Want } from './checks.js';
import { seenIn, type Seen } from './lines.js';

/** Lines of evidence, in the order of the calls. */
type Lines = readonly string[];

/** What was found of one criterion. `failure` null: it is met. */
type Found = { readonly failure: FailureClass | null; readonly evidence: string; readonly advice: string };

/**
 * Judges every criterion of a body. A criterion whose check is not one of the rules' is never met. Classes:
 * what a line shows of a call that did not go well, and what no line shows, is `environmental`; a line that
 * shows something else than is wanted is `logical`. `sha256`: a faster digest of the host.
 */
export function judgeByRules(
  { criteria, claim, tool_calls }: JudgeBody,
  sha256: Sha256 = nobleSha256,
): Judgement {
  const found = criteria.map(({ id, check }) => ({
    id,
    ...judged(parseCheck(check), claim, tool_calls, sha256),
  }));
  const verdicts: readonly Verdict[] = found.map(({ id, failure, evidence }) => ({
    criterion: id,
    verdict: failure === null ? 'pass' : 'fail',
    failure_class: failure,
    evidence: cutText(evidence, EVIDENCE_MAX),
  }));
  const wrong = found.find(({ failure }) => failure !== null);
  return {
    verdicts,
    what_was_wrong: wrong === undefined ? null : cutText(wrong.evidence, TEXT_MAX),
    what_to_do: wrong?.advice ?? null,
  };
}

function judged(check: Check | null, claim: string, seen: Lines, sha256: Sha256): Found {
  if (check === null)
    return wrong(
      'logical',
      'the criterion has no check that these rules know',
      'have it judged by somebody else',
    );
  switch (check.is) {
    case 'ran':
      return went(last(seen, check.look), check.look, (call) => met(call.line));
    case 'claim':
      return went(last(seen, check.look), check.look, (call) => claimed(check, claim, call, sha256));
    case 'shown':
      return went(last(seen, check.look), check.look, (call) =>
        claim === shownBy(call, sha256)
          ? met(call.line)
          : wrong(
              'logical',
              `claimed ${canonicalText(cutText(claim, 100))}, shown: ${call.line}`,
              'hand on what the file holds',
            ),
      );
    case 'stands':
      return stands(check, seen, sha256);
    case 'there':
      return there(last(seen, check.look), check.look, true);
    case 'gone':
      return there(last(seen, check.look), check.look, false);
    case 'handed_on':
    case 'present':
      return wrong('logical', 'a criterion of the task is not judged here', 'have it judged with the whole');
    default:
      return absurd(check);
  }
}

function went(call: Seen | null, { tool }: Look, and: (call: Seen) => Found): Found {
  if (call === null) return wrong('environmental', `no call of ${tool} that would show it`, `call ${tool}`);
  return call.status === 'ok' ? and(call) : wrong('environmental', call.line, `call ${tool} in another way`);
}

/** What is claimed, made again from what the line shows; where it shows too little, only that it ran. */
function claimed(
  { do: operations, part }: Extract<Check, { is: 'claim' }>,
  claim: string,
  call: Seen,
  sha256: Sha256,
): Found {
  const text = call.isWhole ? call.output : part ? completeLines(call.output) : null;
  if (text === null) return met(`in part: ${call.line}`);
  const made = derive({ from: 'seen', do: operations }, new Map<string, Json>([['seen', text]]), sha256);
  if (made._tag === 'Left')
    return call.isWhole
      ? wrong('logical', `${made.left.code}: ${made.left.detail}`, 'hand on what the tool found')
      : met(`in part: ${call.line}`);
  return textOf(made.right) === claim
    ? met(call.line)
    : wrong(
        'logical',
        `claimed ${canonicalText(cutText(claim, 100))}, found: ${call.line}`,
        'hand on what the tool found',
      );
}

/**
 * A tool wrote it, a later look shows the same bytes, and they are those that are wanted as far as the
 * evidence shows.
 */
function stands({ path, look, want }: Extract<Check, { is: 'stands' }>, seen: Lines, sha256: Sha256): Found {
  const at = seen.findLastIndex((line) => writtenBy(line, path) !== null);
  const written = writtenBy(seen[at] ?? '', path);
  if (written === null) return wrong('environmental', `no call wrote ${path}`, `write ${path}`);
  return went(last(seen.slice(at + 1), look), look, (shown) => {
    const found = marked(shown, sha256);
    if (found === null)
      return wrong('environmental', `the line does not say how much there is: ${shown.line}`, 'look again');
    if (written !== found)
      return wrong('logical', `written ${written}, found ${found}`, `write ${path} again`);
    // What is written is made of what was seen before it was written.
    const wanted = want === null ? null : wantedMark(want, seen.slice(0, at), sha256);
    if (wanted === null) return met(want === null ? shown.line : `in part: ${shown.line}`);
    return wanted === found
      ? met(shown.line)
      : wrong('logical', `wanted ${wanted}, found: ${shown.line}`, `write what is wanted to ${path}`);
  });
}

/** What a line of a call that writes says of a path; null for any other line. */
function writtenBy(line: string, path: string): string | null {
  const call = seenIn(line, { tool: 'write_file', inputs: [] });
  return call === null ? null : writtenIn(call, path);
}

/** Size and digest of what a writer says that the path holds now; null where it says nothing of it. */
function writtenIn({ status, output }: Seen, path: string): string | null {
  if (status !== 'ok') return null;
  const said = [`wrote ${path}: `, `unchanged ${path}: `].find((beginning) => output.startsWith(beginning));
  const rest = said === undefined ? (/^replaced [0-9]+ bytes by /.exec(output)?.[0] ?? null) : said;
  if (rest === null) return null;
  const after = said === undefined ? output.slice(rest.length + path.length + 2) : output.slice(rest.length);
  const found = /^([0-9]{1,15}) bytes, sha256 ([0-9a-f]{64})\n$/.exec(after);
  return found === null || (said === undefined && !output.startsWith(`${rest}${path}: `))
    ? null
    : markWith(Number(found[1]), found[2] ?? '');
}

/** Size and digest of what is wanted; null where the evidence shows too little to make it. */
function wantedMark({ text, looks, value }: Want, seen: Lines, sha256: Sha256): string | null {
  if (text !== null) return markOf(text, sha256);
  const outputs = new Map<string, Json>();
  for (const { id, look } of looks) {
    const call = last(seen, look);
    if (call?.status !== 'ok') return null;
    if (value.from === id && value.do.length === 0) return marked(call, sha256) ?? NOTHING;
    if (!call.isWhole) return null;
    outputs.set(id, call.output);
  }
  const made = derive(value, outputs, sha256);
  if (made._tag === 'Left' || typeof made.right !== 'string') return NOTHING;
  return markOf(made.right, sha256);
}

const NOTHING = 'what cannot be told from what was found';

function marked({ output, isWhole, bytes, digest }: Seen, sha256: Sha256): string | null {
  if (isWhole) return markOf(output, sha256);
  return bytes === null || digest === null ? null : markWith(bytes, digest);
}

/** What a step hands on of an output that it looked at: the text, or its mark. */
function shownBy(call: Seen, sha256: Sha256): string {
  return call.isWhole ? brief(call.output, sha256) : (marked(call, sha256) ?? '');
}

/**
 * A path is there where it can be read or is no text, and gone where nothing is found; anything else shows
 * neither.
 */
function there(call: Seen | null, look: Look, isWanted: boolean): Found {
  if (call === null)
    return wrong('environmental', `no call of ${look.tool} that would show it`, `call ${look.tool}`);
  const isThere = call.status === 'ok' || call.output.startsWith('not_text: ');
  const isGone = call.status === 'error' && call.output.startsWith('not_found: ');
  if (isWanted ? isThere : isGone) return met(call.line);
  return wrong(
    isThere || isGone ? 'logical' : 'environmental',
    call.line,
    isWanted ? 'name a file that is there' : 'see that it is gone',
  );
}

function last(lines: Lines, look: Look): Seen | null {
  const line = lines.findLast((one) => seenIn(one, look) !== null);
  return line === undefined ? null : seenIn(line, look);
}

function completeLines(text: string): string {
  return linesOf(text.slice(0, text.lastIndexOf('\n') + 1))
    .map((line) => `${line}\n`)
    .join('');
}

function met(evidence: string): Found {
  return { failure: null, evidence, advice: '' };
}

function wrong(failure: FailureClass, evidence: string, advice: string): Found {
  return { failure, evidence, advice };
}
