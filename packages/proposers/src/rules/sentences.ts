/**
 * Sentences: from tokens to stretches that can hold a demand, with the mood of their heading or stem.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { findPhrase, isIn } from './words.js';

/** What a heading, stem or label makes of the items under it; null: nothing. */
export type Mood = 'must' | 'must_not' | 'should' | 'may' | null;

/** A sentence: its tokens `[first, next)` without bullet and closing mark. `isLabelled`: the words follow a label and a colon. */
export type Sentence = { readonly first: number; readonly next: number; readonly mood: Mood; readonly isItem: boolean; readonly isLabelled: boolean; readonly isQuestion: boolean };

const BULLETS: ReadonlySet<string> = new Set(['-', '*', '•', '–', '·', '+']);
const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '。', '！', '？']);
const LABEL_TOKENS_MAX = 6;
const INTRODUCTION_TOKENS_MAX = 14;
const HEADING_TOKENS_MAX = 9;

/** Splits a scanned text into sentences. Linear. */
export function sentencesOf(scan: Scan): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let mood: Mood = null;
  for (const { first, next, isItem } of stretches(scan)) {
    const heading = isItem ? null : headingOf(scan.tokens, first, next);
    if (heading !== null) {
      mood = heading.mood;
      continue;
    }
    // The mood of a heading ends with its list.
    if (!isItem) mood = null;
    sentences.push(...labelled(scan.tokens, first, next, isItem, isItem ? mood : null));
  }
  return sentences;
}

type Stretch = { readonly first: number; readonly next: number; readonly isItem: boolean };

function stretches(scan: Scan): readonly Stretch[] {
  const { tokens } = scan;
  const found: Stretch[] = [];
  let [first, isItem] = [0, false];
  const close = (next: number): void => {
    if (next > first) found.push({ first, next, isItem });
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const mark = itemMark(scan, index);
    if (mark > 0) {
      close(index);
      [first, isItem] = [index + mark, true];
      index += mark - 1;
    } else if (index > first && isBreak(tokens, index)) {
      close(index);
      const startsParagraph = (tokens[index]?.lines ?? 0) > 1 || (isItem && (tokens[index]?.lines ?? 0) > 0 && isEnd(tokens, index - 1));
      [first, isItem] = [index, isItem && !startsParagraph];
    }
  }
  close(tokens.length);
  return found;
}

/** How many tokens make up the bullet or number of an item that starts here; 0 for none. */
function itemMark({ text, tokens }: Scan, at: number): number {
  const [token, after, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const isStart = at === 0 || (token?.lines ?? 0) > 0;
  if (token === undefined || after === undefined || after.lines > 0) return 0;
  if (isStart && BULLETS.has(token.lower) && !after.glued) return 1;
  const isNumber = token.kind === 'number' || token.kind === 'version';
  if (isStart && isNumber && (after.lower === '.' || after.lower === ')') && after.glued && third !== undefined && !third.glued) return 2;
  // `2.1 The contractor shall`: the number of a clause. It may also follow a sentence on the same line.
  const follows = isStart || isEnd(tokens, at - 1);
  return follows && isNumber && token.lower.includes('.') && after.kind === 'word' && !after.glued && isCapital(text.charCodeAt(after.start)) ? 1 : 0;
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isBreak(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.lines > 1) return true;
  return isEnd(tokens, at - 1) && !(token.glued && token.kind !== 'symbol');
}

/** True where a sentence ends with this token: a closing mark that no abbreviation or number claims. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (token === undefined || !ENDS.has(token.lower)) return false;
  if (token.lower !== '.' || !token.glued || before?.kind !== 'word' || (tokens[at + 1]?.lines ?? 2) > 1) return true;
  // `i.e.`, `e.g.`: single letters with points between them.
  const isLettered = before.end - before.start === 1 && before.glued && tokens[at - 2]?.lower === '.';
  return !isLettered && !isIn('abbreviation', before.lower);
}

/** A short stretch without closing mark, or with a colon: a heading or the stem of a list. */
function headingOf(tokens: readonly Token[], first: number, next: number): { readonly mood: Mood } | null {
  const last = tokens[next - 1];
  const after = tokens[next];
  const isStem = last?.lower === ':';
  const isTitle = next - first <= HEADING_TOKENS_MAX && !ENDS.has(last?.lower ?? '') && (after?.lines ?? 0) > 0 && !tokens.slice(first, next).some(({ lower, kind }) => lower === ',' || kind === 'number');
  if (!isStem && !isTitle) return null;
  const mood = moodOf(tokens, first, next);
  return isStem || mood !== null || next - first <= 3 || tokens.slice(first, next).every(({ kind }) => kind === 'word') ? { mood } : null;
}

/** What a heading, a stem or a label asks of what follows it. Prohibition counts before demand: `MUST NOT` holds both. */
function moodOf(tokens: readonly Token[], first: number, next: number): Mood {
  if (findPhrase('stemNot', tokens, first, next) !== null) return 'must_not';
  if (findPhrase('stemShould', tokens, first, next) !== null) return 'should';
  if (findPhrase('stemMust', tokens, first, next) !== null) return 'must';
  return findPhrase('stemMay', tokens, first, next) === null ? null : 'may';
}

/** The sentence behind its label (`Material:`, `Limits I'd suggest:`), without its closing marks; an introduction that is more than a label is a sentence of its own. */
function labelled(tokens: readonly Token[], first: number, next: number, isItem: boolean, mood: Mood): readonly Sentence[] {
  const limit = Math.min(next - 1, first + INTRODUCTION_TOKENS_MAX + 1);
  let colon = 0;
  for (let index = first + 1; index < limit; index += 1) if (tokens[index]?.lower === ':') colon = index;
  const own = colon === 0 ? null : moodOf(tokens, first, colon);
  const isLabelled = colon > 0 && (colon - first <= LABEL_TOKENS_MAX || own !== null);
  let end = next;
  while (end > first && ENDS.has(tokens[end - 1]?.lower ?? '')) end -= 1;
  const isQuestion = tokens.slice(end, next).some(({ lower }) => lower === '?');
  const rest: Sentence = { first: colon > 0 ? colon + 1 : first, next: end, mood: own ?? mood, isItem, isLabelled, isQuestion };
  return colon - first > 2 && own === null ? [{ first, next: colon, mood, isItem, isLabelled: false, isQuestion: false }, rest] : [rest];
}
