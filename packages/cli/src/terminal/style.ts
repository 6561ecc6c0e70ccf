/**
 * Colour, which never says anything alone: every line reads the same without it.
 *
 * @module
 */

/** What a part of a line is. */
export type Style = 'good' | 'bad' | 'open' | 'faint' | 'strong';

const CODES: { readonly [style in Style]: readonly [number, number] } = {
  good: [32, 39],
  bad: [31, 39],
  open: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
};

/** Text in a style, as a terminal takes it. */
export function paint(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/**
 * Whether to colour: `--no-color`, NO_COLOR, FORCE_COLOR and TERM=dumb are honoured, then whether a terminal
 * listens.
 */
export function wantsColor(flag: boolean, env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if (!flag || (env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}
