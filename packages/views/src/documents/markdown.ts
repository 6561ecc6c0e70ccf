/**
 * Pieces of a Markdown document on a run. Every text from evidence is a code span; everything else is ours.
 * Source: intent I17.
 */
import type { Blueprint, Cited, OpenQuestion } from '@assay/kernel/intent';
import { adviseOnQuestion } from '@assay/kernel/intent-view';
import { forMarkdownCode } from '../escape/escape.js';

/** Who answered a slot: what tells an answer written by hand from one of a model. */
export type AnsweredBy = { readonly slot: string; readonly proposer: string; readonly source: string };

const POINTS_MAX = 240;
const LINE_UNITS = 200;

/** Text from evidence, cut at 240 code points. */
export function said(text: string): string {
  const points = [...text.slice(0, 2 * POINTS_MAX + 2)];
  return points.length <= POINTS_MAX
    ? forMarkdownCode(text)
    : `${forMarkdownCode(points.slice(0, POINTS_MAX).join(''))}…`;
}

/** Words of the request with their place. */
export function quoted({ text, start, end }: Cited): string {
  return `${said(text)} (${start}–${end})`;
}

/** What every document says of the places in it. */
export const PLACES =
  'Numbers in parentheses are places in the request, in code points from 0, the end left out.';

/** A heading with how many follow, after a blank line; nothing if there are none. */
export function section(
  title: string,
  lines: readonly string[],
  count: number = lines.length,
): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title} (${count})`, ...lines];
}

/** A source as it is shown: nothing written by hand passes for an answer. */
export function sourced(source: string): string {
  return source === 'synthetic' ? 'synthetic, **written by hand**' : said(source);
}

/** A proposer with its slot and source. */
export function proposed({ slot, proposer, source }: AnsweredBy): string {
  return `${said(proposer)} (slot ${said(slot)}, ${sourced(source)})`;
}

/** Parts per million as a share of one, exactly. */
export function share(ppm: number): string {
  return `${Math.trunc(ppm / 1_000_000)}.${String(ppm % 1_000_000).padStart(6, '0')}`;
}

/** Short items in as few list lines as they fit into. */
export function packed(items: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length <= LINE_UNITS)
      lines[lines.length - 1] = `${last} · ${item}`;
    else lines.push(`- ${item}`);
  }
  return lines;
}

/** Units by the clause they stand in. */
export function uncoveredLines(uncovered: Blueprint['uncovered']): readonly string[] {
  const clauses = new Map<
    string,
    { readonly clause: (typeof uncovered)[number]['clause']; readonly units: string[] }
  >();
  for (const { kind, clause, ...unit } of uncovered) {
    const key = `${clause.start} ${clause.end}`;
    const known = clauses.get(key) ?? { clause, units: [] };
    known.units.push(`${kind} ${quoted(unit)}`);
    clauses.set(key, known);
  }
  return packed([...clauses.values()].map(({ clause, units }) => `${units.join(', ')} in ${quoted(clause)}`));
}

/** An open question: the words that raised it, and what would settle it. */
export function questionLine(question: OpenQuestion, rest: string = ''): string {
  const { class: asked, raised_by } = question;
  const named = asked === 'unread' ? 'not read' : (asked ?? 'open');
  return `- ${raised_by === null ? 'assumption' : quoted(raised_by)} · ${named}: ${adviseOnQuestion(question)}${rest}`;
}
