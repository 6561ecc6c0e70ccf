/**
 * The pins that the readings of a run could be told apart by: each key, the form of its value, and an option
 * to paste.
 *
 * @module
 */
import { compareText, type Json } from '@assay/kernel';
import {
  keyOfPin,
  parsePin,
  rankAnswers,
  renderAtom,
  type Atom,
  type Claim,
  type PinAtom,
} from '@assay/kernel/intent';
import type { PinnableKey } from '@assay/kernel/schemas';
import { entryOption, writtenPin } from '../../options/pins.js';
import { padded, show, type Shown } from '../../terminal/shown.js';
import { commandLine } from '../../terminal/quote.js';
import type { DerivedRun } from './derived.js';

const LINES_MAX = 12;
const NAMES_MAX = 2;

/**
 * Every pin that affirms what some reading demands, by key; of keys that are pinned already none. A ban on a
 * number is pinned as its opposite, a ban on a flag as `no_KEY`; wishes and leaves become demands, since a
 * pin binds.
 */
export function pinnableKeys({ grounds, context }: DerivedRun): readonly PinnableKey[] {
  const { kept, pruned, vetoed } = rankAnswers(grounds, context);
  const taken = new Set(grounds.pin.map(({ atom }) => atom.key));
  const found = new Map<
    string,
    {
      readonly pin: PinAtom;
      readonly key: string;
      readonly value: Json;
      readonly readings: Map<string, PinnableKey['readings'][number]>;
    }
  >();
  for (const { candidate } of [...kept, ...pruned, ...vetoed]) {
    const { index, from, reading } = candidate;
    for (const claim of candidate.claims) {
      const made = pinOf(claim);
      if (made === null || taken.has(made.pin.atom.key)) continue;
      const said = `${made.pin.modality} ${renderAtom(made.pin.atom)}`;
      const known = found.get(said) ?? { ...made, readings: new Map() };
      known.readings.set(`${from.slot}/${index}`, { slot: from.slot, index, name: reading.name });
      found.set(said, known);
    }
  }
  return [...found]
    .map(
      ([says, { pin, key, value, readings }]): PinnableKey => ({
        key,
        form: formOf(pin.atom),
        says,
        value,
        option: entryOption(key, value),
        readings: [...readings.values()],
      }),
    )
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.says, b.says));
}

/** A line for each, at most twelve; empty without any. */
export function pinnableLines(keys: readonly PinnableKey[], readingCount: number): readonly Shown[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, LINES_MAX);
  const width = Math.max(...shown.map(({ key }) => [...key].length)) + 2;
  const lines = shown.map(
    ({ key, form, option, readings }, index) =>
      show`${(index === 0 ? 'to pin' : '').padEnd(12)}${padded(show`${key}`, width)}${form.padEnd(FORM_WIDTH - 1)} ${commandLine(['--pin', option])}   ${saidBy(readings, readingCount)}`,
  );
  return [
    ...lines,
    ...(keys.length > shown.length
      ? [show`            and ${keys.length - shown.length} more: --json lists them all`]
      : []),
  ];
}

function saidBy(readings: PinnableKey['readings'], readingCount: number): Shown {
  if (readings.length === readingCount)
    return readingCount === 1 ? show`the one reading says so` : show`all ${readingCount} readings say so`;
  const names = readings
    .slice(0, NAMES_MAX)
    .map(({ name }) => `"${name}"`)
    .join(', ');
  return show`${names}${readings.length > NAMES_MAX ? ` and ${readings.length - NAMES_MAX} more` : ''} ${readings.length === 1 ? 'says' : 'say'} so`;
}

const OPPOSITE: { readonly [op in Atom['op']]?: Atom['op'] } = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '=': '!=',
  '!=': '=',
  in: 'not_in',
  not_in: 'in',
};

/**
 * The pin that says what a claim demands, as it is written; null for a question, a claim without an atom, and
 * what no pin can say.
 */
function pinOf({
  kind,
  modality,
  atom,
}: Claim): { readonly pin: PinAtom; readonly key: string; readonly value: Json } | null {
  if (kind === 'question' || atom === null) return null;
  const isBan = modality === 'must_not';
  const isFlag = typeof atom.value === 'boolean';
  const op = isBan && !isFlag ? OPPOSITE[atom.op] : atom.op;
  if (op === undefined) return null;
  const pin: PinAtom =
    isFlag && isBan && atom.op === '=' && atom.value === true
      ? { modality: 'must_not', atom }
      : {
          modality: 'must',
          atom: isFlag && isBan ? { ...atom, value: atom.value !== true } : { ...atom, op },
        };
  const key = keyOfPin(pin);
  const { value, unit } = pin.atom;
  const written =
    pin.modality === 'must_not'
      ? true
      : writtenPin(
          key,
          typeof value === 'object' || pin.atom.op !== '=' || unit !== null
            ? { op: pin.atom.op, value, unit }
            : value,
        );
  return parsePin({ [key]: written })._tag === 'Right' ? { pin, key, value: written } : null;
}

const FORM_WIDTH = 16;

/** What kind of value the key takes. */
function formOf({ value, unit }: Atom): string {
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'string') return unit ?? 'text';
  return unit === null ? 'number' : `amount, ${unit}`;
}
