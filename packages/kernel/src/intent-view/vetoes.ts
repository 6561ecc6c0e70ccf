/** What a veto says, in words, and what settles a refusal and a question. Source: intent I8, I15. */
import { renderAtom, type Atom } from '../intent/atom.js';
import type { OpenQuestion } from '../intent/blueprint.js';
import type { RefusalReport } from '../intent/refusal.js';
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

/**
 * What a refused run is advised for one of its reasons. The report's own sentence speaks of pins and of open questions,
 * also where there are none; the report is hashed, so another one stands in its place here.
 */
export function adviseOn(
  { reasons, policy_suggestions, readings, questions }: RefusalReport,
  at: number,
): Piece {
  const code = reasons[at]?.code;
  const isPinned = readings.some(({ vetoes }) => vetoes.some((veto) => veto.code === 'pin_conflict'));
  if (code === 'no_valid_interpretation' && !isPinned)
    return 'Every reading was vetoed: let the proposers answer again, or write the request in other words.';
  if (code === 'nothing_actionable' && questions.every((question) => question.class === 'unread'))
    return 'No demand rests on words of the request: say what must be, with a number or a test.';
  return { said: policy_suggestions[at] ?? '' };
}

/** What to say to settle an open question. */
export function adviseOnQuestion({ settled_by }: Pick<OpenQuestion, 'settled_by'>): string {
  return `say ${SETTLEMENTS[settled_by]}`;
}

const SETTLEMENTS: Readonly<Record<OpenQuestion['settled_by'], string>> = {
  measure_and_threshold: 'how much: a number and a unit',
  calendar_date: 'on which date',
  which_one: 'which one is meant',
  bound: 'a bound: at most, at least or exactly',
  translation: 'the same in English',
  how_far: 'how far it reaches',
  which_side: 'which side holds',
  statement: 'what must, should or may be',
};

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
