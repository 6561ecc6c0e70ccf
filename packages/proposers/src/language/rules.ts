/**
 * Why a sentence is not read, each with the nearest thing to write. A row may say by letters of the word classes what
 * no thing (`thing`) and no action (`action`) may hold; the first row that fits is the reason. Source: language L1, L5.
 *
 * @module
 */
type Row = { readonly say: string; readonly thing?: RegExp; readonly action?: RegExp };

const ROWS = {
  may_not: { say: 'say "must not"; "may not" can mean two things', thing: /0/, action: /0/ },
  weak: {
    say: 'use must, must not, should or may in place of can, will, would, ought to, have to',
    thing: /K/,
    action: /^[^r]*K|r.*K.*[1-9@]/,
  },
  partial: { say: 'say which: all, each, or at least N of them', thing: /q/ },
  negation: { say: 'put "not" right behind must: "X must not …"', thing: /[ZNOQw]/, action: /^[^r]*[ZNOQw]/ },
  filter: {
    say: 'a comparison behind a noun picks things out: "Where a … is older than N, X must …"',
    thing: /[1-7@]/,
  },
  only_if: { say: 'say "X must not … unless …"', action: /U/ },
  two_forces: {
    say: 'one must, should or may to a clause: join clauses with "and" or "but", or write two sentences',
    action: /[MXSYAFBCDktITEJG]|[1-7@](?:j[^d1-7@]|[^1-7@]*jnd)[^1-7@]*$/,
  },
  turning: {
    say: 'say the limit by itself: "X must be at most N"',
    action: /(?=.*[1-7@])(?:.*[xwc+]|(?!l[^1-7]*@[^1-7]*$).*l)|r.*[1-7@]/,
  },
  plain: {
    say: 'say "at most", "at least" or "exactly" before the amount',
    action: /(?=.*[1-7@]).*#|[pfsdj+]#|^.#|^(?=.*[45]).*[1-7@].*[1-7@]/,
  },
  bound: {
    say: 'put "at most", "at least", "less than" or "more than" right before the amount',
    action: /z/,
  },
  subject: {
    say: 'name who or what by nouns alone; write a condition as "Where …, X must …"',
    thing: /[HVhroumyaeUPBzMXSYAF0!IETJGCDtR:;?($]|[ngivxlcL]d|^[pfsj+]|[pfsdj+,]$/,
    action: /[,j+dpfs1-7@]r|^r/,
  },
  no_force: {
    say: 'say what must, should or may be: "X must …"; or begin with "Please"',
    action: /^[^r]*[HVheo]/,
  },
  comma: {
    say: 'commas stand behind a condition and in lists with "and" or "or"; write two sentences',
    action: /[:;]/,
  },
  long: { say: 'write shorter sentences: sixty words at most' },
  condition: { say: 'put a comma behind the condition: "If …, X must …"', thing: /%/, action: /%/ },
  letters: { say: 'write letters of the Latin script, and no hidden signs' },
  scope: { say: 'say the condition once: "If …, X must … and must …"' },
  whether: { say: 'say "whether" for what is asked; put a condition first: "If …, X must …"' },
  bound_not: { say: 'say "must not exceed N", "must not … more than N", or "must … at most N"' },
  about: { say: 'say "at most", "at least" or "between": about is open' },
  date: { say: 'write a deadline as by, before, after, on or from a date' },
  branch: { say: 'say both halves in one sentence: "If …, X must …, otherwise Y must …"' },
  list: { say: 'end the line above the list with "must:" or "must not:"' },
  title: { say: 'end an order with a point, or begin it with "Please"' },
  question: { say: 'a question demands nothing: say "X must …"' },
  quoted: { say: 'a quoted sentence is not read: take the marks away' },
} as const satisfies { readonly [rule: string]: Row };

/** Why a sentence is not read. */
export type Rule = keyof typeof ROWS;
/** Each rule with what to write instead. */
export const RULES: { readonly [rule in Rule]: Row } = ROWS;

/** The first rule that a thing or an action breaks by its letters, or null. */
export function findBreach(slot: 'thing' | 'action', letters: string): Rule | null {
  for (const rule of Object.keys(ROWS) as Rule[]) if (RULES[rule][slot]?.test(letters) === true) return rule;
  return null;
}
