/**
 * The pins worth adding to make another reading the winner. Source: intent I12.
 *
 * @module
 */
import type { Json } from '../json.js';
import { renderAtom, type Atom } from './atom.js';
import type { Claim } from './claim.js';
import { areApart, keyOfPin, parsePin, type PinAtom } from './pin.js';
import { affirms } from './score.js';
import { OPPOSITE } from './solutions.js';

/** One pin as it is written, `{key: value}`. */
export type WrittenPin = { readonly [key: string]: Json };

type Demand = Claim & { readonly atom: Atom };

/**
 * Pins to add, each once, in the order in which they are tried: what another reading demands and the winner
 * does not affirm; the ban of a flag that the winner holds; then what any reading says, since a winner that
 * holds both sides of a contradiction falls over either; then the opposite of what any says. Left out is what
 * no pin can say, what stands under a key that is written already, and what cannot hold beside `pin`.
 * `winner`, `others`: claims, by rank of their readings. Linear in the claims times the winner's claims and
 * the pins. Source: intent I12.
 */
export function pinsToTry(
  winner: readonly Claim[],
  others: readonly Claim[],
  pin: readonly PinAtom[],
): readonly WrittenPin[] {
  const [own, theirs] = [winner.filter(isDemand), others.filter(isDemand)];
  const rivals = theirs.filter(
    (claim) => claim.modality === 'must' && !own.some((held) => affirms(held, claim)),
  );
  const flags = own.filter(
    ({ modality, atom }) => modality !== 'must_not' && atom.value === true && atom.op === '=',
  );
  const written = [
    ...rivals.map(({ atom }) => pinFor(atom)),
    ...flags.map(opposite),
    ...[...theirs, ...own].map(affirming),
    ...[...own, ...theirs].map(opposite),
  ];
  const taken = new Set(pin.map(keyOfPin));
  const known = new Set<string>();
  return written.filter((one) => {
    const parsed = parsePin(one);
    const [made] = parsed._tag === 'Right' ? parsed.right : [];
    if (made === undefined || taken.has(keyOfPin(made)) || pin.some((other) => areApart(other, made)))
      return false;
    const text = `${made.modality} ${renderAtom(made.atom)}`;
    return !known.has(text) && known.add(text).size > 0;
  });
}

function isDemand(claim: Claim): claim is Demand {
  return claim.kind !== 'question' && claim.atom !== null;
}

/** The pin that admits what a claim admits. */
function affirming(claim: Demand): WrittenPin {
  return claim.modality === 'must_not' ? denying(claim.atom) : pinFor(claim.atom);
}

/** The pin that admits what a claim rules out. */
function opposite(claim: Demand): WrittenPin {
  return claim.modality === 'must_not' ? pinFor(claim.atom) : denying(claim.atom);
}

/**
 * A flag is denied by its ban, or by demanding it; anything else by the comparison that holds where its own
 * does not.
 */
function denying(atom: Atom): WrittenPin {
  const { key, op, value } = atom;
  if (typeof value !== 'boolean') return pinFor({ ...atom, op: OPPOSITE[op] });
  return (op === '=') === value ? { [`no_${key}`]: true } : { [key]: true };
}

function pinFor({ key, op, value, unit }: Atom): WrittenPin {
  return { [key]: typeof value === 'object' || op !== '=' || unit !== null ? { op, value, unit } : value };
}
