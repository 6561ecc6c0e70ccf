/** The pins that hold a reading to what it says: each key, the form of its value, and how it is written. */
import { encode } from '../canonical/encode.js';
import { renderAtom, type Atom } from '../intent/atom.js';
import type { Claim } from '../intent/claim.js';
import { renderDecimal } from '../intent/decimal.js';
import { rankAnswers, type Grounds } from '../intent/flip.js';
import { keyOfPin, parsePin, type PinAtom } from '../intent/pin.js';
import { findMeasure } from '../intent/units.js';
import type { Context } from '../machine/types.js';
import { compareText, isObject, type Json } from '../json.js';
import type { Fact, Panel, Piece, Row } from '../view/picture.js';
import type { IntentFold } from './fold.js';
import { showAtom } from './vetoes.js';

/** A pin that somebody could set. `written`: as the option `--pin` takes it; `by`: who says so. */
export type Pinnable = {
  readonly key: string;
  readonly form: string;
  readonly says: string;
  readonly value: Json;
  readonly written: string;
  readonly by: readonly { readonly slot: string; readonly index: number; readonly name: string }[];
};

/**
 * Every pin that affirms what some reading demands, by key; none of keys that are pinned already. A ban on a
 * number is pinned as its opposite, a ban on a flag as `no_KEY`. Wishes become demands, since a pin binds.
 */
export function pinnable(grounds: Grounds, context: Pick<Context, 'run_id' | 'hash'>): readonly Pinnable[] {
  const { kept, pruned, vetoed } = rankAnswers(grounds, context);
  const taken = new Set(grounds.pin.map(({ atom }) => atom.key));
  const found = new Map<string, Pinnable>();
  for (const { candidate } of [...kept, ...pruned, ...vetoed]) {
    const { index, from, reading } = candidate;
    const by = { slot: from.slot, index, name: reading.name };
    for (const claim of candidate.claims) {
      const made = makePin(claim);
      if (made === null || taken.has(made.pin.atom.key)) continue;
      const { pin, key, value } = made;
      const says = `${pin.modality} ${renderAtom(pin.atom)}`;
      const before = found.get(says)?.by ?? [];
      if (before.some((one) => one.slot === by.slot && one.index === index)) continue;
      const written = writtenOption(key, value);
      found.set(says, { key, form: renderForm(pin.atom), says, value, written, by: [...before, by] });
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.key, b.key) || compareText(a.says, b.says));
}

/** What can be pinned, as a table; none without any. */
export function pinsPanel(pins: readonly Pinnable[]): readonly Panel[] {
  const rows = pins.map(
    ({ key, form, written, by }): Row => ({
      record: null,
      cells: [
        [{ said: key }],
        form,
        [{ said: written }],
        by.flatMap(({ name }, index) => (index === 0 ? [{ said: name }] : [', ', { said: name }])),
      ],
      tone: 'plain',
    }),
  );
  return rows.length === 0
    ? []
    : [
        {
          id: 'pins',
          title: 'What a pin can fix',
          says: 'Each key that a reading speaks of, with the pin as it is written.',
          page: 'decision',
          left_out: 0,
          block: { t: 'table', columns: ['key', 'takes', 'pin', 'said by'], rows },
        },
      ];
}

/** Pins that hold no claim of the request to anything; none where each does. */
export function lonePinsPanel(blueprint: IntentFold['blueprint']): readonly Panel[] {
  const { pin = [], claims = [] } = blueprint?.content ?? {};
  const rows = pin.flatMap(({ atom, mentioned }): readonly Fact[] => {
    const stated = claims.flatMap(({ kind, provenance, atom: claimed }) =>
      kind !== 'question' && provenance !== 'pin' && claimed?.key === atom.key ? [claimed] : [],
    );
    if (mentioned && stated.some((claimed) => isComparable(claimed, atom))) return [];
    const value: readonly Piece[] = mentioned
      ? [
          'cannot be compared with what the request says: ',
          ...stated.flatMap((claimed, index): readonly Piece[] => [
            index === 0 ? '' : '; ',
            { said: showAtom(claimed) },
          ]),
        ]
      : ['the request does not mention it'];
    return [
      {
        record: blueprint?.record ?? null,
        name: 'pin',
        value: [{ said: showAtom(atom) }, ' ', ...value],
        tone: 'open',
      },
    ];
  });
  return rows.length === 0
    ? []
    : [
        {
          id: 'lone-pins',
          title: 'Pins beside the request',
          says: 'Each is a constraint of its own: no claim conflicts with it.',
          page: 'result',
          left_out: 0,
          block: { t: 'facts', rows },
        },
      ];
}

function isComparable(a: Atom, b: Atom): boolean {
  return typeof a.value === typeof b.value && findMeasure(a.unit).dimension === findMeasure(b.unit).dimension;
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

/** The pin that says what a claim demands; null for a question and for what no pin can say. */
function makePin({
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
  const isLong = typeof value === 'object' || pin.atom.op !== '=' || unit !== null;
  const given: Json = isLong ? { op: pin.atom.op, value, unit } : value;
  const written = pin.modality === 'must_not' ? true : writtenPin(key, given);
  return parsePin({ [key]: written })._tag === 'Right' ? { pin, key, value: written } : null;
}

/** What kind of value the key takes. */
function renderForm({ value, unit }: Atom): string {
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'string') return unit ?? 'text';
  return unit === null ? 'number' : `amount, ${unit}`;
}

/**
 * A pin in its shortest form that means the same: `<= 5 kg` for `{op, value, unit}` where such a text is read
 * as that, else as it is.
 */
export function writtenPin(key: string, value: Json): Json {
  if (!isObject(value)) return value;
  const long = parsePin({ [key]: value });
  const atom = long._tag === 'Right' ? long.right[0]?.atom : undefined;
  if (atom === undefined || typeof atom.value !== 'object' || atom.unit === null) return value;
  const text = `${atom.op === '=' ? '' : `${atom.op} `}${renderDecimal(atom.value)} ${atom.unit}`;
  const short = parsePin({ [key]: text });
  return short._tag === 'Right' && long._tag === 'Right' && encode(short.right) === encode(long.right)
    ? text
    : value;
}

/** The text after `--pin` that is read as this pin. */
export function writtenOption(key: string, value: Json): string {
  return `${key}=${writtenValue(value)}`;
}

/** A value as an option takes it: text as it is, unless it would be read as JSON; everything else as JSON. */
export function writtenValue(value: Json): string {
  if (typeof value !== 'string') return encode(value);
  const isMistaken = /^(?:[{["]|true$|false$|null$)/.test(value) || NUMBER.test(value);
  return isMistaken ? encode({ op: '=', value, unit: null }) : value;
}

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
