/**
 * Text that may be printed: written by us, with every value in it escaped.
 *
 * @module
 */
import { forTerminal, type InkLine } from '@assay/views';
import type { Style } from './style.js';

/**
 * A line for the terminal, with the style each part asks for. Made by {@link show}, so no value gets in
 * unescaped.
 */
export type Shown = { readonly parts: readonly Part[] };
/** A piece of text and its style. */
export type Part = { readonly text: string; readonly style: Style | null };

/** A template whose values are escaped: strings, numbers, and other shown text as it is. */
export function show(literals: TemplateStringsArray, ...values: readonly (string | number | Shown)[]): Shown {
  const parts = literals.flatMap((literal, index): readonly Part[] => {
    const value = values[index];
    const own: Part = { text: literal, style: null };
    if (value === undefined) return [own];
    return typeof value === 'object'
      ? [own, ...value.parts]
      : [own, { text: forTerminal(String(value)), style: null }];
  });
  return { parts };
}

/** Shown text in a style. */
export function styled(style: Style, shown: Shown): Shown {
  return { parts: shown.parts.map(({ text, style: own }) => ({ text, style: own ?? style })) };
}

/** Shown text padded with spaces to a width in code points. */
export function padded(shown: Shown, width: number): Shown {
  const length = shown.parts.reduce((sum, { text }) => sum + [...text].length, 0);
  return length >= width
    ? shown
    : { parts: [...shown.parts, { text: ' '.repeat(width - length), style: null }] };
}

/** The text of a line, without styles. */
export function plain(shown: Shown): string {
  return shown.parts.map(({ text }) => text).join('');
}

/** A line of a picture, which is escaped as it is drawn. */
export function inked(line: InkLine): Shown {
  return { parts: line.map(({ text, tone }) => ({ text, style: tone === 'plain' ? null : tone })) };
}

/**
 * A line of the verifier's own rendering, which has escaped what it shows; the word of each verdict gets its
 * style.
 */
export function rendered(text: string): Shown {
  const found = /^(  [a-z]+ +)(held|failed|not_checked)( .*)?$/s.exec(text);
  if (found === null) return { parts: [{ text, style: null }] };
  const [, before = '', verdict = '', after = ''] = found;
  return {
    parts: [
      { text: before, style: null },
      { text: verdict, style: VERDICTS[verdict] ?? null },
      { text: after, style: null },
    ],
  };
}

const VERDICTS: { readonly [verdict: string]: Style } = { held: 'good', failed: 'bad', not_checked: 'open' };
