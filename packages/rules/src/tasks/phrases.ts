/**
 * Phrases that several families share, and which tokens may stand where. The grammar's word lists. Source:
 * 003 §R1.
 *
 * @module
 */
import {
  isFolderName,
  isFolderWord,
  isFunctionWord,
  isHeadingWord,
  isKnownHeading,
  ordinalIn,
} from './bare-names.js';
import { pattern, type Pattern } from './patterns.js';
import { lowered, type Token } from './tokens.js';

/** Version of the grammar, recorded with every answer. */
export const CONTROL_GRAMMAR_VERSION = 1;

/** Extensions that are understood without a dot in front of `files`. */
export const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'txt md csv tsv json jsonl log ts js mjs py html css xml yml yaml toml ini c h cpp java ' +
    'rs go sh sql png jpg jpeg gif svg pdf zip bin dat'
  ).split(' '),
);
const EXTENSION = /^(?:\*?\.)?[\w\u0080-\u{10FFFF}-]{1,16}$/u;

/** Words that say how much, which, or what kind of text, whatever letters they are written in. */
const VAGUE: ReadonlySet<string> = new Set(
  (
    'a an the i it its no not none nothing nobody nowhere any anything anyone anybody some ' +
    'something somebody all everything every each both many much more most few less text ' +
    'texts word words letter letters number numbers digit digits space spaces tab tabs line ' +
    'lines character characters link links url urls code data date dates name names image ' +
    'images picture pictures error errors whitespace content contents only just exactly json ' +
    'html xml ascii unicode utf-8 utf8 crlf lf bom pdf pdfs csv'
  ).split(' '),
);
/**
 * A word that no one says for what it means, in ASCII: all in large letters, or with a digit, a sign or a
 * large letter inside.
 */
const LITERAL = /[!-,./0-9:-@[-`{-~]|[a-z][A-Z]|^[A-Z][A-Z-]+$/;

/** Signs of alternatives or of a pattern, which a text that is searched for would hold as they stand. */
const PARTED = /[|[\]*?^$\\,;&{}]|[A-Za-z0-9\u0080-\u{10FFFF}]\/[A-Za-z0-9\u0080-\u{10FFFF}]/u;

const isPlain = ({ text, lower, isQuoted }: Token): boolean =>
  text !== '' &&
  (isQuoted || (LITERAL.test(text) && !VAGUE.has(lower) && !text.includes("'") && !PARTED.test(text)));
const isPathLike = ({ text, isQuoted }: Token): boolean =>
  isQuoted || (/[./]/.test(text) && !/[*?]/.test(text));

/** Which tokens a name may keep. */
export const KINDS: ReadonlyMap<string, (token: Token) => boolean> = new Map<
  string,
  (token: Token) => boolean
>([
  ['to', isPathLike],
  ['at', isPathLike],
  ['inside', isPathLike],
  ['within', isPathLike],
  ['named', isPathLike],
  ['of', isPathLike],
  ['under', (token) => isPathLike(token) || isFolderWord(token)],
  ['home', (token) => isPathLike(token) || isFolderWord(token)],
  ['folder', isFolderName],
  [
    'ext',
    ({ text, lower, isQuoted }) =>
      EXTENSION.test(text) &&
      (isQuoted || EXTENSIONS.has(lower) || !(VAGUE.has(lower) || isFunctionWord(lower))),
  ],
  ['ending', ({ text }) => EXTENSION.test(text) && (EXTENSIONS.has(lowered(text)) || /^\*?\./.test(text))],
  [
    'kind',
    ({ text, lower, isQuoted }) =>
      !isQuoted && (EXTENSIONS.has(lower) || /^\*?\.[\w\u0080-\u{10FFFF}-]{1,16}$/u.test(text)),
  ],
  [
    'glob',
    ({ text, isQuoted }) =>
      (isQuoted || (/[*?]/.test(text) && !text.endsWith('?'))) && text !== '' && !text.includes('/'),
  ],
  [
    'text',
    ({ text, lower, isQuoted }) => text !== '' && (isQuoted || !(PARTED.test(text) || isFunctionWord(lower))),
  ],
  ['plain', isPlain],
  ['member', isPlain],
  ['said', ({ isQuoted }) => isQuoted],
  ['phrase', ({ isQuoted }) => isQuoted],
  ['column', ({ text, isQuoted }) => isQuoted || /^[1-9][0-9]{0,3}$/.test(text)],
  ['heading', isHeadingWord],
  ['known', isKnownHeading],
  ['ordinal', (token) => ordinalIn(token) !== null],
]);

const PHRASES: readonly (readonly [name: string, patterns: readonly string[]])[] = [
  ['write', ['[write down|write|save|put|store|record|note down|note|output|enter]']],
  // Behind what is written: `write the number in n.txt`.
  ['into', ['[to|into|as] {new}? <to>', 'in {new} <to>', 'in <at>']],
  // Behind files, which `in` may say where to find: `list all files in docs/old`.
  [
    'onto',
    [
      '[to|into|as] {new}? <to>',
      'in [the new file|a new file|a file|one file|a single file] [called|named]? <to>',
      'in [the file|file]? [called|named]? <inside>',
    ],
  ],
  [
    'new',
    ['[the new file|the file|a new file|a file|file|one file|one new file|a single file] [called|named]?'],
  ],
  // One file that is there.
  ['file', ['[the file called|the file named|the file|file]']],
  // Where a copy goes: `into` is a folder, `as` a name.
  [
    'place',
    [
      'to [the file|a file|file]? <to>',
      'into [the file|a file|file] <to>',
      '[into|in] <within>',
      '[to|into] [the folder|folder|the directory|directory] <home>',
      '[to|into] the <home> [folder|directory]',
      '[as|called|named] [the file|a file|file]? <named>',
    ],
  ],
  ['text', ['[the text|the string|the phrase] <text>', '<plain>']],
  ['member', ['[the text|the string|the phrase] <text>', '<member>']],
  ['contain', ['[contain|mention] {text}', 'include {member}']],
  ['and', ['[and then|and|then]']],
  [
    'number',
    [
      '[the number of them|the number of files|the number|the count|the result|the total|' +
        'how many there are|how many|it|the answer]',
    ],
  ],
  ['how_many', ['[how many|count how many|find out how many]']],
  [
    'sorted',
    [
      '[sorted by name|sorted by path|sorted alphabetically|sorted|in order|alphabetically|in alphabetical order]',
      'one per line',
      'sorted one per line',
    ],
  ],
  ['kind', ['<kind>']],
  [
    'typed',
    [
      '[with the extension|with extension] <ext>',
      '[with the ending|ending in|ending with|that end in|of type|of the type] <ending>',
      '[matching|matching the pattern|whose names match|whose name matches|that match|named like] <glob>',
    ],
  ],
  [
    'holding',
    [
      '[containing|that contain|that contains|which contain|which contains|that mention|' +
        'that mentions|mentioning|that hold|that holds] {text}',
      '[that include|that includes|including] {member}',
      '[with] [the text|the string|the phrase] <text>',
      '[with] {text} [in them|inside|in it]',
    ],
  ],
  [
    'below',
    [
      '[in|under|below|inside|within|from] [the folder|folder|the directory|directory] <folder>',
      '[in|under|below|inside|within] <under>',
      '[in|under|below|inside|within|from] the <home> [folder|directory]',
      '[in|of] [the workspace|this workspace|my workspace|this folder|the whole workspace]',
      'here',
    ],
  ],
  ['where', ['{typed}? {holding}? {below}?', '{below} {holding}', '{below} {typed}', '{holding} {typed}']],
  ['files', ['[all the|all of the|all|the|any]? {kind}? files {where}', '[every|each] {kind}? file {where}']],
  [
    'column',
    [
      'the? column <column>',
      'the? column [called|named]? <heading>',
      'the? column [called|named] <known>',
      'the? <ordinal> column',
      'the? <known> column',
    ],
  ],
  // Behind `list`, `them` are the names; behind files it may be these.
  ['names', ['them', '{their_names}']],
  [
    'their_names',
    [
      '[their names|the names|their paths|the paths|the list|a list of them|the names of them|' +
        'the file names|a sorted list]',
    ],
  ],
];

/** The shared phrases by name. */
export const TABLE: ReadonlyMap<string, readonly Pattern[]> = new Map(
  PHRASES.map(([name, patterns]) => [name, patterns.map((text): Pattern => pattern(text))] as const),
);

/** What may stand before a request, and behind it, without changing it. */
export const COURTESIES: {
  readonly before: readonly (readonly string[])[];
  readonly behind: readonly (readonly string[])[];
} = {
  before: [
    'please',
    'could you please',
    'can you please',
    'would you please',
    'could you',
    'can you',
    'would you',
    'will you',
    'i want you to',
    'i need you to',
    "i'd like you to",
    'kindly',
    'hi',
    'hello',
    'hey',
    'ok',
    'okay',
    'now',
  ].map((phrase) => phrase.split(' ')),
  behind: ['please', 'thanks', 'thank you', 'for me', 'for me please', 'now'].map((phrase) =>
    phrase.split(' '),
  ),
};
