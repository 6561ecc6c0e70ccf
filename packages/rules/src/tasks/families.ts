/**
 * The families of the grammar: patterns, and the goal each makes of what it kept. Source: 003 §R1.
 *
 * @module
 */
import { ANSWERED, type Asked, type Extreme, type Goal, type Outside } from './goal.js';
import type { Unit } from '@assay/controller/steps';
import type { Refusal } from './doubts.js';
import {
  columnIn,
  NOWHERE,
  sourceIn,
  withFilter,
  withList,
  withName,
  withOf,
  withPlace,
  withSaid,
  withTo,
} from './kept.js';
import { isPacked } from './names.js';
import { pattern, type Kept, type Pattern } from './patterns.js';

/** A pattern with the goal that it means, or why what it kept is none. */
export type Rule = {
  readonly text: string;
  readonly pattern: Pattern;
  readonly goal: (kept: Kept) => Goal | Refusal;
};

const EXTREME_WORDS: readonly (readonly [Extreme, string])[] = [
  ['largest', '[largest|biggest]'],
  ['smallest', '[smallest|tiniest]'],
  [
    'newest',
    '[newest|latest|most recent|most recently changed|most recently modified|last changed|last modified|youngest]',
  ],
  ['oldest', '[oldest|least recently changed|least recently modified]'],
];
const UNIT_WORDS: readonly (readonly [Unit, string])[] = [
  ['lines', 'lines|line'],
  ['words', 'words|word'],
  ['characters', 'characters|character'],
  ['bytes', 'bytes|byte'],
];

const SAME =
  '[duplicate files|duplicated files|duplicates|identical files|' +
  'files with the same content|files with the same contents|files with identical content|' +
  'files that are the same]';

function rules(texts: readonly string[], goal: Rule['goal']): readonly Rule[] {
  return texts.map((text) => ({ text, pattern: pattern(text), goal }));
}

const extremes = EXTREME_WORDS.flatMap(([which, words]) =>
  rules(
    [
      '[find out which is|find out|find|locate|determine|identify|look for|search for|work ' +
        `out|get] [the|which]? ${words} {kind}? file {where} {and}? {write} [its name|the name ` +
        'of it|its path|the name|the path|its file name] {into}',
      `{write} [the name of|the path of|the file name of] the? ${words} {kind}? file {where} {onto}`,
      `[which|what] [is the|file is the|is] ${words} {kind}? file? {where} {and}? {write} [the ` +
        'answer|its name|the name|its path] {into}',
      `[tell me|find out|show me]? [which|what] {kind}? file {where} is the? ${words} {and}? ` +
        '{write} [the answer|its name|the name|its path] {into}',
      `{write} [which file is the|which is the] ${words} file? {where} {onto}`,
    ],
    (kept) => withTo(kept, (to) => withFilter(kept, (filter) => ({ family: 'extreme', which, filter, to }))),
  ),
);

/** `it` may be the file or its name. */
const extremesByIt = EXTREME_WORDS.flatMap(([, words]) =>
  rules(
    [
      `[which|what] [is the|file is the|is] ${words} {kind}? file? {where} {and}? {write} it {into}`,
      `[tell me|find out|show me]? [which|what] {kind}? file {where} is the? ${words} {and}? {write} it {into}`,
    ],
    () => 'ambiguous',
  ),
);

const counts = rules(
  [
    'count {files} {and}? {write} {number} {into}',
    '[how many] {kind}? files {where} [are there|do we have|do i have|exist]? {below}? {and}? {write} {number} {into}',
    '[how many] {kind}? files [are there|exist|do we have|do i have] {where} [in total|' +
      'altogether]? {and}? {write} {number} {into}',
    '{how_many} {kind}? files {contain} {below}? {and}? {write} {number} {into}',
    '{how_many} {kind}? files are {below} {and}? {write} {number} {into}',
    '[count how many|find out how many] {kind}? files [there are|exist|we have|' +
      'i have] {where} [in total|altogether]? {and}? {write} {number} {into}',
    '{write} [the number of|how many] {files} [there are]? {onto}',
    'count {files} {onto}',
  ],
  (kept) => withTo(kept, (to) => withFilter(kept, (filter) => ({ family: 'count', filter, to }))),
);

const lists = rules(
  [
    'list {files} {sorted}? {onto}',
    '[make|create|write] [a list of|a sorted list of] {files} {sorted}? {onto}',
    '{write} [a list of|the list of|a sorted list of|the sorted list of|the names of|' +
      'the paths of|the sorted names of] {files} {sorted}? {onto}',
    '[find|search for|look for|get] {files} {and}? {write} {their_names} {sorted}? {into}',
    '[collect the names of] {files} {and}? {write} {names} {sorted}? {into}',
    '[find|search for|look for|get] {files} {and} list {names} {sorted}? {into}',
    'list {files} {sorted}? {and}? {write} {names} {sorted}? {into}',
    '[make|create|write] [a list of|a sorted list of] {files} {sorted}? {and} {write} [it|the list] {into}',
    '[which|what] {kind}? files are [there]? {below} {and}? {write} {their_names} {sorted}? {into}',
    '[which|what] {kind}? files {contain} {below}? {and}? {write} {their_names} {sorted}? {into}',
    '[search for|look for|grep for|grep|search] {text} [in|through] [all files|all the files|' +
      'the files|every file] {below}? {and}? {write} [the names of the matching files|' +
      'the names of the files|the matching files|their names|the file names|' +
      'the names] {sorted}? {into}',
  ],
  (kept) => withList(kept, (to) => withFilter(kept, (filter) => ({ family: 'list', filter, to }))),
);

/** `them` may be the files or their names. */
const listsByThem = rules(
  [
    '[find|search for|look for|get] {files} {and}? {write} them {sorted}? {into}',
    '[which|what] {kind}? files are [there]? {below} {and}? {write} them {sorted}? {into}',
    '[which|what] {kind}? files {contain} {below}? {and}? {write} them {sorted}? {into}',
    `[find|look for|search for|identify|detect] [all the|all|the|any]? ${SAME} {below}? {and}? {write} them {into}`,
    '[which|what] files [are duplicates|are identical|have the same content|' +
      'have identical content|are the same] {below}? {and}? {write} them {into}',
  ],
  () => 'ambiguous',
);

const measures = UNIT_WORDS.flatMap(([unit, words]) =>
  rules(
    [
      `count [the|all|all the]? ${words} [of|in] {file}? <of> {and}? {write} {number} {into}`,
      `[how many] ${words} [are in|are there in|does|has] {file}? <of> [have|has|contain]? ` +
        '{and}? {write} {number} {into}',
      `{write} [the number of|how many] ${words} [of|in|are in|there are in] {file}? <of> {onto}`,
      `{write} [how many] ${words} {file}? <of> [has|contains] {onto}`,
      `[how long|how big|how large] is {file}? <of> in [${words}] {and}? {write} [the size|the ` +
        'length|the number|the count|the result|the answer|it] {into}',
      `[what is] [the size of|the length of] {file}? <of> in [${words}] {and}? {write} [the ` +
        'size|the length|the number|the count|the result|the answer|it] {into}',
      `{write} [the size of|the length of] {file}? <of> in [${words}] {onto}`,
      `count [the|all|all the]? ${words} [of|in] {file}? <of> {onto}`,
    ],
    (kept) => withOf(kept, (of, to) => ({ family: 'measure', unit, of, to })),
  ),
);

const collects = rules(
  [
    '[concatenate|join|merge|combine|collect] {files} {sorted}? {onto}',
    '[concatenate|join|merge|combine] {files} {sorted}? together {onto}',
    '[concatenate|join|merge|combine] {files} {sorted}? together? {and} {write} [the result|it|everything] {into}',
    '[collect|concatenate|join|merge|combine] [the contents of|the content of|the text of] {files} {sorted}? {onto}',
    '{write} [the contents of|the content of|the text of] {files} {sorted}? {onto}',
  ],
  (kept) => withList(kept, (to) => withFilter(kept, (filter) => ({ family: 'collect', filter, to }))),
);

const copies = rules(
  [
    'copy {file}? <of> {place}',
    '[make|create] [a copy of|a duplicate of] {file}? <of> {place}',
    '[make|create] [a copy of|a duplicate of] {file}? <of> at <to>',
    'duplicate {file}? <of> {place}',
    '{write} a copy of {file}? <of> {place}',
    '[back up|backup] {file}? <of> {place}',
  ],
  (kept) => withPlace(kept, (of, to) => ({ family: 'copy', of, to })),
);

// A bare name of an archive may be where the file is put into; quotes say that it is the path, and another
// name is one either way.
const moves = [
  ...rules(['move {file}? <of> {place}'], (kept) =>
    withPlace(kept, (of, to) =>
      kept.get('to')?.isQuoted !== true && isPacked(of, to) ? 'ambiguous' : { family: 'move', of, to },
    ),
  ),
  ...rules(['change the path of {file}? <of> to <to>', 'give {file}? <of> the path <to>'], (kept) =>
    withPlace(kept, (of, to) => ({ family: 'move', of, to })),
  ),
];

const renames = rules(
  [
    'rename {file}? <of> [to|as|into] <to>',
    'change the name of {file}? <of> [to|into] <to>',
    'give {file}? <of> [the name|the new name] <to>',
  ],
  (kept) => withName(kept, (of, to) => ({ family: 'move', of, to })),
);

const creates = rules(
  [
    '[create|make|write] [a new file|a file|the file|the new file|file]? [called|' +
      'named]? <to> [with the text|that says|which says|saying] <said>',
    '[create|make|write] [a new file|a file|the file|the new file|file]? [called|' +
      'named]? <to> [with the content|with the contents|containing|that contains|with] <phrase>',
    '[create|make] [a new file|a file|the file|the new file|file]? [called|' +
      'named]? <to> with <phrase> [in it|inside|inside it]',
    '{write} [the text|the words|the sentence] <said> {into}',
    '{write} <phrase> {into}',
    '[create|make] [a new file|a file|the file] [called|named]? <to> {and} {write} <phrase> [into it|to it|in it]',
  ],
  (kept) => withSaid(kept, (text) => withTo(kept, (to) => ({ family: 'create', text, to }))),
);

const removes = rules(
  [
    '[delete|remove|erase|throw away|get rid of] {file}? <of>',
    "[i do not need|i don't need|i no longer need|i do not want|" +
      "i don't want] {file}? <of> [any more|anymore]? [delete it|remove it]",
    'make sure {file}? <of> [is gone|is deleted|does not exist]',
  ],
  (kept) => {
    const of = sourceIn(kept);
    return of === null ? 'outside_workspace' : { family: 'remove', of };
  },
);

const sums = rules(
  [
    '[sum up|sum|add up|add|total] [the|all the|all]? [numbers|values|amounts|figures] [in|' +
      'of|from] {file}? <of> {and}? {write} [the sum|the total|the result|it] {into}',
    '[sum up|sum|add up|add|total] {column} [in|of|' +
      'from] {file}? <of> {and}? {write} [the sum|the total|the result|it] {into}',
    '[calculate|compute|work out|determine|find] [the sum of|the total of] [the|all the|' +
      'all]? [numbers|values|amounts|figures] [in|of|' +
      'from] {file}? <of> {and}? {write} [the sum|the total|the result|it] {into}',
    '[calculate|compute|work out|determine|find] [the sum of|the total of] {column} [in|of|' +
      'from] {file}? <of> {and}? {write} [the sum|the total|the result|it] {into}',
    '{write} [the sum of|the total of] [the|all the|all]? [numbers|values|amounts|' +
      'figures] [in|of|from] {file}? <of> {onto}',
    '{write} [the sum of|the total of] {column} [in|of|from] {file}? <of> {onto}',
    '[what is] [the sum of|the total of] [the|all the|all]? [numbers|values|amounts|' +
      'figures] [in|of|from] <of> {and}? {write} [it|the answer|the sum|the result] {into}',
    '[what is] [the sum of|the total of] {column} [in|of|from] <of> {and}? {write} [it|' +
      'the answer|the sum|the result] {into}',
  ],
  (kept) => withOf(kept, (of, to) => ({ family: 'sum', of, column: columnIn(kept), to })),
);

const duplicates = rules(
  [
    `[find|look for|search for|identify|detect] [all the|all|the|any]? ${SAME} {below}? ` +
      '{and}? {write} {their_names} {into}',
    `list [all the|all|the|any]? ${SAME} {below}? {and}? {write} {names} {into}`,
    `[find|look for|search for|identify|detect] [all the|all|the|any]? ${SAME} {below}? {and} list {names} {into}`,
    `[are there] [any]? ${SAME} {below}? {and}? {write} {names} {into}`,
    `{write} [the names of|a list of|the list of]? [all the|all|the]? ${SAME} {below}? {onto}`,
    '[which|what] files [are duplicates|are identical|have the same content|have identical ' +
      'content|are the same] {below}? {and}? {write} {their_names} {into}',
    `list [all the|all|the|any]? ${SAME} {below}? {onto}`,
  ],
  (kept) => withList(kept, (to) => withFilter(kept, (filter) => ({ family: 'duplicates', filter, to }))),
);

const PER =
  '[the total size|the total sizes|total size|the size|the sizes|the total bytes|' +
  'the bytes] [of all files|of the files|of files]? [per|by|for each|of each|' +
  'for every] [file extension|extension|file type|type of file]';
const sizes = rules(
  [
    '[add up|sum up|total] [the file sizes|file sizes|the sizes of the files|the sizes of ' +
      'all files|the sizes of files] [per|by|for each|for every] [file ' +
      'extension|extension|file type|type of file] {below}? {and}? {write} [it|them|the ' +
      'result|the results|the totals|the sums] {into}',
    `${PER} {below}? {and}? {write} [it|them|the result|the results|the totals]? {into}`,
    `[report|compute|calculate|determine|work out|sum up|find] ${PER} {below}? {and}? ` +
      '{write} [it|them|the result|the results|the totals|the report|the sums] {into}',
    `[report|list|summarise|summarize|show] ${PER} {below}? {onto}`,
    `{write} ${PER} {below}? {onto}`,
    '[how large are|how big are] [the files|all files] [per|by|for each] [extension|file ' +
      'type|file extension] {below}? {and}? {write} [it|the totals|the answer|the sizes] {into}',
  ],
  (kept) => withTo(kept, (to) => withFilter(kept, (filter) => ({ family: 'sizes', filter, to }))),
);

/**
 * Rules of the same sentences without the file that the answer is written to: the answer is said. Source:
 * calls/C9.
 */
export const ANSWERS: readonly Rule[] = [
  ...extremes,
  ...counts,
  ...lists,
  ...measures,
  ...sums,
  ...duplicates,
  ...sizes,
]
  .flatMap(({ text, goal }) => {
    const short = /^(?!\{write\}|\[make)(.+?)(?: \{and\}\??)?(?: \{write\} .*\{into\}| \{onto\})$/.exec(
      text,
    )?.[1];
    return short === undefined ? [] : rules([short], goal);
  })
  .map(({ goal, ...rule }) => ({ ...rule, goal: (kept) => answerOf(goal(withNowhere(kept))) }));

function withNowhere(kept: Kept): Kept {
  return new Map([...kept, [NOWHERE, { text: '', lower: '', isQuoted: false }]]);
}

function answerOf(found: Goal | Refusal): Goal | Refusal {
  if (typeof found === 'string') return found;
  return isAsked(found) ? { family: 'answer', goal: found } : 'ambiguous';
}

function isAsked(goal: Goal): goal is Asked {
  return ANSWERED.some((family) => family === goal.family);
}

/** Every rule of the grammar that writes a file or changes one. */
export const RULES: readonly Rule[] = [
  ...extremes,
  ...extremesByIt,
  ...counts,
  ...lists,
  ...listsByThem,
  ...measures,
  ...collects,
  ...copies,
  ...moves,
  ...renames,
  ...creates,
  ...removes,
  ...sums,
  ...duplicates,
  ...sizes,
];

/** How requests begin that need what no workspace has. */
export const OUTSIDE_BEGINNINGS: readonly (readonly [Outside, readonly (readonly string[])[]])[] = [
  [
    'web_search',
    [
      'search the web',
      'search the internet',
      'search online',
      'google',
      'look up online',
      'look online',
      'browse the web',
      'find on the web',
      'check the weather',
      'what is the weather',
    ].map((phrase) => phrase.split(' ')),
  ],
  [
    'mail',
    [
      'send an email',
      'send an e-mail',
      'send a mail',
      'send a message',
      'email',
      'e-mail',
      'mail',
      'write an email',
      'write an e-mail',
      'reply to the email',
      'check my email',
      'check my mail',
    ].map((phrase) => phrase.split(' ')),
  ],
  [
    'calendar',
    [
      'schedule',
      'add an event',
      'add a meeting',
      'create an appointment',
      'make an appointment',
      'put in my calendar',
      'add to my calendar',
      'remind me',
      'what is on my calendar',
      'check my calendar',
      'book a meeting',
    ].map((phrase) => phrase.split(' ')),
  ],
];
