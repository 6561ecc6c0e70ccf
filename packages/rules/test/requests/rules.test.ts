import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Json } from '@assay/kernel';
import {
  SeedText,
  type Claim,
  type Interpretation,
  type InterpretationsBody,
  type PinAtom,
} from '@assay/kernel/intent';
import { proposeByRules } from '@assay/rules';
import { GRAMMAR_VERSION, LEXICON } from '../../src/requests/lexicon.ts';
import { LEXICON_HASH } from '../../src/requests/words.ts';
import { VERBS } from '../../src/requests/verb-list.ts';

function bodyOf(seed_text: string, pin: readonly PinAtom[] = []): InterpretationsBody {
  return { slot: 'rules', seed_hash: orThrow(hashCanonical(seed_text)), seed_text, n: 8, pin };
}

function readings(text: string, pin: readonly PinAtom[] = []): readonly Interpretation[] {
  return (proposeByRules(bodyOf(text, pin)).value ?? []) as unknown as readonly Interpretation[];
}

/** The claims of the literal reading as `modality «words» key op n unit`, questions as `? «words» class`. */
function lines(text: string, pin: readonly PinAtom[] = []): readonly string[] {
  const seed = new SeedText(text);
  return (readings(text, pin)[0]?.commits ?? []).map((claim) => line(claim, seed));
}

function line({ kind, modality, quote, atom }: Claim, seed: SeedText): string {
  const words = quote === null ? '' : `«${seed.slice(quote)}»`;
  if (kind === 'question') return `? ${words} ${String(atom?.value)}`;
  const value =
    atom === null
      ? ''
      : typeof atom.value === 'object'
        ? ` ${atom.op} ${atom.value.n}e-${atom.value.scale} ${String(atom.unit)}`
        : ` ${atom.op} ${String(atom.value)}`;
  return `${modality} ${words}${value}`;
}

describe('demands', () => {
  it.each([
    ['The upload must finish within 2 s.', ['must «The upload must finish within 2 s» <= 2e-0 s']],
    ['The part must not exceed 4 mm.', ['must «The part must not exceed 4 mm» <= 4e-0 mm']],
    ['Noise above 55 dB is not permitted.', ['must_not «Noise above 55 dB is not permitted» > 55e-0 dB']],
    ['The system must work without mobile network.', ['must «The system must work without mobile network»']],
    ['Please do not reset the queue on Mondays.', ['must_not «do not reset the queue on Mondays»']],
    [
      'Nobody may change a mark after the conference.',
      ['must_not «Nobody may change a mark after the conference»'],
    ],
    ['Tenants need not paint the rooms.', ['may «Tenants need not paint the rooms»']],
    ['Results should appear in the list.', ['should «Results should appear in the list»']],
    ['The reports should not be printed.', ['should «The reports should not be printed»']],
    [
      'Samples shall be kept frozen for seven days.',
      ['must «Samples shall be kept frozen for seven days» = 7e-0 d'],
    ],
    [
      'Runners who need more than 6 h are not listed.',
      ['must_not «Runners who need more than 6 h are not listed»'],
    ],
    [
      'The cake has to be for 25 people, no nuts, at most 60 EUR.',
      [
        'must «The cake has to be for 25 people» = 25e-0 person',
        'must_not «no nuts»',
        'must «at most 60 EUR» <= 60e-0 EUR',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  it('a heading forbids its items and the next one demands', () => {
    const text =
      'Rules for the stalls\n\nMUST NOT\n- use open fire\n- block the hydrant\n\nMUST\n- keep ' +
      'a passage of 3.5 m free\n';
    expect(lines(text)).toEqual([
      'must_not «use open fire»',
      'must_not «block the hydrant»',
      'must «keep a passage of 3.5 m free» = 35e-1 m',
    ]);
  });

  it('a range is two claims on one measure', () => {
    const [reading] = readings('Pool: water 26 to 28 °C during the season.');
    expect(reading?.commits.map(({ atom }) => [atom?.op, atom?.key])).toEqual([
      ['>=', reading?.commits[0]?.atom?.key],
      ['<=', reading?.commits[0]?.atom?.key],
    ]);
  });

  it('takes the condition and the exception of a clause apart', () => {
    const text = 'If a file gets too large, the server must split it unless the user objects.';
    const seed = new SeedText(text);
    const claim = readings(text)[0]?.commits[0];
    expect(
      claim?.scope.condition === null || claim === undefined ? null : seed.slice(claim.scope.condition),
    ).toBe('If a file gets too large');
    expect(
      claim?.scope.exception === null || claim === undefined ? null : seed.slice(claim.scope.exception),
    ).toBe('unless the user objects');
  });
});

describe('questions', () => {
  it('a vague measure raises a question and no threshold', () => {
    expect(lines('Give the dashboard a modern feel and good performance.')).toEqual([
      '? «modern feel» vague',
      '? «good performance» vague',
    ]);
  });

  it('a date without anchor raises a question and no date', () => {
    expect(lines('We need the export by next Friday.')).toEqual([
      'must «We need the export by next Friday»',
      '? «next Friday» relative_date',
    ]);
  });

  it('an approximate amount in a demand raises a question about its bound', () => {
    expect(lines('The sign must be about 30 cm wide.')).toEqual([
      'must «The sign must be about 30 cm wide» = 30e-0 cm',
      '? «about 30 cm» bound',
    ]);
  });
});

describe('readings', () => {
  it('literal comes first; essential leaves out what should or may be', () => {
    const [literal, essential] = readings('The app must start within 3 s. It should remember the last page.');
    expect([literal?.name, literal?.commits.length, essential?.name, essential?.commits.length]).toEqual([
      'literal',
      2,
      'essential',
      1,
    ]);
  });

  it('two demands that contradict each other give a reading for each side', () => {
    const names = readings('Delete logs after 30 days; logs are kept at least one year.').map(
      ({ name }) => name,
    );
    expect(names).toEqual(['literal', 'keep-first retention=30d', 'keep-second retention>=1year']);
  });

  it('no two readings commit to the same', () => {
    expect(readings('The app must start within 3 s.').map(({ name }) => name)).toEqual(['literal']);
  });

  it('at most n readings are given', () => {
    const answer = proposeByRules({
      ...bodyOf('The app must start within 3 s. It should remember the last page.'),
      n: 1,
    });
    expect(answer.value).toHaveLength(1);
  });

  it('a pinned measure is called by its name', () => {
    const pin: readonly PinAtom[] = [
      { modality: 'must_not', atom: { key: 'card_data', op: '=', value: true, unit: null } },
    ];
    expect(readings('The shop must store the card data for next time.', pin)[0]?.commits[0]?.atom).toEqual({
      key: 'card_data',
      op: '=',
      value: true,
      unit: null,
    });
  });
});

describe('refusals', () => {
  it.each([
    ['Hello there', 'too_short'],
    ['asdf qwrt zxcv bnmp fghj klzx', 'not_language'],
    ['The weather was nice and we had a walk.', 'nothing_found'],
    ['The bar must hold. '.repeat(20_000), 'too_long'],
  ])('%#: %s', (text, code) => {
    expect(proposeByRules(bodyOf(text))).toMatchObject({
      value: null,
      failure: { code: 'denied', final: true, detail: { code } },
    });
  });
});

describe('questions instead of demands', () => {
  it.each([
    [
      'Der Boden muss in zwei Wochen verlegt sein, und zwar vollständig.',
      'not_english',
      ['? «Der Boden muss in zwei Wochen verlegt sein, und zwar vollständig» language'],
    ],
    [
      '図書館の予約システムについて。検索結果は2秒以内。貸出履歴は保存しない。',
      'not_english',
      ['? «図書館の予約システムについて» language'],
    ],
    [
      'We need something modern and user-friendly.',
      'too_vague',
      ['? «modern» vague', '? «user-friendly» vague'],
    ],
  ])('%s', (text, refused, expected) => {
    expect(proposeByRules(bodyOf(text)).provenance).toMatchObject({ refused });
    expect(lines(text)).toEqual(expected);
  });
});

describe('evidence', () => {
  it('names grammar and lexicon, and claims no confidence', () => {
    const answer = proposeByRules(bodyOf('The app must start within 3 s.'));
    expect(answer).toMatchObject({
      source: 'rule',
      confidence: null,
      provenance: { grammar_version: GRAMMAR_VERSION, lexicon_hash: LEXICON_HASH },
    });
  });

  it('the hash of the lexicon is that of its words', () => {
    expect(LEXICON_HASH).toBe(orThrow(hashCanonical({ ...LEXICON, verbs: VERBS })));
  });

  it('gives the same answer again', () => {
    const body = bodyOf('The app must start within 3 s; delete logs after 30 days.');
    expect(orThrow(hashCanonical(proposeByRules(body) as unknown as Json))).toBe(
      orThrow(hashCanonical(proposeByRules(body) as unknown as Json)),
    );
  });
});
