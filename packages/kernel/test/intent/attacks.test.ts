/** What attackers tried, each as small as it was found. */
import { describe, expect, it } from 'vitest';
import { hashCanonical, Meter, orThrow, type Json } from '@assay/kernel';
import {
  defaultPolicy,
  evaluatePack,
  intent,
  PACK_FORMAT,
  scanText,
  SeedText,
  tokenize,
  type Atom,
  type Check,
  type Claim,
  type Interpretation,
  type Modality,
  type SlotAnswer,
} from '@assay/kernel/intent';
import {
  amount,
  answered,
  artifactOf,
  claimOn,
  eventsOf,
  flag,
  native,
  opened,
  played,
  policyWith,
  reading,
  reasonsOf,
} from './tools.js';
import { findFlips } from '../../src/intent/flip.js';
import { findNegations } from '../../src/intent/polarity.js';
import { findStretches } from '../../src/intent/stretches.js';
import { vetoSchema } from '../../src/schemas/artifacts.js';

const SEED =
  'Reports must load within 1500 ms. The app must not store card data. Pay by next Friday. ' +
  'Cool to -18 °C. The cap is 50 EUR for members.';
const LOAD = claimOn(SEED, 'Reports must load within 1500 ms', {
  atom: amount('report.load', '<=', 1500, 'ms'),
});
const CARD = claimOn(SEED, 'The app must not store card data', {
  modality: 'must_not',
  atom: flag('card_data.store'),
});
const HONEST = reading('honest', [LOAD, CARD]);

const loose = policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: 9 });
const CUT = { code: 'ungrounded', claim: 0, rule: 'cut' };
const vetoesIn = (text: string, ...commits: readonly Claim[]): readonly Json[] =>
  eventsOf(played(text, { a: [reading('r', commits)] }, loose), 'vetoed').flatMap(
    ({ vetoes }) => vetoes as readonly Json[],
  );
const vetoesOf = (...commits: readonly Claim[]): readonly Json[] => vetoesIn(SEED, ...commits);
const scoredOf = (readings: readonly Interpretation[]): ReadonlyMap<unknown, number> =>
  new Map(
    eventsOf(played(SEED, { a: readings }, loose), 'scored').map(({ name, total }) => [name, Number(total)]),
  );
const scoredFor = (text: string, one: Interpretation): number =>
  Number(eventsOf(played(text, { a: [one] }, loose), 'scored')[0]?.['total'] ?? -1);
const stretchesIn = (text: string): readonly string[] => {
  const seed = new SeedText(text);
  return findStretches(seed, tokenize(text)).sentences.map((quote) => seed.slice(quote));
};
const seconds = (work: () => void): number => {
  const start = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - start) / 1_000_000;
};

describe('attacks on time', () => {
  it('a number with thousands of scales is read in bounded depth', () => {
    expect(scanText(`zero${' hundred'.repeat(20_000)}`).quantities.length).toBeLessThan(3);
  });

  it('a clause of many words and many negators is read in linear time', () => {
    expect(
      seconds(() => void findNegations(new SeedText(`${'word '.repeat(60_000)}${'not '.repeat(60_000)}`))),
    ).toBeLessThan(2);
  });

  it('readings of a thousand claims of one measure are decided in seconds', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `Keep it ${index} s.`).join(' ');
    const claims = (op: Atom['op']): readonly Claim[] =>
      Array.from({ length: 1_000 }, (_, index) =>
        claimOn(text, `Keep it ${index} s`, { atom: amount('it.time', op, index, 's') }),
      );
    const list = [reading('up', claims('>=')), reading('down', claims('<=')), reading('same', claims('='))];
    expect(
      seconds(
        () =>
          void played(
            text,
            { a: list },
            policyWith({
              proposers: ['a'],
              max_nodes: 10_000,
              contradiction_budget: 10_000_000,
              min_score: 0,
            }),
          ),
      ),
    ).toBeLessThan(10);
  });

  it('readings that tie at every weight are no flip, and are not searched for one', () => {
    const hash = (value: Json): string => orThrow(hashCanonical(value, native));
    const twins = Array.from({ length: 8 }, (_, index) =>
      reading(`r${index}`, [{ ...LOAD, atom: amount(`report.k${index}`, '<=', 1500, 'ms') }]),
    );
    const answers: readonly SlotAnswer[] = twins.map((one, index) => ({
      t: 'answered',
      slot: `s${index}`,
      source: 'synthetic',
      proposer: 'fixture:x',
      proposal_hash: 'x',
      confidence_ppm: null,
      readings: [one],
    }));
    const policy = { ...defaultPolicy, proposers: twins.map((_, index) => `s${index}`) };
    expect(
      seconds(() =>
        expect(
          findFlips({ seedText: SEED, policy, pin: [], answers }, { run_id: 'r', hash: hash as never })
            ?.weight.flip,
        ).toBeNull(),
      ),
    ).toBeLessThan(2);
  });
});

describe('attacks on the winner', () => {
  it('questions about every word cover, ground and win nothing', () => {
    const asks = (words: string): Claim =>
      claimOn(SEED, words, {
        kind: 'question',
        atom: { key: 'question', op: '=', value: 'vague', unit: null },
      });
    const decoy = reading(
      'asks',
      [
        'Reports must load within 1500 ms',
        'The app must not store card data',
        'next Friday',
        'Cool to -18 °C',
      ].map(asks),
    );
    const totals = scoredOf([decoy, HONEST]);
    expect(totals.get('asks')).toBeLessThan(totals.get('honest') ?? 0);
  });

  it('a comparison turned round does not account for its number', () => {
    const turned = reading('a-turned', [{ ...LOAD, atom: amount('report.load', '>=', 1500, 'ms') }, CARD]);
    expect(vetoesOf(...turned.commits)).toEqual([]);
    expect(scoredOf([turned]).get('a-turned')).toBeLessThan(scoredOf([HONEST]).get('honest') ?? 0);
    const totalsOf = (text: string, words: string, modality: Modality = 'must'): readonly number[] =>
      (['<=', '>='] as const).map((op) =>
        scoredFor(
          text,
          reading('r', [claimOn(text, words, { modality, atom: amount('wind', op, 28, 'm/s') })]),
        ),
      );
    // The words of what is borne do not say on which side a demand stands; beside what is forbidden it is
    // mostly the other one.
    const borne = totalsOf('The mast must withstand winds of up to 28 m/s.', 'winds of up to 28 m/s');
    expect(borne[0]).toBe(borne[1]);
    const [below, above] = totalsOf('Noise above 28 m/s is not permitted.', 'Noise above 28 m/s');
    expect(below).toBeGreaterThan(above ?? 0);
    const [forbidden, turned28] = totalsOf(
      'Noise above 28 m/s is to be avoided.',
      'Noise above 28 m/s',
      'must_not',
    ).toReversed();
    expect(forbidden).toBeGreaterThan(turned28 ?? 0);
  });

  it('a bound in a list that is forbidden is held by its prohibition or its opposite, and by nothing else', () => {
    const totalsOf = (
      above: string,
      item: string,
      readings: readonly (readonly [Modality, Atom['op']])[],
    ): readonly number[] =>
      readings.map(([modality, op]) =>
        scoredFor(
          `${above}\n- ${item}`,
          reading('r', [
            claimOn(`${above}\n- ${item}`, item, { modality, atom: amount('stay.length', op, 10, 'd') }),
          ]),
        ),
      );
    for (const above of [
      'The system must not:',
      'It is forbidden to:',
      '## Not allowed',
      'Things to avoid',
      'Out of scope',
    ]) {
      const [forbidden = 0, opposite, ...others] = totalsOf(above, 'stay more than 10 d', [
        ['must_not', '>'],
        ['must', '<='],
        ['must', '>'],
        ['must_not', '<='],
        ['must', '='],
        ['may', '>'],
        ['may', '<='],
      ]);
      expect([above, opposite]).toEqual([above, forbidden]);
      for (const other of others) expect([above, other < forbidden]).toEqual([above, true]);
    }
    // A duty that is taken away, a line that goes on behind its negation, and an item with a force of its own
    // keep the side of the words.
    for (const [above, item] of [
      ['You do not have to:', 'stay for more than 10 d'],
      ['The following limits must not be exceeded:', 'stay at most 10 d'],
      ['Not allowed:', 'stays must be at most 10 d'],
    ] as const) {
      const [as = 0, turned = 0] = totalsOf(
        above,
        item,
        above.startsWith('You')
          ? [
              ['may', '>'],
              ['may', '<'],
            ]
          : [
              ['must', '<='],
              ['must', '>'],
            ],
      );
      expect([above, turned < as]).toEqual([above, true]);
    }
  });

  it('a marked heading right below a list takes the force of the list away', () => {
    const [forbidden, next] = ['## Out of scope\n- native apps', '## Answers\n- respond by mail'];
    const totalsOf = (parting: string): readonly number[] => {
      const text = `${forbidden}${parting}${next}`;
      return (['must', 'must_not'] as const).map((modality) =>
        scoredFor(
          text,
          reading('r', [claimOn(text, 'respond by mail', { modality, atom: flag('respond.mail') })]),
        ),
      );
    };
    const [demanded = 0, turned = 0] = totalsOf('\n');
    expect(turned).toBeLessThan(demanded);
    expect([demanded, turned]).toEqual(totalsOf('\n\n'));
    expect(stretchesIn(`${forbidden}\n${next}\n# Colours\nstay blue\n#1 is no heading`)).toEqual([
      '## Out of scope\n',
      '- native apps\n',
      '## Answers\n',
      '- respond by mail\n',
      '# Colours\n',
      'stay blue\n#1 is no heading',
    ]);
  });

  it('a leave, a wish or a prohibition that no word of its sentence says accounts for nothing', () => {
    const text = 'Keep the logs for 30 d. The app prints the label.';
    const keep = claimOn(text, 'Keep the logs for 30 d', { atom: amount('log.retention', '=', 30, 'd') });
    const print = claimOn(text, 'The app prints the label', { atom: flag('label.print') });
    const [honest = 0, ...others] = (['must', 'may', 'should', 'must_not'] as const).map((modality) =>
      scoredFor(
        text,
        reading('r', [
          { ...keep, modality },
          { ...print, modality },
        ]),
      ),
    );
    for (const other of others) expect(other).toBeLessThan(honest);
  });

  it('a duty that is taken away is a leave, not a prohibition, and `only` makes a demand of a leave', () => {
    const free = 'You need not print the label.';
    const [left = 0, ...others] = (['may', 'must_not', 'must'] as const).map((modality) =>
      scoredFor(
        free,
        reading('r', [
          claimOn(free, 'You need not print the label', { modality, atom: flag('label.print') }),
        ]),
      ),
    );
    for (const other of others) expect(other).toBeLessThan(left);
    const only = 'Only admins may export.';
    const atom: Atom = { key: 'export', op: 'in', value: 'admins', unit: null };
    expect(scoredFor(only, reading('r', [claimOn(only, 'Only admins may export', { atom })]))).toBe(
      1_000_000,
    );
  });

  it('a reading without demands does not take grounding out of the sum for the others', () => {
    const invented: Claim = { ...LOAD, atom: flag('weather.storm') };
    const alone = scoredOf([reading('invented', [LOAD, CARD, invented])]).get('invented');
    const beside = scoredOf([reading('invented', [LOAD, CARD, invented]), reading('asks nothing', [])]).get(
      'invented',
    );
    const sound = scoredOf([HONEST, reading('asks nothing', [])]).get('honest');
    expect(alone).toBeLessThan(1_000_000);
    expect(beside).toBeLessThan(sound ?? 0);
  });

  const GROUPED = "In 2026 100 users pay 12 345 678 EUR or 1'000 EUR, p99 200 ms.";
  it.each<[string, string, readonly [n: number, unit: string | null] | null, boolean]>([
    ['Doors close within 2.5 s.', 'within 2', [2, null], true],
    [GROUPED, '678 EUR', [678, 'EUR'], true],
    [GROUPED, '345 678 EUR', [345_678, 'EUR'], true],
    [GROUPED, 'users pay 12', [12, null], true],
    [GROUPED, '000 EUR', [0, 'EUR'], true],
    [GROUPED, '12 345 678 EUR', [12_345_678, 'EUR'], false],
    [GROUPED, '100 users', [100, 'user'], false],
    [GROUPED, '200 ms', [200, 'ms'], false],
    [SEED, '500 ms', [500, 'ms'], true],
    [SEED, '18 °C', [18, 'degC'], true],
    [SEED, 'eports must load', null, true],
    [SEED, '-18 °C', [-18, 'degC'], false],
  ])('a quote may not cut a word, a number or its sign: %s %s', (text, words, value, isCut) => {
    const atom = value === null ? null : amount('x', '=', value[0], value[1]);
    const vetoes = vetoesIn(text, claimOn(text, words, { atom }));
    expect(vetoes).toEqual(isCut ? [CUT] : []);
    for (const veto of vetoes) expect(vetoSchema(veto)).toBeNull();
  });

  it.each<['condition' | 'exception', string, boolean]>([
    ['condition', 'approved within 2.5 s', true],
    ['condition', 'If not approved within 2', true],
    ['exception', 'unless a guard can', true],
    ['condition', 'a label', true],
    ['exception', 'a label', false],
    ['exception', 'but Ann', false],
    ['condition', 'If not approved within 2.5 s', false],
  ])('a %s may neither be cut nor leave its negator behind: %s', (part, words, isCut) => {
    const text =
      "If not approved within 2.5 s, stop. The door shall open unless a guard can't see it. " +
      'Nobody but Ann may enter. Never ship without a label.';
    const claim = claimOn(text, 'stop');
    const scope = { ...claim.scope, [part]: claimOn(text, words).quote };
    expect(vetoesIn(text, { ...claim, scope })).toEqual(isCut ? [CUT] : []);
  });

  it('a scope is no longer than a quote', () => {
    const long = `${SEED} ${'And so on. '.repeat(30)}`;
    const scope = { actor: null, condition: { start: 0, end: 300 }, exception: null };
    expect(vetoesIn(long, { ...LOAD, scope })).toMatchObject([{ code: 'ungrounded', rule: 'span' }]);
  });

  it('a quote stretched over the sentences beside it accounts for less, not for more', () => {
    const text = 'The app must start. It must print. It must never crash.';
    const readings = ['The app must start', text].map((words, index) =>
      reading(`r${index}`, [claimOn(text, words, { atom: flag(`app.k${index}`) })]),
    );
    const totals = eventsOf(played(text, { a: readings }, loose), 'scored');
    expect(totals.map(({ name }) => name)).toEqual(['r0', 'r1']);
    const parts = totals.map(({ parts: all }) => (all as readonly { readonly num: number }[])[0]?.num);
    expect(parts).toEqual([1, 0]);
  });

  it('a condition that quotes the request back accounts for nothing', () => {
    const whole = { start: 0, end: [...SEED].length };
    const decoys = (['condition', 'exception', 'actor'] as const).map((part) =>
      reading(part, [{ ...LOAD, scope: { ...LOAD.scope, [part]: whole } }]),
    );
    const totals = scoredOf([reading('plain', [LOAD]), ...decoys, HONEST]);
    for (const part of ['condition', 'exception', 'actor'])
      expect(totals.get(part)).toBeLessThan(totals.get('honest') ?? 0);
  });

  it('a demand turned into a leave accounts for less', () => {
    const totals = scoredOf([reading('may', [{ ...LOAD, modality: 'may' }, CARD]), HONEST]);
    expect(totals.get('may')).toBeLessThan(totals.get('honest') ?? 0);
  });

  it('a prohibition turned round on its whole sentence is out', () => {
    expect(vetoesOf({ ...CARD, modality: 'must' })).toEqual([
      { code: 'polarity', asserted: { in: 'claim', claim: 0 } },
    ]);
    expect(vetoesOf({ ...CARD, modality: 'must', atom: flag('card_data.store', false) })).toEqual([]);
  });

  it('a date that is not in its quote, or is none, is not grounded', () => {
    const by = claimOn(SEED, 'Pay by next Friday');
    expect(vetoesOf({ ...by, atom: { key: 'pay.by', op: '<=', value: '2031-02-28', unit: 'date' } })).toEqual(
      [{ code: 'ungrounded', claim: 0, rule: 'number' }],
    );
    expect(
      reasonsOf(
        answered(opened(SEED, loose), 'a', [
          reading('r', [{ ...by, atom: { key: 'pay.by', op: '<=', value: '2031-02-31', unit: 'date' } }]),
        ] as unknown as Json),
      ),
    ).toEqual([]);
  });

  it('the same words as a question from an earlier slot do not swallow a demand', () => {
    const asked = HONEST.commits.map((claim): Claim => ({ ...claim, kind: 'question' }));
    const run = played(
      SEED,
      { a: [reading('asked', asked)], b: [HONEST] },
      policyWith({ proposers: ['a', 'b'], min_score: 0 }),
    );
    expect(artifactOf(run, 'blueprint')).toMatchObject({ intent: { name: 'honest' } });
  });

  it('readings that are vetoed lend no place in the list', () => {
    const bad = { ...LOAD, atom: amount('report.load', '<=', 7, 'ms') };
    const padded = scoredOf([
      HONEST,
      reading('second', [LOAD]),
      ...[1, 2, 3].map((index) => reading(`bad ${index}`, [bad, { ...CARD, atom: flag(`k${index}`) }])),
    ]);
    expect(padded.get('second')).toBe(scoredOf([HONEST, reading('second', [LOAD])]).get('second'));
  });

  it('min_margin looks beyond the kept readings', () => {
    const text = 'Delete logs after 30 days; logs are kept at least one year.';
    const short = claimOn(text, 'Delete logs after 30 days', {
      atom: amount('log.retention', '<=', 30, 'd'),
    });
    const long = claimOn(text, 'logs are kept at least one year', {
      atom: amount('log.retention', '>=', 1, 'year'),
    });
    for (const max_interpretations of [1, 8]) {
      const run = played(
        text,
        { a: [reading('short', [short])], b: [reading('long', [long])] },
        policyWith({ proposers: ['a', 'b'], min_score: 0, min_margin: 1_000_000, max_interpretations }),
      );
      expect(reasonsOf(run)).toEqual(['ambiguous']);
    }
  });

  it('a pin that no demand affirms stays as a constraint', () => {
    const run = played(
      SEED,
      { a: [reading('r', [{ ...LOAD, atom: { key: 'region', op: 'in', value: 'US', unit: null } }])] },
      loose,
      { region: 'EU' },
    );
    expect(
      (artifactOf(run, 'blueprint')?.['claims'] as readonly Json[]).filter(
        (claim) => (claim as { readonly provenance: string }).provenance === 'pin',
      ),
    ).toMatchObject([{ atom: { key: 'region', value: 'EU' } }]);
  });

  it('must against must_not on one inexact amount is a contradiction', () => {
    const text = 'Data must be kept for 1 year. Data must not be kept for 1 year.';
    const [kept, not] = (['must', 'must_not'] as const).map((modality) =>
      claimOn(text, `Data ${modality.replace('_', ' ')} be kept for 1 year`, {
        modality,
        atom: amount('data.kept', '>=', 1, 'year'),
      }),
    ) as [Claim, Claim];
    expect(reasonsOf(played(text, { a: [reading('both', [kept, not])] }))).toEqual(['contradiction_budget']);
  });

  it('two claims that differ in scope alone are two, with two ids', () => {
    const text = 'The cap is 50 EUR for members. The cap is 50 EUR for guests.';
    const one = claimOn(text, 'The cap is 50 EUR', { atom: amount('cap', '<=', 50, 'EUR') });
    const actor = (words: string): Claim => ({
      ...one,
      scope: { ...one.scope, actor: claimOn(text, words).quote },
    });
    const run = played(text, { a: [reading('r', [actor('members'), actor('guests')])] }, loose);
    const ids = (artifactOf(run, 'blueprint')?.['claims'] as readonly { readonly id: string }[]).map(
      ({ id }) => id,
    );
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });
});

describe('attacks on a pack', () => {
  const judge = (
    threshold: Atom,
    modality: Check['modality'],
    observed: string | { readonly n: number; readonly scale: number },
    unit: string,
  ): string | undefined => {
    const check: Check = {
      id: 'c',
      claim: 'a'.repeat(64),
      modality,
      method: 'test',
      text: '',
      threshold,
      waits_for: [],
    };
    return evaluatePack(
      { format: PACK_FORMAT, seed_hash: 'a'.repeat(64), blueprint_hash: 'a'.repeat(64), checks: [check] },
      [{ check_id: 'c', observed, unit, source: '' }],
    ).checks[0]?.status;
  };

  it('what is no date decides nothing', () => {
    const due: Atom = { key: 'due', op: '<=', value: '2026-03-16', unit: 'date' };
    expect(
      ['16.03.2027', '', '0', '2026-02-30', 'never'].map((text) => judge(due, 'must', text, 'date')),
    ).toEqual(Array(5).fill('missing'));
  });

  it('what must not be a month may not be a month', () => {
    expect(judge(amount('x', '=', 1, 'month'), 'must_not', { n: 1, scale: 0 }, 'month')).toBe('fail');
    expect(judge(amount('x', '!=', 1, 'year'), 'must', { n: 1, scale: 0 }, 'year')).toBe('fail');
    expect(judge(amount('x', '=', 1, 'month'), 'must_not', { n: 40, scale: 0 }, 'd')).toBe('pass');
  });
});

describe('attacks by a snapshot', () => {
  it('decode completes readings, and going on with requests it did not ask is refused', () => {
    const run = answered(opened(SEED, policyWith({ proposers: ['a', 'b'] })), 'a', [
      HONEST,
    ] as unknown as Json);
    const { contradictions: _c, aliases: _a, ...bare } = HONEST;
    const encoded = JSON.parse(JSON.stringify(intent.encode(run.step.run.state))) as {
      answers: { readings: unknown[] }[];
    };
    for (const one of encoded.answers) one.readings = [bare];
    const decoded = orThrow(intent.decode(encoded as unknown as Json));
    expect(decoded.answers.get('a')).toMatchObject({ readings: [{ contradictions: [], aliases: [] }] });
    const { genesis } = run.step.run;
    const context = {
      run_id: 'r',
      sequence: 0,
      input_hash: 'a'.repeat(64) as never,
      hash: () => 'a'.repeat(64) as never,
      meter: new Meter(),
    };
    const request = { id: '1.1', kind: 'interpretations', body: null, accepts: ['rule'], attempts: 2 };
    const base = {
      run_id: 'r',
      count: 3,
      hash: 'a'.repeat(64),
      snapshot: {
        t: 'state',
        machine: encoded,
        open: { '1.1': { rejections: 0, spent: {}, request } },
        artifacts: {},
      },
    };
    expect(intent.open({ ...genesis, base } as never, context)).toMatchObject({
      _tag: 'Left',
      left: { code: 'bad_state' },
    });
    const none = { ...encoded, setup: null } as unknown as Json;
    expect(
      intent.open(
        { ...genesis, base: { ...base, snapshot: { ...base.snapshot, machine: none } } } as never,
        context,
      ),
    ).toMatchObject({ _tag: 'Left', left: { code: 'bad_state' } });
  });
});
