/**
 * Which files a request may have meant, where a perceiver could not tell: a question to whoever asked.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord } from '@assay/kernel';
import { textIn, valueIn } from '../terminal/fields.js';
import { cut } from '../terminal/cut.js';
import { show, type Shown } from '../terminal/shown.js';

const SAID_POINTS = 200;

/** What an `ambiguous` request may mean, for each perceiver that named it. */
export function eitherIn(records: readonly EvidenceRecord[]): readonly (readonly string[])[] {
  return records.flatMap(({ kind, payload }) => {
    const detail = kind === 'proposal' ? valueIn(valueIn(payload, 'failure'), 'detail') : null;
    const either =
      isObject(detail) && textIn(detail, 'code') === 'ambiguous' ? (field(detail, 'either') ?? null) : null;
    const named = isArray(either) ? either.filter((one) => typeof one === 'string') : [];
    return named.length < 2 ? [] : [named];
  });
}

/** One line for each of them. */
export function eitherLines(records: readonly EvidenceRecord[]): readonly Shown[] {
  return eitherIn(records).map(
    (named) => show`which one?  ${named.map((one) => cut(one, SAID_POINTS)).join(', or ')}? say its path`,
  );
}
