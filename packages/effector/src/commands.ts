/**
 * The commands there are and what each may be told: a closed list of options for each, so that an option
 * nobody thought of is refused. None of them starts another program, writes a file, reads a list of file
 * names from a file, waits for what a file becomes, or follows links it comes by.
 *
 * @module
 */

/** What an option takes. `flag`: nothing. */
export type OptionKind = 'flag' | 'count' | 'signed_count' | 'list' | 'key' | 'text';

/** What a command may be told. */
export type CommandForm = {
  /** One-letter options by kind. */
  readonly short: Readonly<Partial<Record<OptionKind, string>>>;
  /** Long options by kind, exactly these names: the abbreviations that commands accept are not. */
  readonly long: Readonly<Partial<Record<OptionKind, readonly string[]>>>;
  /** Operands that are no paths and come first. `pattern_unless`: the option that gives it instead. */
  readonly texts: number;
  readonly textInstead: string | null;
  /** At most so many paths, counted when patterns are filled in. */
  readonly paths: number;
  /**
   * Null for a command that is given its paths. One that could write to a file that it is told is given none:
   * these words stand in their place, and it is fed the bytes.
   */
  readonly fed: readonly string[] | null;
  /** Words that keep a command that goes through folders out of `.git`; they stand behind all options. */
  readonly without: readonly string[];
  /** False for a command that only looks at names, sizes and times: it may be given a FIFO. */
  readonly opens: boolean;
  /** True for a command that can be given a folder. */
  readonly folders: boolean;
  /** Exit codes that are an answer. */
  readonly answers: readonly number[];
  /** True where `-5` stands for `-n 5`. */
  readonly numberIsCount: boolean;
};

/** What every system takes. */
const PATHS_MAX = 4_096;

const FILTER: Omit<CommandForm, 'short' | 'long'> = {
  texts: 0,
  textInstead: null,
  paths: PATHS_MAX,
  fed: null,
  without: [],
  opens: true,
  folders: false,
  answers: [0],
  numberIsCount: false,
};
const LISTING: Omit<CommandForm, 'short' | 'long'> = { ...FILTER, opens: false, folders: true };

/** `.git` as a pattern that no case escapes. */
const GIT = '.[gG][iI][tT]';

/** Names of the commands. */
export const COMMAND_NAMES = [
  'cat',
  'cut',
  'du',
  'grep',
  'head',
  'ls',
  'sha256sum',
  'sort',
  'stat',
  'tail',
  'tr',
  'uniq',
  'wc',
] as const;

/** A command that policy may allow. */
export type CommandName = (typeof COMMAND_NAMES)[number];

/** What each command may be told. */
export const COMMANDS: Readonly<Record<CommandName, CommandForm>> = Object.freeze({
  cat: {
    ...FILTER,
    short: { flag: 'nbsETAvet' },
    long: {
      flag: [
        'number',
        'number-nonblank',
        'squeeze-blank',
        'show-all',
        'show-ends',
        'show-tabs',
        'show-nonprinting',
      ],
    },
  },
  cut: {
    ...FILTER,
    short: { flag: 'sz', list: 'fcb', text: 'd' },
    long: {
      flag: ['only-delimited', 'complement', 'zero-terminated'],
      list: ['fields', 'characters', 'bytes'],
      text: ['delimiter', 'output-delimiter'],
    },
  },
  // Without -L, -D and -H a link counts as itself; -X and --files0-from read names from a file.
  du: {
    ...LISTING,
    without: [`--exclude=${GIT}`],
    short: { flag: 'abshkmcSx', count: 'd' },
    long: {
      flag: [
        'all',
        'bytes',
        'apparent-size',
        'summarize',
        'human-readable',
        'total',
        'separate-dirs',
        'one-file-system',
      ],
      count: ['max-depth'],
      text: ['exclude'],
    },
  },
  // Without -R links are not followed; -f reads a file, -P may take time without end.
  grep: {
    ...FILTER,
    without: [`--exclude=${GIT}`, `--exclude-dir=${GIT}`],
    short: { flag: 'EFGivwxclLnoqshHraIbZ', count: 'mABC', text: 'e' },
    long: {
      flag: [
        'extended-regexp',
        'fixed-strings',
        'basic-regexp',
        'ignore-case',
        'invert-match',
        'word-regexp',
        'line-regexp',
        'count',
        'files-with-matches',
        'files-without-match',
        'line-number',
        'only-matching',
        'quiet',
        'silent',
        'no-messages',
        'no-filename',
        'with-filename',
        'recursive',
        'text',
        'byte-offset',
        'null',
      ],
      count: ['max-count', 'after-context', 'before-context', 'context'],
      text: ['regexp', 'include', 'exclude', 'exclude-dir'],
    },
    texts: 1,
    textInstead: 'e',
    folders: true,
    answers: [0, 1],
  },
  head: {
    ...FILTER,
    short: { flag: 'qvz', signed_count: 'nc' },
    long: { flag: ['quiet', 'silent', 'verbose', 'zero-terminated'], signed_count: ['lines', 'bytes'] },
    numberIsCount: true,
  },
  // Without -L and -H a link is listed as itself.
  ls: {
    ...LISTING,
    without: [`--ignore=${GIT}`],
    short: { flag: 'laA1RStrhdFsinpQqgkXvBm' },
    long: {
      flag: [
        'all',
        'almost-all',
        'recursive',
        'reverse',
        'human-readable',
        'directory',
        'inode',
        'size',
        'classify',
        'numeric-uid-gid',
        'ignore-backups',
      ],
    },
  },
  // -c reads names from a file.
  sha256sum: { ...FILTER, short: { flag: 'btz' }, long: { flag: ['binary', 'text', 'tag', 'zero'] } },
  // -o and -T write, --compress-program starts a program, --files0-from reads names, -R and --random-source
  // are random; -m would tell files apart, of which it gets one. How much room it needs a pipe does not say:
  // it takes what it is left.
  sort: {
    ...FILTER,
    fed: ['--buffer-size=100%'],
    short: { flag: 'bdfghiMnrVusz', key: 'k', text: 't' },
    long: {
      flag: [
        'reverse',
        'numeric-sort',
        'general-numeric-sort',
        'human-numeric-sort',
        'version-sort',
        'month-sort',
        'unique',
        'stable',
        'ignore-case',
        'ignore-leading-blanks',
        'ignore-nonprinting',
        'dictionary-order',
        'zero-terminated',
      ],
      key: ['key'],
      text: ['field-separator'],
    },
  },
  stat: {
    ...LISTING,
    short: { flag: 't', text: 'c' },
    long: { flag: ['terse'], text: ['format', 'printf'] },
  },
  // -f, -F, --follow, --retry and --pid wait.
  tail: {
    ...FILTER,
    short: { flag: 'qvz', signed_count: 'nc' },
    long: { flag: ['quiet', 'silent', 'verbose', 'zero-terminated'], signed_count: ['lines', 'bytes'] },
    numberIsCount: true,
  },
  tr: {
    ...FILTER,
    short: { flag: 'cCdst' },
    long: { flag: ['complement', 'delete', 'squeeze-repeats', 'truncate-set1'] },
    texts: 2,
    paths: 0,
  },
  // A second operand would mean a file to write.
  uniq: {
    ...FILTER,
    fed: [],
    short: { flag: 'cduiDz', count: 'fsw' },
    long: {
      flag: ['count', 'repeated', 'unique', 'ignore-case', 'zero-terminated'],
      count: ['skip-fields', 'skip-chars', 'check-chars'],
    },
    paths: 1,
  },
  wc: {
    ...FILTER,
    short: { flag: 'cmlwL' },
    long: { flag: ['bytes', 'chars', 'lines', 'words', 'max-line-length'] },
  },
});

/** True for a command that policy may allow. */
export function isCommandName(name: string): name is CommandName {
  return COMMAND_NAMES.some((known) => known === name);
}
