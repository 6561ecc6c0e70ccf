/**
 * One escaper per sink. Everything that comes from evidence is hostile text: each sink shows it, none obeys
 * it. JSON as it is shown: what a terminal would act on, or a reader would not see, is an escape that
 * `JSON.parse` reads back. Source: design §8.
 */
/**
 * Characters no sink shows as themselves: controls (C0, DEL, C1), lone surrogates, line separators, what
 * changes the direction of text, what is invisible (zero width, soft hyphen, fillers, tags, variation
 * selectors), and U+FEFF.
 */
const HIDDEN_CLASS =
  String.raw`[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-` +
  String.raw`\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-` +
  String.raw`\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\u{e0000}-\u{e0fff}\u{1d173}-\u{1d17a}]`;
const HIDDEN = new RegExp(HIDDEN_CLASS, 'gu');

/** Backslashes that would read as part of an escape. */
const FAKES = new RegExp(String.raw`\\+(?=u\{|${HIDDEN_CLASS})`, 'gu');

/** ASCII that prints as itself, without the backslash. */
const PLAIN = /^[ -[\]-~]*$/;

/**
 * Text in which nothing is hidden: each such character as `\u{hex}`. Backslashes before such a character, or before
 * `u{`, are doubled, so that none can be faked; any other stays as it is. One line.
 */
export function visible(text: string): string {
  // Most text is this, and needs neither search; the second is slow to set up.
  if (PLAIN.test(text)) return text;
  return unhidden(text.replace(FAKES, '$&$&'));
}

function unhidden(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** For a terminal: no control or direction character reaches it. */
export function forTerminal(text: string): string {
  return visible(text);
}

/** For XML text and attribute values. */
export function forXml(text: string): string {
  return visible(text).replace(/[&<>"'\ufffe\uffff]/g, (character) => XML[character] ?? '?');
}

const XML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** For the message of a GitHub workflow command. */
export function forGithubMessage(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

/** For a property of a GitHub workflow command. */
export function forGithubProperty(text: string): string {
  return forGithubMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * For Markdown, tables included: every ASCII mark as an HTML character reference, so that nothing is markup,
 * a link or a mention.
 */
export function forMarkdown(text: string): string {
  return visible(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/**
 * For a Markdown document: a code span, in which nothing is markup, a link, HTML or a mention, and what is
 * hidden shows; a line feed as `↵`. Not for a table cell: there a `|` ends it.
 */
export function forMarkdownCode(text: string): string {
  const shown = text.split('\n').map(visible).join('↵');
  if (shown === '') return '(empty)';
  const fence = '`'.repeat(Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  // One space at each end is no part of a code span, and keeps a backtick there apart from the fence.
  const edge = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${edge}${shown}${edge}${fence}`;
}

/** For a text of Mermaid: all but letters, digits and ` _.-` as an entity of it, so that nothing is syntax. */
export function forMermaid(text: string): string {
  return visible(text).replace(/[^A-Za-z0-9 _.-]/gu, (mark) => `#${mark.codePointAt(0) ?? 0};`);
}

/**
 * For a cell of CSV, quoted (RFC 4180): what is hidden shows, and nothing begins as a formula does. A
 * backslash stays as it is, so that a cell of JSON text in which everything shows is read back.
 */
export function forCsv(text: string): string {
  const shown = unhidden(text);
  return `"${(/^[=+\-@]/.test(shown) && !/^-?[0-9]+$/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}

/** JSON text in which every character shows; the same value when it is parsed. Linear. */
export function safeJson(value: unknown, indent: number = 0): string {
  const text = JSON.stringify(value, null, indent); // display
  return text.replace(/[^\n -~]/gu, (character) =>
    visible(character) === character ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
