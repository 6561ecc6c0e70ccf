/** The three attacks of the demo, carried out on copies of the run at hand. */
import { nativeSha256 } from '@assay/host';
import { isArray, type EvidenceRecord, type HeadLine, type Json, type Replayable } from '@assay/kernel';
import type { Block } from '@assay/kernel/view';
import type { Verdict } from '@assay/verifier';
import { forge, isAsAnnounced, judgeForged, type Attack, type Edit } from '@assay/verifier/attacks';
import { inkText } from '@assay/views';
import {
  describeChange,
  listChange,
  padded,
  points,
  show,
  styled,
  type Shown,
} from '../../terminal/shown.js';
import { winnerSwapped } from './swap-winner.js';

const VALUE_POINTS = 36;
const STYLES = { held: 'good', failed: 'bad', not_checked: 'open' } as const;

/** One attack carried out: its lines, and whether it ended as announced. */
export type Shot = {
  readonly attack: Attack;
  readonly lines: readonly Shown[];
  readonly isAnnounced: boolean;
  readonly document: Json;
};

const TITLES: { readonly [attack in Attack]?: string } = {
  edit: '1  one field edited, no hash computed again',
  rehash: '2  the decision changed, every hash computed again',
  rederive: '3  an answer changed, everything after it recomputed',
};

/** Carries out the attacks `edit`, `rehash` and `rederive` on a ledger whose head is known. */
export function shots(
  records: readonly EvidenceRecord[],
  head: HeadLine,
  machines: readonly Replayable[],
): readonly Shot[] {
  const options = { machines, sha256: nativeSha256 };
  return (['edit', 'rehash', 'rederive'] as const).map((attack) => {
    const title = TITLES[attack] ?? attack;
    const forged = (attack === 'rehash' ? winnerSwapped(records) : null) ?? forge(attack, records, options);
    if (forged === null)
      return {
        attack,
        lines: [show`${title}: this run offers nothing to do that to`],
        isAnnounced: false,
        document: { attack, done: null },
      };
    const judged = judgeForged('copy', forged.bytes, head, options);
    const { integrity, rederivation } = judged.alone;
    const change = forged.edit === null ? show`` : changeShown(forged.edit);
    const tail = {
      edit: [line('integrity', integrity, 'every later hash would have to change too')],
      rehash: [
        line('integrity', integrity, 'a hash chain alone lets this through'),
        line('rederivation', rederivation, 'the machine, run again, decides otherwise'),
      ],
      rederive: [
        line('integrity', integrity, 'every hash was computed again'),
        line('rederivation', rederivation, 'a run that could have been: no check of the file can see it'),
        line('completeness', judged.withHead.completeness, 'only because the head below was kept'),
      ],
    };
    return {
      attack,
      lines: [show`${padded(styled('strong', show`${title}`), 58)}${change}`, ...tail[attack]],
      isAnnounced: isAsAnnounced(attack, judged),
      document: {
        attack,
        done: forged.done,
        record: forged.record,
        checks: judged.alone,
        checks_with_head: judged.withHead,
      } as unknown as Json,
    };
  });
}

function line(check: string, { verdict, code, record }: Verdict, remark: string): Shown {
  const place = record === null ? '' : ` at record ${record}`;
  const what = code === null ? '' : `${code}${verdict === 'failed' ? place : ''}`;
  return show`   ${padded(show`${check}`, 14)}${padded(styled(STYLES[verdict], show`${verdict}`), 13)}${[
    what,
    remark,
  ]
    .filter((text) => text !== '')
    .join('; ')}`;
}

/** What was changed, so that both sides read differently. */
function changeShown({ path, from, to }: Edit): Shown {
  return isArray(from) && isArray(to)
    ? show`${from.length === to.length ? '' : 'answer: '}${listChange(from, to)}`
    : show`${lastKey(path)}: ${describeChange(from, to, VALUE_POINTS)}`;
}

/** The last keys of a pointer: what the field is called. */
function lastKey(path: string): string {
  return path
    .split('/')
    .filter((part) => !/^[0-9]*$/.test(part) && part !== 'payload' && part !== 'content')
    .slice(-3)
    .join('.');
}

const NAME_WIDTH = 15;
const LEAD = 12;
const ROWS_MAX = 6;
const CELL_WIDTH = 6;

/** A stack, of which the demo draws the rows with a total. */
type Stack = Extract<Block, { readonly t: 'stack' }>;

/** One line of headings and one for each reading, best first; empty where nothing was scored. */
export function scoreLines({ parts, rows }: Stack, isDecided: boolean): readonly Shown[] {
  const scored = rows.filter(({ total }) => total !== null);
  if (scored.length === 0) return [];
  // A criterion that brings nothing to any reading tells nothing here.
  const isBringing = parts.map((_, column) => scored.some(({ values }) => (values[column] ?? 0) > 0));
  const heading = show`${'scores'.padEnd(LEAD)}${'reading'.padEnd(NAME_WIDTH)}${parts
    .filter((_, column) => isBringing[column])
    .map((name) => name.padEnd(computeWidth(name)))
    .join('')}total`;
  const lines = scored.slice(0, ROWS_MAX).map(({ label, values, total }, index) => {
    const cells = parts
      .map((name, column) =>
        isBringing[column] ? points(values[column] ?? 0).padEnd(computeWidth(name)) : '',
      )
      .join('');
    const lead = index === 0 && isDecided ? styled('good', show`  chosen`) : show``;
    const name = inkText(label, NAME_WIDTH - 3).slice(1, -1);
    return show`${padded(lead, LEAD)}${padded({ parts: [{ text: name, style: null }] }, NAME_WIDTH)}${
      cells
    }${points(total ?? 0)}`;
  });
  return [
    heading,
    ...lines,
    ...(scored.length > ROWS_MAX ? [show`${''.padEnd(LEAD)}and ${scored.length - ROWS_MAX} more`] : []),
  ];
}

function computeWidth(criterion: string): number {
  return Math.max(criterion.length + 1, CELL_WIDTH);
}
