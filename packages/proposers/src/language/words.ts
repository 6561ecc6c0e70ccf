/**
 * The words of the requirements language by class. A class is a letter: a sentence becomes a string of letters, and
 * the grammar is written over them. A word in no class is `n`.
 */
import type { Modality, Op } from '@assay/kernel/intent';

/** What a clause does. `free`: it takes a duty away. */
export type Force = 'must' | 'must_not' | 'should' | 'should_not' | 'may' | 'free';

/** What a claim of a force says. */
export function findModality(force: Force): Modality {
  return force === 'free' ? 'may' : force === 'should_not' ? 'should' : force;
}

/** The rows of a table, each in two parts; a line that begins with `|` goes on with the row above. */
export function rows(table: string, mark: string): readonly (readonly [head: string, rest: string])[] {
  const lines = table.trim().replaceAll('\n|', '').split('\n');
  return lines.map((line) => [
    line.split(mark, 1)[0]?.trim() ?? '',
    line.slice(line.indexOf(mark) + mark.length).trim(),
  ]);
}

/** Rows `VALUE words|phrases`, by phrase. */
function phrases(table: string): readonly (readonly [value: string, phrase: string])[] {
  return rows(table, ' ').flatMap(([value, list]) =>
    list.split('|').map((phrase) => [value, phrase] as const),
  );
}

/** The force of a letter. */
export const FORCES: ReadonlyMap<string, Force> = new Map(
  phrases('M must\nX must_not\nS should\nY should_not\nA may\nF free') as readonly (readonly [
    string,
    Force,
  ])[],
);

/** Pattern 7, behind `is` and `are`: the force, and what the key says. */
export const VERDICTS: ReadonlyMap<string, { readonly force: Force; readonly key: string }> = new Map(
  phrases(`
must.required required|mandatory
free.required not required
should.recommended recommended
should_not.recommended not recommended
may.allowed allowed|permitted|optional
must_not.allowed not allowed|not permitted|forbidden|prohibited`).flatMap(([value, phrase]) => {
    const [force, key = ''] = value.split('.');
    return ['is', 'are'].map((be) => [`${be} ${phrase}`, { force: force as Force, key }] as const);
  }),
);

const LESS =
  'less|fewer|lower|shorter|smaller|lighter|younger|cheaper|narrower|colder|cooler|quieter|thinner|earlier';
const MORE =
  'more|longer|higher|greater|larger|bigger|older|heavier|wider|taller|thicker|deeper|hotter|warmer|louder';
const PERIODS = ['minute', 'hour', 'shift', 'day', 'night', 'morning', 'week', 'month', 'quarter', 'year'];

/**
 * The letter of each word or phrase. Force, and who it binds: `MXSYAF0VPBNOQU`. Openers of a clause `I`, of a clause
 * or a noun `T`, of a noun `J`, of exceptions `E G w`. Branches `C D t`, reasons `R`, joints `j + k`, denials `Z`, the
 * force of another English `K`, finite verbs `H h`, relatives `r`, pronouns `u m o`, a part `q`, the past `e`, who
 * reports `y a`, comparisons `z c`, what turns a bound `x l`, determiners `d`, prepositions `p` (they lead), `f` (they
 * pick out) and `s`, verbs `b v i g`, what is held at a level `L`.
 */
export const CLASSES: ReadonlyMap<string, string> = new Map(
  phrases(`
M must|shall
X must not|shall not|must never|shall never|mustn't|shan't
S should
Y should not|should never|shouldn't
A may
F need not|needn't
0 may not|may never
V ${[...VERDICTS.keys()].join('|')}
P please|always
B do not|don't
N never
O no
Q nobody|no one
U only|just
I if|when|whenever|while|once|as long as|as soon as|in case
T before|after|until
J during|upon
E unless|except if|except when|except where|except while
G except|except for
w without
C otherwise|or else|else
D in that case|in this case
t then
% if possible|if needed|if necessary|where possible|when possible|on condition|in the event|provided that
||providing|assuming|so long as|insofar as|in the case of|subject to|pending|barring|apart from|save for
R because|so that|in order
j and
+ or
k but
Z not|none|neither|nor|nothing|nowhere|hardly|barely|scarcely|seldom|rarely
K can|cannot|can't|could|couldn't|will|won't|would|wouldn't|might|ought|wants|want|wish|wishes|needs|hope|hopes
H is|are|was|were
h am|has|had|did|does|been|being|isn't|aren't|wasn't|doesn't|didn't|hasn't|has been|have been
r that|which|who|whom|whose|whether|how|what|why
u it|you
m me|us|them|him
o they|we|he|she|i
q most|some|several|many|few|half|other|every second|every other|each second|every third
e rose|fell|went|came|grew|took|got|gave|began|became|ran
y say|says|said|think|thinks|thought|believe|believes|believed|claim|claims|claimed|know|knows|knew|told|tells|states
||stated|writes|wrote|assume|assumes|suggest|suggests|suggested|argue|argues|doubt|doubts|guess|feel|feels|felt|mean
||means|meant|promise|promises|promised|decides|decided|agree|agrees|agreed|insist|insists|heard|hear|reads|reports
||reported|propose|proposes|proposed|mention|mentions|mentioned|explains|explained|rumour
z than|least|at most|a maximum of|a minimum of|no more|not more|no less|not less|no fewer
c ${LESS}|${MORE}|farther|further|later|faster|slower|sooner|better|worse|in advance|ahead|ago|apart|prior|extra
x avoid|avoids|avoided|prevent|prevents|prevented|rejects|rejected|refuses|refused|fail|fails|forget|omit|neglect
||excludes|excluded|ignored|blocks|blocked|denied|forbid|prohibit|cease|limits|rule|rules|requirement|requirements
||restriction|ban|bans|threshold|thresholds|deadline|almost|nearly|even|twice|instead|rather|abolish|lift|waive|undo
||impossible|unable|up|about|around
l reject|refuse|block|ignore|exclude|deny|limit|cap|restrict
d the|a|an|all|each|every|our|your|my|its|their|this|these|those|his|her|any|both
p in|on|at|for|under|from
f of|with
s to|by|into|over|above|below|as|within|through|between|against|per|like|since
b be
v stay|remain|lie|fall|drop|sink|rise|climb|go|cost|last|read|score|grow|total
i keep|weigh|take|hold|run|measure
a report|write|explain
L kept|stored|held|cooled|heated|maintained|chilled|priced|set|limited|well|far
g accept|add|allow|answer|approve|archive|arrange|ask|assign|attach|back|book|build|buy|call|cancel|change|charge
||check|choose|clean|close|collect|compare|confirm|copy|cover|create|cut|delete|deliver|deploy|describe|disable
||display|document|email|enable|encrypt|ensure|export|fill|finish|fix|follow|give|grant|hide|import|include|inform
||inspect|install|issue|label|leave|let|list|lock|log|make|mark|merge|migrate|monitor|move|name|notify|offer|open
||order|organise|pack|paint|pay|plan|prepare|print|process|protect|provide|publish|put|record|refund|release|remind
||remove|rename|renew|repair|replace|reply|require|reserve|reset|restart|restore|retain|retry|return|review|revoke
||rotate|save|scan|schedule|seal|secure|sell|send|serve|ship|show|sign|sort|start|stop|store|submit|support|switch
||test|track|train|translate|turn|update|upgrade|upload|use|validate|verify|wait|warn|wash|water
n in order of|${PERIODS.map((one) => `once a ${one}|once per ${one}|once every ${one}`).join('|')}`).map(
    ([letter, phrase]) => [phrase, letter],
  ),
);
/** Words that begin a phrase of several words. */
export const OPENERS: ReadonlySet<string> = new Set(
  [...CLASSES.keys()].flatMap((phrase) => (phrase.includes(' ') ? phrase.split(' ').slice(0, 1) : [])),
);

/** A list as a set. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** A comparison: how it bounds, and the letter of a limit that it makes. */
export type Comparison = { readonly op: Op; readonly letter: string };
function comparisons(table: string): ReadonlyMap<string, Comparison> {
  return new Map(
    phrases(table).map(([value, phrase]) => [phrase, { letter: value.charAt(0), op: value.slice(1) as Op }]),
  );
}
const than = (list: string): string => list.replace(/\w+/g, '$& than');

/** Before an amount. `1`, `@`: wherever it stands; `2`, `3`: right behind its verb; `9`: behind `may`. */
export const BOUNDS = comparisons(`
1<= at most|no more than|not more than|a maximum of|no longer than|no later than|not later than|≤|< =
1>= at least|no less than|not less than|no fewer than|a minimum of|≥|> =
1= exactly|=
1< <
1> >
2= ${than('faster|slower')}
2< ${than(LESS)}
2> exceed|${than(`${MORE}|later|farther|further`)}
3< under|below
3> over|above
9<= up to
@<= within`);
/** These compare as the unit says: `faster than 50 km/h` is more, `faster than 2 s` less. */
export const PACED: ReadonlySet<string> = new Set(['faster', 'slower']);
/** Before a date or clock time. */
export const TIMES = comparisons(`
7<= by|until|no later than|not later than|on or before
7< before
7> after
7>= from|no earlier than|not earlier than|on or after|as of
7= on|at`);

/** `moved from 1 May to 3 May`: what was and what is to be, no range. */
export const CHANGED = new RegExp(
  '\\b(?:chang|convert|cut|decreas|delay|drop|extend|fall|go|grow|increas|lower|migrat|mov|postpon|rais|reduc|' +
    'replac|ris|shift|shrink|sink|switch|turn|updat|upgrad)(?:e|ed|ped|n)?\\b.* from ',
);

/** Before a plain amount that stands for itself: pattern 13. */
export const BEFORE_PLAIN = words('for to at every after by');
/** Behind these `if` and `when` say what is asked. */
export const ASKING = words(
  'check test ask verify see show say know decide tell report log record indicate display determine note state be',
);
/** Verbs of the measure `retention`, and verbs that say nothing of a measure. */
export const RETENTION = words(
  'keep kept retain retained store stored hold held delete deleted erase erased remove removed purge purged',
);
export const LIGHT = words('be stay remain have exceed also');
/** Days and spans that the words do not date. */
export const DAYS = words('monday tuesday wednesday thursday friday saturday sunday tomorrow tonight today');
export const MONTHS = words(
  'january february march april june july august september october november december',
);
export const SPANS = words('week weekend month quarter year spring summer autumn winter');
/** Words of a title under which orders are read. */
export const TITLES = words(
  'requirements requirement rules acceptance criteria constraints functional non-functional performance security the ' +
    'goals what we need for and scope in must have musts quality operations general other tasks to do todo please',
);
export const GREETINGS = words('hi hello dear hey');
