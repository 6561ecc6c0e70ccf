/**
 * Reads the words behind a command by what it may be told.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { denied, type Refusal } from '../refusal.js';
import type { CommandForm, OptionKind } from '../commands.js';
import type { Word } from './words.js';

/** A command line that was understood: options as they are given on, texts, and words that are paths. */
export type Arguments = {
  readonly options: readonly string[];
  readonly texts: readonly string[];
  readonly paths: readonly Word[];
};

const VALUES: Readonly<Record<Exclude<OptionKind, 'flag'>, RegExp>> = {
  count: /^[0-9]{1,15}$/,
  signed_count: /^[+-]?[0-9]{1,15}$/,
  list: /^[0-9,-]{1,1000}$/,
  key: /^[0-9.,bdfgiMhnrV]{1,100}$/,
  text: /^[^\0]*$/u,
};

/**
 * Options may stand before and between operands, until `--`. Codes: `option_not_allowed`, `bad_option_value`
 * (missing or of another form), `bad_input` (a text that the command needs is missing, or holds a NUL).
 */
export function readArguments(form: CommandForm, words: readonly Word[]): Result<Refusal, Arguments> {
  const options: string[] = [];
  const operands: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? { text: '', glob: null };
    if (word.text === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      operands.push(word);
      continue;
    }
    const read = word.text.startsWith('--')
      ? readLong(form, word.text, words[index + 1])
      : readShort(form, word.text, words[index + 1]);
    if (read._tag === 'Left') return read;
    options.push(...read.right.options);
    if (read.right.tookNext) index += 1;
  }
  return divide(form, options, operands);
}

type Read = Result<Refusal, { readonly options: readonly string[]; readonly tookNext: boolean }>;

function readLong(form: CommandForm, text: string, next: Word | undefined): Read {
  const equals = text.indexOf('=');
  const name = text.slice(2, equals < 0 ? undefined : equals);
  const kind = findKind(form.long, (names: readonly string[]) => names.includes(name));
  if (kind === null) return err(denied('option_not_allowed', `--${name}`));
  if (kind === 'flag')
    return equals < 0
      ? ok({ options: [`--${name}`], tookNext: false })
      : err(denied('bad_option_value', `--${name} takes no value`));
  const value = equals < 0 ? next?.text : text.slice(equals + 1);
  return value === undefined || !VALUES[kind].test(value)
    ? err(denied('bad_option_value', `--${name}`))
    : ok({ options: [`--${name}=${value}`], tookNext: equals < 0 });
}

function readShort(form: CommandForm, text: string, next: Word | undefined): Read {
  if (form.numberIsCount && /^-[0-9]{1,15}$/.test(text))
    return ok({ options: ['-n', text.slice(1)], tookNext: false });
  const options: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const kind = findKind(form.short, (letters: string) => letters.includes(letter));
    if (kind === null) return err(denied('option_not_allowed', `-${letter}`));
    if (kind === 'flag') {
      options.push(`-${letter}`);
      continue;
    }
    const isLast = at === text.length - 1;
    const value = isLast ? next?.text : text.slice(at + 1);
    if (value === undefined || !VALUES[kind].test(value))
      return err(denied('bad_option_value', `-${letter}`));
    return ok({ options: [...options, `-${letter}`, value], tookNext: isLast });
  }
  return ok({ options, tookNext: false });
}

function findKind<T>(
  table: Readonly<Partial<Record<OptionKind, T>>>,
  holds: (names: T) => boolean,
): OptionKind | null {
  for (const kind of KINDS) {
    const names = table[kind];
    if (names !== undefined && holds(names)) return kind;
  }
  return null;
}

const KINDS: readonly OptionKind[] = ['flag', 'count', 'signed_count', 'list', 'key', 'text'];

function divide(
  form: CommandForm,
  options: readonly string[],
  operands: readonly Word[],
): Result<Refusal, Arguments> {
  const instead =
    form.textInstead !== null &&
    options.some((option) => option === `-${form.textInstead}` || option.startsWith('--regexp='));
  const count = instead ? 0 : Math.min(form.texts, operands.length);
  if (!instead && form.texts > 0 && count === 0) return err(denied('bad_input', 'the command needs a text'));
  if (operands.slice(0, count).some(({ text }) => !VALUES.text.test(text)))
    return err(denied('bad_input', 'a text with a NUL'));
  return ok({
    options,
    texts: operands.slice(0, count).map(({ text }) => text),
    paths: operands.slice(count),
  });
}
