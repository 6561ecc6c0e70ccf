/** Texts and numbers of view data on a page. What evidence says is quoted and made visible, never markup. */
import type { Cell, Text, Unit } from '@assay/kernel/view';
import { amountText, isAmount, visible } from '@assay/views';
import type { ComponentChildren, VNode } from 'preact';

/** Longest text of evidence drawn at once; the rest unfolds. */
const SAID_UNITS = 1_200;

/** Longest text that unfolds. */
const UNFOLDED_UNITS = 200_000;

/** What evidence says. */
export function Said({ text }: { readonly text: string }): VNode {
  const shown = shownText(text);
  if (shown.length <= SAID_UNITS) return <q class="said">“{shown}”</q>;
  return (
    <details class="long">
      <summary>
        <q class="said">“{shown.slice(0, SAID_UNITS)}</q>{' '}
        <span class="dim">… {shown.length - SAID_UNITS} more characters</span>
      </summary>
      <q class="said">“{cutText(shown)}”</q>
      <Left of={shown} />
    </details>
  );
}

/** As much of a text as unfolds. */
export function cutText(text: string): string {
  return text.slice(0, UNFOLDED_UNITS);
}

/** How much of a text does not unfold. */
export function Left({ of: { length } }: { readonly of: string }): VNode | null {
  if (length <= UNFOLDED_UNITS) return null;
  return <span class="dim"> {length - UNFOLDED_UNITS} more characters are not shown</span>;
}

/** Text in which nothing is hidden; a line feed as `↵`. */
export function shownText(text: string): string {
  return text.includes('\n') ? text.split('\n').map(visible).join('↵ ') : visible(text);
}

/** Text in pieces. */
export function Words({ text }: { readonly text: Text }): VNode {
  return (
    <>
      {typeof text === 'string'
        ? text
        : text.map((piece, at) => (typeof piece === 'string' ? piece : <Said key={at} text={piece.said} />))}
    </>
  );
}

/** Text in pieces as one string, for titles and labels. */
export function plainText(text: Text): string {
  return typeof text === 'string'
    ? text
    : text.map((piece) => (typeof piece === 'string' ? piece : `“${shownText(piece.said)}”`)).join('');
}

/** A label of at most so many characters. */
export function short(text: Text, units: number): string {
  const plain = plainText(text);
  return plain.length <= units ? plain : `${plain.slice(0, Math.max(0, units - 1))}…`;
}

/** A text, a number, or nothing. */
export function CellView({ cell }: { readonly cell: Cell }): VNode {
  if (cell === null) return <span class="dim">–</span>;
  if (!isAmount(cell)) return <Words text={cell} />;
  return (
    <span class="num">
      {cell.text ?? shortAmount(cell.n, cell.unit)}
      {cell.exact === null ? null : <span class="dim"> ({cell.exact})</span>}
    </span>
  );
}

/** A number as it stands on an axis or at a bar: without zeros at its end. */
export function shortAmount(n: number, unit: Unit): string {
  const text = amountText({ n, unit });
  const [, digits = '', rest = ''] = /^(-?[0-9]+\.[0-9]*?)0+(\D.*)?$/.exec(text) ?? [];
  return digits === '' ? text : `${digits.replace(/\.$/, '')}${rest}`;
}

/** What leads to a record. Without one: only what it says. */
export function ToRecord({
  record,
  children,
}: {
  readonly record: number | null;
  readonly children: ComponentChildren;
}): VNode {
  return record === null ? <>{children}</> : <a href={`#/record/${record}`}>{children}</a>;
}

/** A small label that says a tone in a word. */
export function Tag({
  tone,
  children,
}: {
  readonly tone: string;
  readonly children: ComponentChildren;
}): VNode {
  return <span class={`tag ${tone}`}>{children}</span>;
}

type SvgGiven = {
  readonly class: string;
  readonly record: number | null;
  readonly at?: readonly [x: number, y: number];
  readonly children: ComponentChildren;
};

/** A part of a drawing that leads to a record. With the keyboard the table below leads there. */
export function SvgPart({ class: name, record, at = [0, 0], children }: SvgGiven): VNode {
  return (
    <g class={name} transform={`translate(${at[0]},${at[1]})`}>
      {record === null ? (
        children
      ) : (
        <a href={`#/record/${record}`} tabindex={-1}>
          {children}
        </a>
      )}
    </g>
  );
}

/** Made once: making one takes longer than all its times. */
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** A time as the reader's clock shows it, and as it was recorded. */
export function Time({ us }: { readonly us: number }): VNode {
  const at = new Date(us / 1_000);
  return (
    <time dateTime={at.toISOString()} title={`recorded: ${at.toISOString()}`}>
      {LOCAL.format(at)}
    </time>
  );
}
