/**
 * Reads a sentence: leads, clauses, trails and branches are cut off at their reserved words, and each clause must be
 * one pattern as a whole. Any other sentence is unread, with the rule that it breaks. Source: language §2, L1–L3, L6.
 */
import { joined, readClause, thingFault, type Clause, type Outcome, type Under } from './clauses.js';
import { isList, isScope, REASON } from './patterns.js';
import type { Rule } from './rules.js';
import {
  isForced,
  isPlainTitle,
  listLexemes,
  Line,
  NO_STEM,
  wordAt,
  type Sentence,
  type Span,
  type Text,
} from './sentences.js';
import { GREETINGS, VERDICTS } from './words.js';

const WORDS_MAX = 60;
const FREE: Under = { condition: null, exception: null };
const FORCE = /[MXSYAF0]/;
const OPENER = /[IETJG]/;

/** Reads one sentence. `before`: under what the sentence before holds, for one that begins with `Otherwise`. */
export function readSentence(text: Text, sentence: Sentence, before: Clause | null): Outcome {
  const { kind, end, stem } = sentence;
  const span = pastGreeting(text, sentence);
  if (kind === 'stem' || stem === NO_STEM || /^or$/.test(wordAt(text, sentence.first - 2))) return 'list';
  if (end === '?') return 'question';
  if (span.next - span.first > WORDS_MAX) return 'long';
  if ('"“„«'.includes(wordAt(text, span.first) || ' ')) return 'quoted';
  const own = listLexemes(text, span);
  const reading = new Reading(text, own, kind === 'item' || '.!;'.includes(end || ' '));
  if (kind !== 'item' || stem === null) return reading.sentence(before);
  if (stem.next - stem.first > WORDS_MAX) return 'list';
  if (!isForced(text, stem)) return isPlainTitle(text, stem) ? reading.sentence(null) : 'list';
  if (FORCE.test(reading.letters) || reading.letters.endsWith('+')) return 'list';
  // The line above says who and how; the item is quoted.
  const read = new Reading(text, [...listLexemes(text, stem), ...own], true).clause();
  if (typeof read === 'string') return read;
  return read.map((one) => ({ ...one, quote: { first: span.first, next: one.quote.next } }));
}

function pastGreeting(text: Text, { first, next }: Span): Span {
  const comma = [1, 2, 3, 4].find((size) => wordAt(text, first + size) === ',');
  return { first: GREETINGS.has(wordAt(text, first)) ? first + (comma ?? -1) + 1 : first, next };
}

/** A sentence by its letters. Spans are lexemes, but for those of clauses. */
class Reading extends Line {
  private readonly isEnded: boolean;

  constructor(text: Text, lexemes: Line['lexemes'], isEnded: boolean) {
    super(text, lexemes);
    this.isEnded = isEnded;
  }

  /** Branches: `…, otherwise …`, `…; in that case …`, `unless …, then …`, or at the start. */
  sentence(before: Clause | null): Outcome {
    const begins = /^([CD]),?/.exec(this.letters);
    if (begins !== null) return this.branch(begins, before, null);
    const inside = /[,;]([CD]),?|(?<=E.*),t/.exec(this.letters);
    const left = this.leads({ first: 0, next: inside?.index ?? this.letters.length }, FREE);
    if (typeof left === 'string' || inside === null) return left;
    const right = this.branch(inside, left.findLast(isScoped) ?? null, left.at(-1) ?? null);
    return typeof right === 'string' ? right : [...left, ...right];
  }

  /** The second half holds where the first does not (`C`), or where the exception of the first does (`D`). */
  private branch(joint: RegExpExecArray, under: Clause | null, left: Clause | null): Outcome {
    if (under === null) return 'branch';
    const { condition, exception } = under;
    const where = exception === null ? null : { first: exception.first + 1, next: exception.next };
    const isElse = joint[1] === 'C';
    // What is otherwise of a ban, of two scopes, or of a time is open.
    const opener = condition === null ? 'I' : (listLexemes(this.text, condition)[0]?.letter ?? '');
    const isBan = exception !== null && (under.force.endsWith('_not') || under.limits.length > 0);
    if (isElse && (isBan || (condition !== null && exception !== null) || /[TJp57]/.test(opener)))
      return 'branch';
    const own = { condition: isElse ? where : (where ?? condition), exception: isElse ? condition : null };
    const span = { first: joint.index + joint[0].length, next: this.letters.length };
    const read = this.clauses(span, FREE, left);
    if (typeof read === 'string') return read;
    return read.some(isScoped) ? 'branch' : read.map((one) => ({ ...one, ...own }));
  }

  /** Leading scopes, each up to the last comma behind which the rest can be read. */
  private leads({ first, next }: Span, under: Under): Outcome {
    const letters = this.slice({ first, next });
    // `where` and `given` are openers only where they lead.
    const isLead = ['where', 'given'].includes(this.words({ first, next: first + 1 }));
    const part = isLead ? `W${letters.slice(1)}` : letters;
    if (!/^(?:[IWETJG57]|p(?![1-9]))/.test(part)) return this.clauses({ first, next }, under, null);
    const stop = part.search(FORCE);
    let fault: Rule = 'condition';
    for (let at = part.lastIndexOf(',', stop < 0 ? next : stop); at > 0; at = part.lastIndexOf(',', at - 1)) {
      if (!isScope(part.slice(0, at))) continue;
      const both = joined(under, this.under({ first, next: first + at }));
      const rest = { first: first + at + (part[at + 1] === 't' ? 2 : 1), next };
      const read: Outcome = both === null ? 'scope' : this.leads(rest, both);
      if (typeof read !== 'string') return read;
      fault = read;
    }
    return fault;
  }

  /** A scope by its opener. */
  private under(span: Span): Under {
    const own = this.tokens(span);
    const isException = /^[EGw]/.test(this.slice(span));
    return { condition: isException ? null : own, exception: isException ? own : null };
  }

  /** Clauses, each with its own force, joined by `and`, `but` or `;`. */
  private clauses(span: Span, under: Under, left: Clause | null): Outcome {
    const heads = this.heads(span);
    const found: Clause[] = [];
    let { first } = span;
    for (let index = 0; index < Math.max(1, heads.length); index += 1) {
      const joint = this.joint(heads[index] ?? first, heads[index + 1], span.next);
      if (joint === null) return 'two_forces';
      const read = this.clause({ first, next: joint.first }, under, found.at(-1) ?? left);
      if (typeof read === 'string') return read;
      // `X must A and must B if C`: how far the condition reaches is open.
      const isTrailing = read.some((one) => one.pattern !== 'filter' && isScoped(one)) && !isScoped(under);
      const isApart = read.some(({ condition }) => wordAt(this.text, (condition?.first ?? 0) - 1) === ',');
      if (isTrailing && index > 0 && (isApart || /[^,]j$/.test(this.letters.slice(0, first)))) return 'scope';
      found.push(...read);
      first = joint.next;
    }
    return found;
  }

  /** Where the force words and orders of clauses stand; a verdict in a trailing scope is none. */
  private heads({ first, next }: Span): readonly number[] {
    const found: number[] = [];
    let isInScope = false;
    for (let at = first; at < next; at += 1) {
      const part = this.letters.slice(at, next);
      const before = at === first ? ';' : this.letters.charAt(at - 1);
      const isForce = FORCE.test(part.charAt(0)) || (part.startsWith('V') && !isInScope);
      const isOrder =
        (/[jk,;]/.test(before) && /^[BNP]/.test(part)) || (before === ';' && /^[gia][dum]/.test(part));
      if (/^[IETJGw]/.test(part)) isInScope = true;
      else if (isForce || isOrder || part.startsWith(';')) isInScope = false;
      if ((isForce || isOrder) && !(/[PBN]/.test(before) && found.includes(at - 1))) found.push(at);
    }
    return found;
  }

  /** The joint between two heads: the one with a comma or `;`, else the only one behind which a clause begins. */
  private joint(from: number, to: number | undefined, end: number): Span | null {
    if (to === undefined) return { first: end, next: end };
    const joints = [...this.letters.slice(from, to).matchAll(/,[jk]|;[jk]?|[jk]/g)].map(
      ({ 0: { length }, index }) => {
        return { first: from + index, next: from + index + length };
      },
    );
    const found = joints.filter(({ next }) => {
      const thing = this.letters.slice(next, to);
      return /^$|^[OUQ]|^[1-3@]/.test(thing) || thingFault(thing.replace(/[23]$/, '')) === null;
    });
    const strong = found.filter(({ first }) => this.letters[first] !== 'j');
    const [chosen = null, ...others] = strong.length > 0 ? strong : found;
    return others.length > 0 ? null : chosen;
  }

  /** One clause: without its reason and its trailing scope it is one pattern as a whole. */
  clause(
    span: Span = { first: 0, next: this.letters.length },
    under = FREE,
    left: Clause | null = null,
  ): Outcome {
    const whole = this.slice(span);
    const reason = /R.*$/.exec(whole);
    if (reason !== null && !REASON.test(reason[0])) return 'comma';
    const part = reason === null ? whole : whole.slice(0, reason.index).replace(/,$/, '');
    const head = Math.max(0, part.search(/[MXSYAFV]/)) + 1;
    const verdict = VERDICTS.get(this.words({ first: span.first + head - 1, next: span.first + head }));
    const isNegative =
      /^[^MXSYAFV]*[XY]|^P?[BN]|^[OQ]/.test(part) || verdict?.force.endsWith('_not') === true;
    const trail = part.slice(head).search(isNegative ? /[IETJGw]/ : OPENER);
    const main = trail < 0 ? part : part.slice(0, head + trail).replace(/,$/, '');
    const end = span.first + part.length;
    const own = trail < 0 ? FREE : this.trail({ first: span.first + head + trail, next: end });
    const scope = typeof own === 'string' ? own : (joined(under, own) ?? 'scope');
    if (typeof scope === 'string') return scope;
    const read = readClause(
      this,
      { first: span.first, next: span.first + main.length },
      scope,
      left,
      this.isEnded,
    );
    if (typeof read === 'string' || read.length > 1) return read;
    return read.map((one) => ({ ...one, quote: this.tokens({ first: span.first, next: end }) }));
  }

  /** A trailing scope: a condition, an exception, or one and then the other. */
  private trail({ first, next }: Span): Under | Rule {
    const part = this.slice({ first, next });
    const [one = '', two = ''] = /^[ITJ]/.test(part) ? part.split(/,?(?<=.)(?=[EG])/) : [part];
    const fault =
      this.ruleIn({ first, next }) ??
      (/[MXSYAF;:]/.test(part) ? 'two_forces' : isList(part) ? 'condition' : 'comma');
    if (!isScope(one) || (two !== '' && !isScope(two))) return fault;
    const own = this.under({ first, next: first + one.length });
    return two === '' ? own : { ...own, exception: this.tokens({ first: next - two.length, next }) };
  }
}

function isScoped({ condition, exception }: Under): boolean {
  return (condition ?? exception) !== null;
}
