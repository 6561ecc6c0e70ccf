/**
 * What did not work: answers that failed, in the words of who gave them, and calls that did not end well.
 *
 * @module
 */
import { isArray, type RecordedProposal } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
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
    const listed = readField(detail, 'either');
    const either = (isArray(listed) ? listed : []).filter((one) => typeof one === 'string');
    const said = [readText(detail, 'detail'), either.join(', or ')].filter((text) => text !== '');
    const code = readText(detail, 'code');
    return [row('answer', failure.code, [...(code === '' ? [] : [code]), ...said].join(': '))];
  }
  const status = readText(value, 'status');
  if (kind !== 'call' || WELL.has(status)) return [];
  const said = readText(value, 'why');
  return [
    row(
      ['call on ', { said: readText(value, 'target') }],
      [{ said: [status, readText(value, 'code')].join(' ').trim() }],
      said === '' ? readText(value, 'output') : said,
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
