/**
 * What did not work: answers that failed, in the words of who gave them, and calls that did not end well.
 *
 * @module
 */
import { field, isArray, isObject, type Json, type RecordedProposal } from '@assay/kernel';
import type { Cell, Panel, Row } from '@assay/kernel/view';

/** The rows of one answer to a request of a kind. */
export function stopsIn({ value, failure }: RecordedProposal, kind: string, record: number): readonly Row[] {
  const row = (what: Cell, code: Cell, said: string): Row => ({
    record,
    cells: [what, code, said === '' ? null : [{ said }]],
    tone: 'bad',
  });
  if (failure !== null) {
    const { detail } = failure;
    const either = listIn(detail, 'either').flatMap((one) => (typeof one === 'string' ? [one] : []));
    const said = [textIn(detail, 'detail'), either.join(', or ')].filter((text) => text !== '');
    const code = textIn(detail, 'code');
    return [row('answer', failure.code, [...(code === '' ? [] : [code]), ...said].join(': '))];
  }
  const status = textIn(value, 'status');
  if (kind !== 'call' || WELL.has(status)) return [];
  const said = textIn(value, 'why');
  return [
    row(
      ['call on ', { said: textIn(value, 'target') }],
      [{ said: [status, textIn(value, 'code')].join(' ').trim() }],
      said === '' ? textIn(value, 'output') : said,
    ),
  ];
}

const WELL: ReadonlySet<string> = new Set(['ok', 'truncated']);

/** Everything that did not work, in order; none without any. */
export function stopsPanel(rows: readonly Row[]): readonly Panel[] {
  return rows.length === 0
    ? []
    : [
        {
          id: 'stops',
          title: 'What did not work',
          says: 'Answers that failed and calls that did not end well, in their own words.',
          page: 'decision',
          left_out: 0,
          block: { t: 'table', columns: ['what', 'came to', 'said'], rows },
        },
      ];
}

function textIn(value: Json | undefined, key: string): string {
  const text = value !== undefined && isObject(value) ? field(value, key) : undefined;
  return typeof text === 'string' ? text : '';
}

function listIn(value: Json, key: string): readonly Json[] {
  const list = isObject(value) ? (field(value, key) ?? null) : null;
  return isArray(list) ? list : [];
}
