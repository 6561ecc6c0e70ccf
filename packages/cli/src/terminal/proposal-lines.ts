/**
 * Who proposed what, and that what was written by hand was.
 *
 * @module
 */
import { isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { textIn, valueIn } from './fields.js';
import { cut } from './cut.js';
import { show, styled, type Shown } from './shown.js';

/**
 * What is said of a source beside its name: an answer made for tests or examples never passes for one of a
 * model.
 */
export function sourceNote(source: Json): string {
  return source === 'synthetic' ? ', written by hand' : '';
}

/**
 * One line: each proposal of a run, in order, and how many readings it brought. Empty where nobody was asked.
 */
export function proposalLines(records: readonly EvidenceRecord[]): readonly Shown[] {
  const parts = proposalParts(records);
  return parts.length === 0
    ? []
    : [
        parts.reduce(
          (line, part, index) => (index === 0 ? show`${line}${part}` : show`${line}; ${part}`),
          show`proposed    `,
        ),
      ];
}

/** Each proposal of a run, in order. */
export function proposalParts(records: readonly EvidenceRecord[]): readonly Shown[] {
  const proposals = records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);
  return proposals.map((payload) => {
    const source = textIn(payload, 'source');
    const by = show`${textIn(payload, 'proposer')} (${source}${sourceNote(source)})`;
    return show`${source === 'synthetic' ? styled('open', by) : by}: ${broughtBy(payload)}`;
  });
}

/** Every reading that a run's answers brought, as it was proposed. */
export function readingsProposed(records: readonly EvidenceRecord[]): readonly Json[] {
  return records.filter(({ kind }) => kind === 'proposal').flatMap(({ payload }) => readingsIn(payload));
}

/** The readings of an answer: none where it failed. */
function readingsIn(payload: Json | undefined): readonly Json[] {
  const value = valueIn(payload, 'value');
  return valueIn(payload, 'failure') === null && isArray(value) ? value : [];
}

/** Words for the codes of failures that a reader can do something about; any other shows as it is. */
const FAILED: ReadonlyMap<string, string> = new Map([
  ['recording_empty', 'the recording holds no answer at all'],
  ['recording_miss', 'the recording holds no answer to this'],
  ['left_out', 'left out'],
  ['too_short', 'the text is too short'],
  ['too_long', 'the text is too long'],
  ['not_language', 'the text is no language'],
  ['not_english', 'the text is not English'],
  ['too_vague', 'it holds wishes without a measure'],
  ['refusal', 'the model refuses'],
  ['truncated', 'the answer is longer than it may be'],
  ['answer_too_long', 'the answer is longer than it may be'],
  ['cut_off', 'the connection broke in the middle of the answer'],
  ['not_in_request', 'the answer quotes words that the request does not hold'],
  ['budget', 'the budget does not cover it'],
  ['nothing_found', 'no sentence of the text says what must, should or must not be'],
]);

const CODE_POINTS = 40;

function broughtBy(payload: Json | undefined): string {
  const failure = valueIn(payload, 'failure');
  if (failure !== null) {
    const why = whyFailed(failure);
    return why === '' ? 'failed' : `failed: ${FAILED.get(why) ?? cut(why, CODE_POINTS)}${limitIn(failure)}`;
  }
  const count = readingsIn(payload).length;
  return `${count} ${count === 1 ? 'reading' : 'readings'}`;
}

/** The limit that was passed, where the failure names one: `: text_units 1048530, at most 262144`. */
function limitIn(failure: Json): string {
  const detail = valueIn(failure, 'detail');
  const limit = textIn(detail, 'limit');
  const [value, needed] = ['value', 'needed'].map((key) => valueIn(detail, key));
  return limit === '' || typeof value !== 'number' || typeof needed !== 'number'
    ? ''
    : `: ${cut(limit, CODE_POINTS)} ${needed}, at most ${value}`;
}

/**
 * The code that says why, from the detail of a failure, else its own. An empty recording is a miss with
 * nothing near it.
 */
function whyFailed(failure: Json): string {
  const detail = valueIn(failure, 'detail');
  const code = textIn(detail, 'code');
  if (code === 'recording_miss')
    return isObject(detail) && detail['nearest'] === null ? 'recording_empty' : code;
  return code === '' ? textIn(failure, 'code') : code;
}
