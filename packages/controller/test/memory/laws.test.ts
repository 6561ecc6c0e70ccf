import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultMemoryPolicy,
  potentialsOfTag,
  recallMegrams,
  listTags,
  toolTag,
  type Megram,
} from '../../src/memory/index.js';
import {
  potentialsOfMegram,
  chooseAction,
  computePotentials,
  type Potentials,
} from '../../src/memory/potentials.js';
import { DAY_US, NANO } from '../../src/memory/decay.js';
import {
  DIRECTIVES,
  MATRIX,
  mayWrite,
  quantify,
  type MemoryDirective,
} from '../../src/memory/quantization.js';
import { intentTag, pathTag } from '../../src/memory/tag.js';
import { lawRuns, type LawRuns } from '../../../kernel/tools/laws.js';
import { anyTag } from './arbitraries.js';
import { Play } from './play.js';

const runs = lawRuns('memory laws');
/**
 * Fewer where each run is a memory that dreams many times: 1,000 would take this file beyond some 10 s of CPU
 * time.
 */
const ruleRuns = lawRuns('memory laws: rules that stay', 0.2);
const assert = <T extends unknown[]>(property: fc.IProperty<T>, parameters: LawRuns = runs): void =>
  fc.assert(property, parameters);

/** A Megram of any directive at a tag of any kind it may write to, at any time of ninety days. */
const anyMegram: fc.Arbitrary<Megram> = fc
  .tuple(anyTag, fc.constantFrom(...DIRECTIVES), fc.integer({ min: 0, max: 90 * DAY_US }))
  .map(([tag, directive, created_at_us]) => ({
    ...tag,
    ...quantify(directive, tag),
    id: '0'.repeat(64) as Megram['id'],
    level: 'M',
    sequence: 1,
    created_at_us,
    last_recalled_at_us: null,
    content: '',
    state: directive,
    sources: [],
    source_count: 0,
    upto: 0,
  }));
const megrams = fc.array(anyMegram, { maxLength: 40 });
const now = fc.integer({ min: 0, max: 120 * DAY_US });
const added = (a: Potentials, b: Potentials): Potentials => ({
  attention_nano: a.attention_nano + b.attention_nano,
  decision_nano: a.decision_nano + b.decision_nano,
});

describe('laws of memory', () => {
  it('law-M1: potentials add up, exactly: M(A ∪ B) = M(A) + M(B)', () => {
    assert(
      fc.property(megrams, megrams, now, (a, b, at) => {
        expect(computePotentials([...a, ...b], at)).toEqual(
          added(computePotentials(a, at), computePotentials(b, at)),
        );
      }),
    );
  });

  it('law-M2: no decision is beyond its attention', () => {
    assert(
      fc.property(megrams, now, (some, at) => {
        const { attention_nano, decision_nano } = computePotentials(some, at);
        return Math.abs(decision_nano) <= attention_nano;
      }),
    );
  });

  it('law-M3: what a Megram adds never rises with time', () => {
    assert(
      fc.property(anyMegram, now, now, (megram, a, b) => {
        const [early, late] = [
          potentialsOfMegram(megram, Math.min(a, b)),
          potentialsOfMegram(megram, Math.max(a, b)),
        ];
        return (
          late.attention_nano <= early.attention_nano &&
          Math.abs(late.decision_nano) <= Math.abs(early.decision_nano)
        );
      }),
    );
  });

  it('law-M4: the action table is total, and its borders are exact', () => {
    const half = NANO / 2;
    const fifth = NANO / 5;
    const table: readonly (readonly [number, number, string])[] = [
      [half - 1, half - 1, 'ignore'],
      [half, fifth, 'caution'],
      [half, fifth + 1, 'exploit'],
      [half, -fifth, 'caution'],
      [half, -fifth - 1, 'avoid'],
      [half, 0, 'caution'],
      [0, 0, 'ignore'],
      [9 * NANO, 3 * NANO, 'exploit'],
    ];
    for (const [attention_nano, decision_nano, action] of table)
      expect(
        chooseAction({ attention_nano, decision_nano }, defaultMemoryPolicy),
        `${attention_nano} ${decision_nano}`,
      ).toBe(action);
    assert(
      fc.property(
        fc.nat(9 * NANO),
        fc.integer({ min: -9 * NANO, max: 9 * NANO }),
        (attention_nano, decision_nano) => {
          const fits = {
            ignore: attention_nano < half,
            exploit: attention_nano >= half && decision_nano > fifth,
            avoid: attention_nano >= half && decision_nano < -fifth,
            caution: attention_nano >= half && Math.abs(decision_nano) <= fifth,
          };
          const found = chooseAction({ attention_nano, decision_nano }, defaultMemoryPolicy);
          return fits[found] && Object.values(fits).filter(Boolean).length === 1;
        },
      ),
    );
  });

  it('law-M5: the order of writing is irrelevant to every potential and action', () => {
    const drafts = fc.array(
      fc.tuple(anyTag, fc.constantFrom(...DIRECTIVES)).filter(([tag, state]) => mayWrite(state, tag)),
      { minLength: 1, maxLength: 8 },
    );
    assert(
      fc.property(drafts, fc.nat(), (some, turn) => {
        const [one, two] = [new Play(), new Play()];
        const written = some.map(([tag, state]) => ({ ...tag, state, content: '' }));
        for (const draft of written) one.write(5, [draft]);
        const at = turn % written.length;
        two.write(5, [...written.slice(at).toReversed(), ...written.slice(0, at)]);
        const seen = (play: Play): unknown =>
          listTags(play.state.shelf).map((tag) => [tag.space, tag.entity, potentialsOfTag(tag, 5 + DAY_US)]);
        expect(seen(one)).toEqual(seen(two));
      }),
    );
  });

  it('law-M7: what a dream forgets would change no later attention by 0.1 or more', () => {
    const writes = fc.array(
      fc
        .tuple(anyTag, fc.constantFrom(...DIRECTIVES), fc.integer({ min: 0, max: 10 * DAY_US }))
        .filter(([tag, state]) => mayWrite(state, tag)),
      { minLength: 1, maxLength: 12 },
    );
    let forgot = 0;
    assert(
      fc.property(
        writes,
        fc.integer({ min: 0, max: 60 * DAY_US }),
        fc.integer({ min: 0, max: 60 * DAY_US }),
        (some, rest, later) => {
          const play = new Play({ dreamer_upward: false });
          let clock = 0;
          for (const [tag, state, more] of some)
            play.write((clock += more), [{ ...tag, state, content: '' }]);
          const before = listTags(play.state.shelf);
          clock += rest;
          forgot += play.dream(clock).events.filter(({ t }) => t === 'faded').length;
          for (const tag of before) {
            const kept =
              listTags(play.state.shelf).find(
                ({ entity, space }) => entity === tag.entity && space === tag.space,
              ) ?? null;
            expect(
              potentialsOfTag(tag, clock + later).attention_nano -
                potentialsOfTag(kept, clock + later).attention_nano,
            ).toBeLessThan(NANO / 10);
          }
        },
      ),
    );
    expect(forgot).toBeGreaterThan(0);
  });

  it('law-M8: no path is ever to be exploited, whatever is written there', () => {
    assert(
      fc.property(
        fc.array(fc.constantFrom<MemoryDirective>('change_path', 'refine'), { minLength: 1, maxLength: 12 }),
        fc.nat(3 * DAY_US),
        (states, rest) => {
          const play = new Play();
          const tag = pathTag('read', '/missing');
          for (const state of states) play.times(1, 0, tag, state);
          const { tags } = recallMegrams(play.state, { intent: 'intent:x', tools: ['read'] }, rest);
          expect(tags.filter(({ action, entity }) => entity === tag.entity && action === 'exploit')).toEqual(
            [],
          );
        },
      ),
    );
    for (const directive of DIRECTIVES)
      expect(quantify(directive, pathTag('t', 'x')).sigma_ppm).toBeLessThanOrEqual(0);
    expect(quantify('refine', toolTag('t'))).toEqual(MATRIX.refine);
  });

  it('law-M9: a promoted rule survives every dream with no new evidence, whatever its sign', () => {
    assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 200 * DAY_US }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom<MemoryDirective>('refine', 'break_symmetry', 'change_approach'), {
          maxLength: 30,
        }),
        (isPractice, rests, mixed) => {
          const play = new Play();
          const tag = toolTag('shell');
          for (const state of mixed) play.times(1, 0, tag, state);
          play.times(12 + 2 * mixed.length, 0, tag, isPractice ? 'break_symmetry' : 'change_approach');
          play.dream(0);
          play.bring('distil', { text: 'a rule' });
          const [rule] = play.tag(tag).rules;
          let clock = 0;
          for (const rest of rests) play.dream((clock += rest));
          expect(play.tag(tag).rules).toEqual([rule]);
          expect(rule?.sigma_ppm).toBe(isPractice ? 1_000_000 : -1_000_000);
        },
      ),
      ruleRuns,
    );
  });

  it('law-M9: not even evidence that fades unevenly takes a rule down by itself', () => {
    const play = new Play();
    const tag = toolTag('shell');
    // 6 of −0.85 fade slowly, 180 of +0.05 fast: the sum is +3.9 today and below 0 next week.
    play.times(6, 0, tag, 'change_approach');
    play.times(180, 0, tag, 'refine');
    play.dream(0);
    play.bring('distil', { text: 'narrow the search' });
    const week = 7 * DAY_US;
    const rule = play.tag(tag).rules[0];
    expect(potentialsOfTag({ ...play.tag(tag), rules: [] }, week).decision_nano).toBeLessThan(0);
    play.dream(week);
    expect(play.tag(tag).rules).toEqual([rule]);
  });

  it('law-M10: opposing Megrams bankrupt a rule as soon as they outweigh all else at its tag, and not before', () => {
    // Every case there is, none drawn.
    for (const [isPractice, evidence] of [true, false].flatMap((either) =>
      [7, 8, 9, 10, 11, 12].map((count) => [either, count] as const),
    )) {
      const play = new Play();
      const tag = toolTag('shell');
      const [own, opposing] = isPractice
        ? (['break_symmetry', 'change_approach'] as const)
        : (['change_approach', 'break_symmetry'] as const);
      play.times(evidence, 0, tag, own);
      play.dream(0);
      play.bring('distil', { text: 'a rule' });
      const sign = isPractice ? 1 : -1;
      for (let opposed = 0; ; opposed += 1) {
        const others = sign * (evidence * MATRIX[own].f_ppm - opposed * MATRIX[opposing].f_ppm) * sign;
        const demoted = play.dream(0).events.filter(({ t }) => t === 'demoted');
        expect(demoted.length).toBe(others < 0 ? 1 : 0);
        if (others < 0) break;
        play.times(1, 0, tag, opposing);
      }
      expect(play.tag(tag).rules).toEqual([]);
    }
  });
});

describe('law-M6: only R7 writes', () => {
  const draft = { ...intentTag('x'), state: 'success', content: '' };

  it('takes a write from a run that cites its head, and knows it when it comes again', () => {
    const play = new Play();
    const head = play.head();
    const value = { from: 'R7', task: 't', megrams: [draft], at_us: 10 };
    expect(play.bring('write', value, 'run', [head]).rejection).toBeNull();
    play.dream(500);
    // Sent again after a crash: by then the clock has gone on, which is not what is wrong with it.
    expect(play.bring('write', value, 'run', [head])).toMatchObject({
      rejection: 'already_written',
      detail: { sequence: 3 },
    });
    expect(play.bring('write', { ...value, at_us: 500 }, 'run', [play.head()]).rejection).toBeNull();
    expect(play.tag(draft).count).toBe(2);
  });

  it('rejects every other role, every other source, and a run that cites nothing or more than its head', () => {
    const play = new Play();
    for (const from of ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'R6', 'user', 'r7', ''])
      expect(play.bring('write', { from, task: '', megrams: [draft], at_us: 0 }).rejection, from).toBe(
        'not_the_writer',
      );
    for (const source of [
      'live_model',
      'recorded_model',
      'rule',
      'human',
      'tool',
      'retrieval',
      'clock',
    ] as const)
      expect(
        play.bring('write', { from: 'R7', task: '', megrams: [draft], at_us: 0 }, source).rejection,
        source,
      ).toBe('source_not_accepted');
    expect(play.bring('write', { from: 'R7', task: '', megrams: [draft], at_us: 0 }, 'run').rejection).toBe(
      'uncited',
    );
    expect(
      play.bring('write', { from: 'R7', task: '', megrams: [draft], at_us: 0 }, 'run', [
        play.head(),
        play.head(),
      ]).rejection,
    ).toBe('uncited');
    expect(listTags(play.state.shelf)).toEqual([]);
  });

  it('takes no number from a writer: f, sigma and k are derived from the state', () => {
    const play = new Play();
    expect(
      play.bring('write', { from: 'R7', task: '', megrams: [{ ...draft, f_ppm: 1_000_000 }], at_us: 0 })
        .rejection,
    ).toBe('bad_answer');
    for (const directive of DIRECTIVES) {
      const tag =
        [intentTag('i'), toolTag('t'), pathTag('t', 'p')].find((name) => mayWrite(directive, name)) ??
        intentTag('');
      const { events } = play.write(0, [{ ...tag, state: directive, content: '' }]);
      expect(events.find(({ t }) => t === 'remembered')).toMatchObject({
        megram: { ...quantify(directive, tag), level: 'M', state: directive },
      });
    }
  });

  it('rejects a directive at a tag it does not write to', () => {
    const play = new Play();
    for (const [tag, state] of [
      [pathTag('t', 'p'), 'success'],
      [toolTag('t'), 'abandon'],
      [intentTag('i'), 'change_approach'],
      [pathTag('t', 'p'), 'break_symmetry'],
      [toolTag('t'), 'change_path'],
      [{ space: 'tool:', entity: 'env:local' }, 'refine'],
      [{ space: 'mood', entity: 'env:local' }, 'success'],
    ] as const) {
      expect(play.write(0, [{ ...tag, state, content: '' }]).rejection, `${state} ${tag.space}`).toBe(
        'bad_tag',
      );
    }
  });
});
