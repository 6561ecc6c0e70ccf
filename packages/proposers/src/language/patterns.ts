/**
 * The patterns of the language: how each is written, an example, and the form by which a clause is known as one. Forms
 * are written over letters of the word classes. The table of docs/formats/requirements.md is made of these rows.
 */
import { rows, type Force } from './words.js';

/** The patterns in the order of the page, by name: `WRITE => EXAMPLE`. A line that begins with `|` goes on. */
const TABLE = `
demand X **must / shall** V => The audit log must name the user.
forbid X **must not / shall not / must never** V => The report must not contain names.
wish X **should / should not** V => The page should show a preview.
leave X **may** V, X **need not** V => Parents may pay by card.
nobody **No** X **may** V, **Nobody may** V => No guest may smoke in the rooms.
only **Only** X **may** V => Only admins may delete accounts.
verdict X **is required / recommended / optional / allowed / not allowed / forbidden / prohibited**
| => A signature is required.
order **Please** V, **Always** V, V with a verb of the list, ended by a point => Send a receipt to the buyer.
ban **Do not** V, **Never** V => Never leave the gate open.
said with **at most, at least, no more than, no less than, within, a maximum of, a minimum of** N
| => The server must answer within 300 ms.
strict **under, over, below, above, less than, more than, …er than** N right behind the verb, \`be\`, or its preposition
| => The site should load in under 2 s.
exceed **must not exceed** N, **must not** V + row 11 => The invoice must not exceed 900 EUR.
plain **exactly** N; a plain N, alone, behind the verb or **for, to, at, every, after, by** (not with *may*, *not*)
| => Keep logs for 30 days.
range **between** N **and** N, **from** N **to** N => The tank must hold between 200 and 250 l.
moment **by, until, before, after, on, at, from, no later than** D => Proposals must arrive by 1 March 2027.
share **At least** N X **must** V, **At most** N X **may** V; also N % **of** X
| => At least 95 % of letters must arrive.
filter X **over / under / …er than** N **must** V => Orders over 500 EUR must be approved.
lead **If / When / While / Where / Given / Once / Before / After / During / In / On / At / For / As long as** C**,**
| (**then**) a pattern; several leads => When the door opens, the alarm must sound.
trail a pattern, then **if / when / while / once / until / before / after / during / as long as** C
| => The alarm must sound if the door opens.
exception a pattern, then **unless** C, **except** C; behind *not* also **without** C
| => Staff must not enter unless a guard is present.
branch rows 18–20, then **, otherwise** or **; in that case** a pattern (also as the next sentence)
| => Refund it if it is late, otherwise ask me.
joint two patterns joined by **and**, **but**, **;**, each with its own force word
| => Pages must load within 2 s and must not show adverts.
label label**:** limits parted by commas; order**:** limits => Budget: at most 1,200 EUR.
stem a line ending in **must / must not / should / may** and **:**, then a list of V
| => The app must not:\\n- store card numbers
reason a pattern, then **because** or **so that** and a reason without comma => Lock the door because of the cash.`;

/** One way to write a demand, in Markdown, with an example. */
export type Pattern = { readonly name: string; readonly write: string; readonly example: string };
/** The patterns in the order of the page. */
export const PATTERNS: readonly Pattern[] = rows(TABLE, '=>').map(([head, example]) => {
  const [name = '', write = ''] = head.split(/ (.*)/);
  return { name, write, example: example.replace('\\n', '\n') };
});

// A thing: words that name, at most fourteen; or a pronoun. Reporting words stand first, last, or before a preposition.
const NAME = '[ngivdpfsj+clxL#,]|(?<=^[UO]?d?)[ya]|[ya](?=[pfsMXSYAFV]|$)';
const THING = `(?<thing>[uo]|(?:${NAME}){1,14})`;
// What is done: free words and limits, then at most a relative clause.
const WORD = '[ngivdpfsj+clxLbaumy#wqP$?,]';
const TAIL = '(?:r[ngivdpfsj+clxLbaumy#wq$,oHVheKZNOIT-]*)?';
const ACTION = `(?<action>[ngivclxLbauy2](?:${WORD}|[1-9@])*${TAIL})`;

/** The forms of one clause, in the order in which they are tried. */
export const CLAUSES: readonly (readonly [name: string, form: RegExp])[] = [
  ['share', `[1-3@]f?${THING}?(?<force>[MSA])${ACTION}`],
  ['nobody', `(?:O${THING}|Q(?:[pfs](?:${NAME})+)?)A${ACTION}`],
  ['only', `U${THING}A${ACTION}`],
  ['filter', `${THING}(?<filter>[23])(?<force>[MXSYAF])${ACTION}`],
  ['demand', `${THING}?(?<force>[MXSYAF])(?:(?<=[MS])P)?${ACTION}`],
  ['ban', `P?[BN]${ACTION}`],
  ['verdict', `(?:${THING}|4[pfs]?[ngd]*)(?<filter>[23])?(?<force>V)(?<action>(?:${WORD}|[1-7@])*)`],
  ['order', `(?:P{1,2}|(?=[gia][dum]|[gia][^:]*$))${ACTION}(?::(?<limits>.+))?`],
  ['label', `${THING.replace('1,14', '1,6')}:(?<limits>.+)`],
].map(([name = '', form]) => [name, new RegExp(`^${form}$`, 'd')]);
/** The force of a clause whose pattern says it without a force word of its own. */
const NAMES: { readonly [name: string]: Force } = { nobody: 'must_not', ban: 'must_not', only: 'must' };
export const NAMED: ReadonlyMap<string, Force> = new Map(Object.entries(NAMES));
/** A strict limit that bounds what is done: right behind its verb, or behind another limit and `and`. */
export const STRICT = new RegExp(
  '(?<=^(?:b[nvL]?|[ngivlx])?[psdbf]*|^[ngivlx]d[ng][ps][psdb]*)2|' +
    '(?<=^(?:bL?[psd]*|[vi][psd]*|[ngivlx][psd]+|b[ngiv][psd]+))3|(?<=[1-36@][jk])[23]',
  'g',
);
/** A plain amount that is what is done. */
export const PLAIN = /(?<=^[ngivb](?:d[ng])?)4/;
/** A reason, and one limit of a label with what it is about. */
export const REASON = /^R[^,:;kMXSYAF]+$/;
export const LABELLED = /^[1-36@][ngivdpfsj+cL]{0,8}$/;

// Scopes: a clause, a clause or a noun, a noun or a limit. A joint stands between verbs, and before a further opener.
const CLAUSE = '(?=.)(?!I|.*[^j+]I|.*[HV][^,j+krczT]*[HV])[ngivdpfsj+clxLbaumyo#qewhZNOQKPrTUzkIHV$?,1-9@]*$';
const SCOPES: readonly RegExp[] = [
  new RegExp(`^[IWE]${CLAUSE}`),
  new RegExp(`^T(?![1-9]$)(?!.*H[dO]|.*[1@])${CLAUSE}`),
  /^(?:[JGwp](?=.)|[57])[^HVhMXSYAF0!:;IETBCDtR1@]*$/,
];

/** True for a condition or an exception with its opener. */
export function isScope(letters: string): boolean {
  return isList(letters) && SCOPES.some((form) => form.test(letters));
}

/** True where the commas of a slot part a list: the last part has `and` or `or`, and no part begins a clause. */
export function isList(letters: string): boolean {
  const parts = letters.split(',');
  const last = parts.at(-1) ?? '';
  const isOpen = /,[IETWrktCDoH!]|,$|^,/.test(letters) || (parts.length === 2 && /^[j+]/.test(last));
  return parts.length === 1 || (/[j+]/.test(last) && !isOpen);
}
