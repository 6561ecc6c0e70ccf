/**
 * What a memory holds and what came of a change to it, as lines of text and of CSV.
 *
 * @module
 */
import type { MegramRow, tagRow } from '@assay/controller/memory-shell';
import type { MemoryEvent, MemoryPolicy } from '@assay/controller/memory';
import { forCsv } from '@assay/views';
import { dated } from '../../options/moment.js';
import { padded, show, styled, type Shown } from '../../terminal/shown.js';

type TagRow = ReturnType<typeof tagRow>;

/** One line a tag: its two weights, the advice, and how many Megrams of each level it has. */
export function tagLines(rows: readonly TagRow[]): readonly Shown[] {
  const widths = {
    tag: widest(rows.map(({ entity, space }) => `${space} ${entity}`)),
    attention: widest(rows.map(({ attention_nano }) => nanoText(attention_nano))),
  };
  return rows.map((row) => {
    const levels = [
      `M ${row.m}`,
      ...(row.k > 0 ? [`K ${row.k}`] : []),
      ...(row.c > 0 ? [`C ${row.c}`] : []),
    ].join('  ');
    return show`${padded(show`${row.space} ${row.entity}`, widths.tag)}  attention ${padded(
      show`${nanoText(row.attention_nano)}`,
      widths.attention,
    )}  decision ${padded(
      show`${nanoText(row.decision_nano)}`,
      10,
    )}  ${padded(actionShown(row.action), 7)}  ${levels}`;
  });
}

/** One tag: its weights beside the thresholds they are held against. */
export function weightLines(
  { action, attention_nano, decision_nano, entity, space }: TagRow,
  { act_beyond_ppm, ignore_below_ppm }: MemoryPolicy,
  at_us: number,
): readonly Shown[] {
  const act = nanoText(act_beyond_ppm * 1_000, 3);
  return [
    show`${space} ${entity} at ${dated(at_us)}: ${actionShown(action)}`,
    show`  attention ${nanoText(attention_nano, 9)}  (ignored below ${nanoText(ignore_below_ppm * 1_000, 3)})`,
    show`  decision  ${nanoText(decision_nano, 9)}  (exploit above ${act}, avoid below -${act})`,
  ];
}

/** What a dream did; null for an event that says nothing to a person. */
export function dreamLine(event: MemoryEvent): Shown | null {
  switch (event.t) {
    case 'dreamt':
      return show`dreamt at ${dated(event.at_us)}: ${event.tags} tags looked at, ${event.changed} cleared${
        event.put_off > 0 ? `, ${event.put_off} put off to the next dream` : ''
      }`;
    case 'faded':
      return show`faded: ${event.count} under ${event.space} ${event.entity}, attention ${nanoText(
        event.attention_nano,
        9,
      )}`;
    case 'demoted':
      return show`${styled('bad', show`demoted`)}: rule ${event.id.slice(0, 8)} under ${event.space} ${
        event.entity
      }; all else there says ${nanoText(event.others_nano, 9)}`;
    case 'distilling':
      return show`${event.polarity.replace('_', ' ')} under ${event.space} ${event.entity}: attention ${nanoText(
        event.attention_nano,
      )}, decision ${nanoText(event.decision_nano)}; words are asked for`;
    case 'undistilled':
      return show`no rule under ${event.space} ${event.entity}: ${event.why}${
        event.code === null ? '' : ` (${event.code})`
      }`;
    case 'remembered':
      return event.megram.level === 'C'
        ? show`${styled('good', show`promoted`)}: ${event.megram.content}`
        : null;
    default:
      return null;
  }
}

function actionShown(action: string): Shown {
  return action === 'exploit'
    ? styled('good', show`${action}`)
    : action === 'avoid'
      ? styled('bad', show`${action}`)
      : action === 'caution'
        ? styled('open', show`${action}`)
        : styled('faint', show`${action}`);
}

/** A Megram, its weights and how they come about. */
export function megramLines({
  age_us,
  attention_nano,
  content,
  created_at_us,
  decay_nano,
  decision_nano,
  f_ppm,
  id,
  k_ppm_per_day,
  last_recalled_at_us,
  level,
  sequence,
  sigma_ppm,
  source_count,
  state,
}: MegramRow): readonly Shown[] {
  const days = nanoText(Math.floor((age_us / 86_400_000_000) * 1e9), 2);
  const notes = [
    ...(source_count > 0 ? [`from ${source_count} Megrams`] : []),
    ...(last_recalled_at_us === null ? [] : [`last recalled ${dated(last_recalled_at_us)}`]),
  ];
  return [
    show`  ${level} ${padded(show`${state}`, 15)}  attention ${nanoText(attention_nano, 9)}  decision ${nanoText(
      decision_nano,
      9,
    )}  ${styled('faint', show`record ${sequence}, ${id.slice(0, 16)}`)}`,
    show`    f ${nanoText(f_ppm * 1_000, 2)} × sigma ${nanoText(sigma_ppm * 1_000, 2)} × ${nanoText(
      decay_nano,
      9,
    )} left after ${days} days at k ${nanoText(k_ppm_per_day * 1_000, 2)}, since ${dated(
      created_at_us,
    )}${notes.map((note) => `; ${note}`).join('')}`,
    ...(content === '' ? [] : [show`    ${content}`]),
  ];
}

const COLUMNS = [
  'id',
  'level',
  'space',
  'entity',
  'state',
  'content',
  'created_at_us',
  'last_recalled_at_us',
  'f_ppm',
  'sigma_ppm',
  'k_ppm_per_day',
  'age_us',
  'decay_nano',
  'attention_nano',
  'decision_nano',
  'sequence',
  'upto',
  'source_count',
] as const satisfies readonly (keyof MegramRow)[];

/** The first line of a table of Megrams. */
export const CSV_HEADER: string = COLUMNS.join(',');

/** A Megram as a line of CSV, without a line end. */
export function csvRow(row: MegramRow): string {
  return COLUMNS.map((column) => {
    const value = row[column];
    return value === null ? '' : forCsv(String(value));
  }).join(',');
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/**
 * A number of units of 10^-9, for a person: to so many decimals, cut and not rounded, so that nothing reads
 * as a threshold it did not reach.
 */
export function nanoText(nano: number, decimals: number = 6): string {
  const size = Math.abs(nano);
  const whole = Math.floor(size / 1e9);
  const rest = String(size % 1e9)
    .padStart(9, '0')
    .slice(0, decimals);
  return `${nano < 0 ? '-' : ''}${whole}.${rest}`;
}
