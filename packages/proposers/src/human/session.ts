/**
 * The dialogue with a person, as a pure decider: one line typed, the next thing shown and asked.
 *
 * Of each claim are asked: its words in the request, how binding they are, its measure, its condition,
 * exception and actor; then, of each reading, assumptions, a summary and a name. Nothing but words of the
 * request, closed choices and a person's own assumptions and summary gets into a reading.
 */
import type { Failure, Json } from '@assay/kernel';
import {
  INTERPRETATION_LIMITS,
  NO_SCOPE,
  QUESTION_CLASSES,
  QUESTION_KEY,
  READING_LIMITS,
  SeedText,
  type Claim,
  type InterpretationsBody,
  type Quote,
  type Scope,
} from '@assay/kernel/intent';
import {
  readChoice,
  readClass,
  readMeasure,
  readModality,
  readWords,
  readYes,
  type Typed,
} from './answers.js';
import { claimLines, claimShown, openingLines, placeLines } from './screen.js';

/** What a person answered: readings, or why there are none. */
export type HumanAnswer = { readonly value: Json; readonly failure: Failure | null };

/** Where the dialogue stands: what to show, what to ask, and, at its end, the answer. */
export type Turn = {
  readonly session: Session;
  readonly say: readonly string[];
  readonly prompt: string;
  readonly answer: HumanAnswer | null;
};

/** What is asked next. The words of a place to be chosen lie in `places`. */
type Step =
  | 'words'
  | 'modality'
  | 'class'
  | 'measure'
  | 'condition'
  | 'exception'
  | 'actor'
  | 'assumption'
  | 'summary'
  | 'name'
  | 'another'
  | 'confirm';

/** A reading as a person gave it. */
type Reading = {
  readonly name: string;
  readonly assumptions: readonly string[];
  readonly intent_summary: string;
  readonly commits: readonly Claim[];
};

/** The state of a dialogue. */
export type Session = {
  readonly seed: SeedText;
  readonly readingsMax: number;
  readonly step: Step;
  /** Places of the words just typed, while it is asked which of them is meant. */
  readonly places: readonly Quote[];
  readonly claim: Claim | null;
  readonly claims: readonly Claim[];
  readonly assumptions: readonly string[];
  readonly summary: string;
  readonly readings: readonly Reading[];
};

const SCOPE_STEPS: Readonly<Record<keyof Scope, Step>> = {
  condition: 'exception',
  exception: 'actor',
  actor: 'words',
};

/** Begins a dialogue about a request. */
export function openSession(body: InterpretationsBody): Turn {
  const session: Session = {
    seed: new SeedText(body.seed_text),
    readingsMax: Math.max(1, body.n),
    step: 'words',
    places: [],
    claim: null,
    claims: [],
    assumptions: [],
    summary: '',
    readings: [],
  };
  return next(session, {}, openingLines(body));
}

/** What follows on a line, or on the end of input (null). */
export function reply(session: Session, line: string | null): Turn {
  if (line === null || line.trim() === ':quit')
    return end(session, gaveUp(line === null ? 'input_ended' : 'quit'));
  const typed = line.trim();
  if (typed === ':undo') return undo(session);
  if (session.places.length > 0) return choose(session, typed);
  switch (session.step) {
    case 'words':
      return typed === ''
        ? next(
            session,
            { step: 'assumption' },
            session.claims.length === 0 ? ['No claim.'] : claimLines(session.claims, [], session.seed),
          )
        : locate(session, typed);
    case 'modality':
      return taken(session, readModality(typed), (modality) =>
        modality === 'question'
          ? next(session, { step: 'class', claim: changed(session, { kind: 'question' }) })
          : next(session, { step: 'measure', claim: changed(session, { modality }) }),
      );
    case 'class':
      return taken(session, readClass(typed), (value) =>
        added(session, changed(session, { atom: { key: QUESTION_KEY, op: '=', value, unit: null } })),
      );
    case 'measure':
      return taken(session, readMeasure(typed, renderClaim(session)), (atom) =>
        next(session, { step: 'condition', claim: changed(session, { atom }) }),
      );
    case 'condition':
    case 'exception':
    case 'actor':
      return typed === '' ? scoped(session, session.step, null) : locate(session, typed);
    case 'assumption':
      return assume(session, typed);
    case 'summary':
      return next(session, { summary: cutTo(typed, INTERPRETATION_LIMITS.summaryUnits), step: 'name' });
    case 'name':
      return named(session, typed);
    case 'another':
      return taken(session, readYes(typed), (isYes) =>
        next(session, { step: isYes ? 'words' : 'confirm' }, isYes ? [] : overview(session)),
      );
    case 'confirm':
      return taken(session, readYes(typed), (isYes) =>
        end(session, isYes ? { value: session.readings, failure: null } : gaveUp('not_confirmed')),
      );
  }
}

const PROMPTS: Readonly<Record<Step, string>> = {
  words: 'words of the request (empty: no more claims)',
  modality: 'must, must not, should, may, or question',
  class: `what is open: ${QUESTION_CLASSES.join(', ')}`,
  measure: 'measure, KEY OP VALUE UNIT (empty: a flag that these words name)',
  condition: 'only when, in words of the request (empty: always)',
  exception: 'except when, in words of the request (empty: never)',
  actor: 'who, in words of the request (empty: nobody is named)',
  assumption: 'an assumption of yours (empty: no more)',
  summary: 'the intent in a sentence of yours (may be empty)',
  name: 'a name that says the choice made (empty: by-hand)',
  another: 'another reading, yes or no',
  confirm: 'propose this, yes or no',
};

/** Words typed: the one place they stand in, or the question which. */
function locate(session: Session, typed: string): Turn {
  return taken(session, readWords(session.seed, typed), (places) => {
    const [only] = places;
    return only !== undefined && places.length === 1
      ? placed(session, only)
      : next(session, { places }, placeLines(session.seed, places));
  });
}

function choose(session: Session, typed: string): Turn {
  return taken(session, readChoice(typed, session.places.length), (index) =>
    placed({ ...session, places: [] }, session.places[index] ?? NOWHERE),
  );
}

const NOWHERE: Quote = { start: 0, end: 1 };

function placed(session: Session, quote: Quote): Turn {
  const { step } = session;
  if (step === 'condition' || step === 'exception' || step === 'actor') return scoped(session, step, quote);
  return next(session, {
    step: 'modality',
    claim: { kind: 'requirement', modality: 'must', quote, atom: null, scope: NO_SCOPE },
  });
}

function scoped(session: Session, part: keyof Scope, quote: Quote | null): Turn {
  const claim = changed(session, { scope: { ...(session.claim?.scope ?? NO_SCOPE), [part]: quote } });
  const step = SCOPE_STEPS[part];
  return step === 'words' ? added(session, claim) : next(session, { step, claim });
}

function added(session: Session, claim: Claim | null): Turn {
  if (claim === null) return next(session, { step: 'words' });
  const claims = [...session.claims, claim];
  const isFull = claims.length >= READING_LIMITS.commits;
  return next(session, { step: isFull ? 'assumption' : 'words', claim: null, claims }, [
    `  ${claims.length}  ${claimShown(claim, session.seed)}`,
  ]);
}

function assume(session: Session, typed: string): Turn {
  const isFull = session.assumptions.length >= READING_LIMITS.assumptions;
  if (typed !== '' && !isFull)
    return next(session, {
      assumptions: [...session.assumptions, cutTo(typed, INTERPRETATION_LIMITS.assumptionUnits)],
    });
  if (session.claims.length > 0) return next(session, { step: 'summary' });
  return next(session, { step: 'words' }, ['A reading holds at least one claim.']);
}

function named(session: Session, typed: string): Turn {
  const name = cutTo(typed === '' ? 'by-hand' : typed, INTERPRETATION_LIMITS.nameUnits);
  if (session.readings.some((one) => one.name === name))
    return next(session, {}, ['Another reading has this name.']);
  const readings = [
    ...session.readings,
    { name, assumptions: session.assumptions, intent_summary: session.summary, commits: session.claims },
  ];
  const given = { ...session, readings, claims: [], assumptions: [], summary: '' };
  return readings.length < session.readingsMax
    ? next(given, { step: 'another' })
    : next(given, { step: 'confirm' }, overview(given));
}

/** Takes back the claim in hand, or the last one, or the last assumption. */
function undo(session: Session): Turn {
  const { claim, claims, assumptions, step } = session;
  if (step === 'another' || step === 'confirm')
    return next(session, {}, ['A reading that is whole stays; :quit gives all up.']);
  if (claim !== null || session.places.length > 0)
    return next(session, { step: 'words', claim: null, places: [] }, ['Taken back: the claim just begun.']);
  if (step !== 'words' && assumptions.length > 0)
    return next(session, { step: 'assumption', assumptions: assumptions.slice(0, -1) }, [
      'Taken back: the last assumption.',
    ]);
  const last = claims.at(-1);
  return next(session, { step: 'words', claims: claims.slice(0, -1) }, [
    last === undefined ? 'There is nothing to take back.' : `Taken back: ${claimShown(last, session.seed)}`,
  ]);
}

function overview({ readings, seed }: Session): readonly string[] {
  return readings.flatMap(({ name, commits, assumptions }) => [
    `${name}:`,
    ...claimLines(commits, assumptions, seed),
  ]);
}

/** Goes on with what was typed, or asks again and says why. */
function taken<T>(session: Session, typed: Typed<T>, goOn: (value: T) => Turn): Turn {
  return typed.t === 'read' ? goOn(typed.value) : next(session, {}, [typed.why]);
}

function changed({ claim }: Session, change: Partial<Claim>): Claim | null {
  return claim === null ? null : { ...claim, ...change };
}

function renderClaim({ claim, seed }: Session): string {
  return claim?.quote === null || claim === null ? '' : seed.slice(claim.quote);
}

function next(session: Session, change: Partial<Session>, say: readonly string[] = []): Turn {
  const changedSession = { ...session, ...change };
  return {
    session: changedSession,
    say,
    prompt: changedSession.places.length > 0 ? 'which of them, by number' : PROMPTS[changedSession.step],
    answer: null,
  };
}

function end(session: Session, answer: HumanAnswer): Turn {
  return { session, say: [], prompt: '', answer };
}

/**
 * `denied`, final: a person who gives up is not asked again. Codes: `quit`, `input_ended`, `not_confirmed`.
 */
function gaveUp(code: string): HumanAnswer {
  return { value: null, failure: { code: 'denied', final: true, detail: { code } } };
}

function cutTo(text: string, unitsMax: number): string {
  return text.slice(0, unitsMax).toWellFormed();
}
