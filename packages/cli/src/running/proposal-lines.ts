/**
 * Who proposed what, and that what was written by hand was.
 *
 * @module
 */
import { isArray, type EvidenceRecord, type Json } from '@assay/kernel';
import { textIn, valueIn } from '../inputs/fields.js';
import { show, styled, type Shown } from '../output/shown.js';

/** What is said of a source beside its name: an answer made for tests or examples never passes for one of a model. */
export function sourceNote(source: Json): string {
  return source === 'synthetic' ? ', written by hand' : '';
}

/** One line: each proposal of a run, in order, and how many readings it brought. Empty where nobody was asked. */
export function proposalLines(records: readonly EvidenceRecord[]): readonly Shown[] {
  const parts = proposalParts(records);
  return parts.length === 0 ? [] : [parts.reduce((line, part, index) => (index === 0 ? show`${line}${part}` : show`${line}; ${part}`), show`proposed    `)];
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

function broughtBy(payload: Json | undefined): string {
  if (valueIn(payload, 'failure') !== null) return 'failed';
  const value = valueIn(payload, 'value');
  const count = isArray(value) ? value.length : 0;
  return `${count} ${count === 1 ? 'reading' : 'readings'}`;
}
