/** What a veto says, in words. Source: intent I8. */
import { renderAtom, type Atom } from '../intent/atom.js';
import type { Stated, Veto } from '../intent/veto.js';
import type { Piece } from '../view/picture.js';

/** A sentence in pieces: text of ours, and what evidence says, which each sink escapes for itself. */
export type Phrase = readonly Piece[];

/** The words of a claim by its place among the reading's distinct claims, null if they are not at hand. */
export type WordsOf = (claim: number) => string | null;

const UNGROUNDED: Readonly<Record<(Veto & { readonly code: 'ungrounded' })['rule'], string>> = {
  span: ' quotes more than 240 characters',
  cut: ' quotes a part of a word or of a number, or leaves out its negation',
  number: ' has a number that cannot be read in its words',
};

/**
 * Why a reading is out, with the words it fell over where they are at hand. A pin conflict shows both atoms.
 */
export function phraseOfVeto(veto: Veto, wordsOf: WordsOf = () => null): Phrase {
  const claim = (place: number): Phrase => {
    const words = wordsOf(place);
    return words === null ? [`claim ${place + 1}`] : [`claim ${place + 1} `, { said: words }];
  };
  switch (veto.code) {
    case 'duplicate_reading':
      return [`the same reading as number ${veto.of.index + 1} of `, { said: veto.of.slot }];
    case 'ungrounded':
      return [...claim(veto.claim), UNGROUNDED[veto.rule]];
    case 'pin_conflict':
      return [
        ...claim(veto.claim),
        ' says ',
        ...stated(veto.claimed),
        ', and pinned is ',
        ...stated(veto.pinned),
      ];
    case 'polarity':
      return veto.asserted.in === 'claim'
        ? [...claim(veto.asserted.claim), ' asserts what the request only negates']
        : [`its ${veto.asserted.in} asserts what the request only negates`];
    case 'self_contradiction':
      return [
        ...claim(veto.a),
        ' and ',
        ...claim(veto.b),
        veto.why === 'polarity' ? ' demand and forbid the same' : ' leave no value that satisfies both',
      ];
    case 'over_limit':
      return [`${veto.of} is ${veto.value}, and at most ${veto.limit} are allowed`];
  }
}

/** An atom as somebody states it. */
export function stated({ modality, atom }: Stated): Phrase {
  return [`${modality.replace('_', ' ')} `, { said: showAtom(atom) }];
}

const SIGNS: { readonly [op: string]: string } = { '<=': '≤', '>=': '≥', '!=': '≠', not_in: 'not in' };

/** An atom for people: `coffee bean per month ≥ 6 kg`. What is hashed and typed is `renderAtom`. */
export function showAtom(atom: Atom): string {
  return renderAtom(atom).replace(
    /^(\S+) (\S+)/,
    (_, key: string, op: string) => `${key.replace(/[._]/g, ' ')} ${SIGNS[op] ?? op}`,
  );
}
