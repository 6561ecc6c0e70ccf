import { deciding, hashCanonical, Meter, openRun, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  defaultMemoryPolicy,
  memory,
  potentialsOfTag,
  recallMegrams,
  listTags,
  toolTag,
  type Megram,
  type MemoryBody,
  type MemoryEvent,
  type MemoryState,
} from '../../src/memory/index.js';
import { DAY_US } from '../../src/memory/decay.js';
import { dream, DREAM_UNITS_MAX, MEGRAM_STEPS } from '../../src/memory/requests.js';
import { parseMemoryPolicy } from '../../src/memory/policy.js';
import { intentTag, pathTag } from '../../src/memory/tag.js';
import { native } from './arbitraries.js';
import { Play } from './play.js';

const shell = toolTag('shell');
const rule = (
  play: Play,
  state: 'change_approach' | 'break_symmetry' = 'change_approach',
  text = 'use another tool',
): void => {
  play.times(8, play.state.clock_us, shell, state);
  play.dream(play.state.clock_us);
  play.bring('distil', { text });
};

describe('opening', () => {
  it('stands ready for six kinds of answer and asks for nothing', () => {
    const play = new Play();
    expect([...play.run.open].map(([, { request }]) => [request.kind, request.attempts]).toSorted()).toEqual([
      ['dream', 0],
      ['end', 0],
      ['feedback', 0],
      ['forget', 0],
      ['recall', 0],
      ['write', 0],
    ]);
  });

  it('refuses a policy it does not know, field by field, and any input', () => {
    const opens = (policy: Json, input: Json = {}): Json => {
      const opened = openRun(memory, { run_id: 'm', ts_base: 't', policy, input }, { sha256: native });
      return opened._tag === 'Left' ? [opened.left.code, opened.left.detail] : null;
    };
    expect(opens(defaultMemoryPolicy)).toBeNull();
    expect(opens({ ...defaultMemoryPolicy, kernel: 'power' })).toEqual([
      'bad_policy',
      { field: 'kernel', rule: 'exponential' },
    ]);
    expect(opens({ ...defaultMemoryPolicy, promote_decision_ppm: 0 })).toEqual([
      'bad_policy',
      { field: 'promote_decision_ppm', rule: 'integer_1_to_1000000000' },
    ]);
    expect(opens({ ...defaultMemoryPolicy, more: 1 })).toEqual([
      'bad_policy',
      { field: 'policy', rule: 'unknown_key' },
    ]);
    expect(opens([])).toEqual(['bad_policy', { field: 'policy', rule: 'object' }]);
    expect(opens(defaultMemoryPolicy, { x: 1 })).toEqual([
      'bad_input',
      { field: 'input', rule: 'empty_object' },
    ]);
    expect(parseMemoryPolicy({ ...defaultMemoryPolicy, dreamer_upward: 1 })).toMatchObject({
      _tag: 'Left',
      left: { detail: { field: 'dreamer_upward', rule: 'boolean' } },
    });
  });
});

describe('time', () => {
  it('comes from recorded values only, and one that runs back is rejected', () => {
    const play = new Play();
    play.times(1, 100, shell, 'refine');
    for (const [kind, value] of [
      ['write', { from: 'R7', task: '', megrams: [{ ...shell, state: 'refine', content: '' }], at_us: 99 }],
      ['recall', { from: 'R2', intent: 'intent:x', tools: [], at_us: 99 }],
      ['dream', { at_us: 99 }],
      ['end', { at_us: 0 }],
    ] as const)
      expect(play.bring(kind, value)).toMatchObject({
        rejection: 'clock_backwards',
        detail: { last_us: 100, given_us: value.at_us },
      });
    expect(play.bring('forget', { ...shell, id: null, why: '', at_us: 99 }, 'human').rejection).toBe(
      'clock_backwards',
    );
    expect(play.dream(100).rejection).toBeNull();
  });
});

describe('the Dreamer', () => {
  it('promotes at the thresholds and not below (002 §6e)', () => {
    for (const [f, isEnough] of [
      [5_000_000, true],
      [5_000_001, false],
    ] as const) {
      // Five of change_approach and one abandon cannot share a tag; ten of 0.85 weigh 8.5, so the threshold
      // is moved to them.
      const play = new Play({ promote_attention_ppm: f + 3_500_000, promote_decision_ppm: 8_500_000 });
      play.times(10, 0, shell, 'change_approach');
      play.dream(0);
      expect(play.isAsked('distil')).toBe(isEnough);
    }
  });

  it('asks for words with all that is known, and no id', () => {
    const play = new Play();
    play.times(4, 0, shell, 'change_approach', 'it hung');
    play.times(3, 0, shell, 'change_approach', 'it crashed');
    play.dream(0);
    const asked = [...play.run.open].find(([, { request }]) => request.kind === 'distil')?.[1].request;
    expect(asked).toMatchObject({
      attempts: 2,
      body: {
        ...shell,
        polarity: 'constraint',
        attention_nano: 5_950_000_000,
        decision_nano: -5_950_000_000,
        evidence: [
          { state: 'change_approach', content: 'it crashed', count: 3 },
          { state: 'change_approach', content: 'it hung', count: 4 },
        ],
      },
    });
    expect(JSON.stringify(asked?.body)).not.toMatch(/[0-9a-f]{64}/);
  });

  it('promotes nothing without a text, and asks again at the next dream', () => {
    const play = new Play();
    play.times(8, 0, shell, 'change_approach');
    play.dream(0);
    expect(play.dream(0).events.map(({ t }) => t)).toEqual(['dreamt', 'invited']);
    expect(play.bring('distil', { text: ' \n' }).rejection).toBe('bad_answer');
    expect(play.fail('distil').events).toEqual([
      { t: 'undistilled', id: expect.any(String), ...shell, why: 'no_text', code: 'unavailable' },
    ]);
    expect(play.tag(shell)).toMatchObject({ rules: [], used_to: 0 });
    play.dream(0);
    expect(play.isAsked('distil')).toBe(true);
  });

  it('a text rejected twice is no text', () => {
    const play = new Play();
    play.times(8, 0, shell, 'change_approach');
    play.dream(0);
    play.bring('distil', { text: '' });
    expect(play.bring('distil', { words: 'x' }).events).toMatchObject([
      { t: 'undistilled', why: 'no_text', code: 'exhausted' },
    ]);
  });

  it('uses evidence for one promotion, and replaces a rule of the same polarity by the next (dec-M12)', () => {
    const play = new Play();
    rule(play);
    const [first] = play.tag(shell).rules;
    play.dream(0);
    expect(play.isAsked('distil')).toBe(false);
    expect(play.tag(shell).count).toBe(8);
    play.times(5, 0, shell, 'change_approach');
    play.dream(0);
    expect(play.isAsked('distil')).toBe(false);
    play.times(1, 0, shell, 'change_approach');
    play.dream(0);
    play.bring('distil', { text: 'really' });
    const [second, ...others] = play.tag(shell).rules;
    expect([second?.content, second?.source_count, others.length]).toEqual(['really', 6, 0]);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.sources).not.toContain(first?.sources[0]);
  });

  it('makes no rule that the rest of its tag speaks against', () => {
    const play = new Play();
    rule(play, 'break_symmetry');
    play.times(20, 0, shell, 'break_symmetry');
    play.dream(0);
    play.bring('distil', { text: 'again' });
    play.times(8, 0, shell, 'change_approach');
    play.dream(0);
    expect(play.isAsked('distil')).toBe(false);
  });

  it('counts no Megram of layer K as evidence for a rule', () => {
    const play = new Play({ promote_attention_ppm: 1_000_000, promote_decision_ppm: 1_000_000 });
    rule(play);
    play.times(12, 0, shell, 'break_symmetry');
    play.dream(0);
    play.bring('distil', { text: 'the other way' });
    expect(play.tag(shell).raw?.megram).toMatchObject({
      level: 'K',
      f_ppm: 1_000_000,
      sigma_ppm: -1_000_000,
    });
    play.bring('forget', { ...shell, id: play.tag(shell).rules[0]?.id ?? '', why: '', at_us: 0 }, 'human');
    play.dream(0);
    expect(play.isAsked('distil')).toBe(false);
  });

  it('forgets the Megrams of a tag together, just below the threshold, and keeps its rules (dec-M10)', () => {
    const play = new Play();
    play.times(1, 0, pathTag('read', '/a'), 'refine');
    expect(play.dream(0).events.filter(({ t }) => t === 'faded')).toEqual([]);
    expect(play.dream(1_000_000).events.filter(({ t }) => t === 'faded')).toMatchObject([
      { count: 1, attention_nano: 99_999_421 },
    ]);
    rule(play);
    play.dream(200 * DAY_US);
    expect(play.tag(shell)).toMatchObject({ raw: null, count: 0, rules: [{ level: 'C' }] });
    expect(listTags(play.state.shelf)).toHaveLength(1);
  });

  it('withdraws a promotion whose evidence faded', () => {
    const play = new Play();
    play.times(8, 0, shell, 'change_approach');
    play.dream(0);
    expect(play.dream(400 * DAY_US).events.map(({ t }) => t)).toEqual([
      'dreamt',
      'undistilled',
      'faded',
      'invited',
    ]);
    expect(play.isAsked('distil')).toBe(false);
  });

  it('puts off what one record should not hold', () => {
    const play = new Play({ forget_below_ppm: 1_000_000 });
    const targets = Array.from({ length: 1_024 }, (_, index) =>
      pathTag('read', `${index}`.padEnd(1_000, 'x')),
    );
    for (let at = 0; at < targets.length; at += 256)
      play.write(
        0,
        targets.slice(at, at + 256).map((tag) => ({ ...tag, state: 'refine', content: '' })),
      );
    const [dreamt] = play.dream(0).events;
    const kept = listTags(play.state.shelf).length;
    expect(dreamt).toMatchObject({ t: 'dreamt', tags: 1_024, changed: 1_024 - kept, put_off: kept });
    expect(kept).toBeGreaterThan(0);
    expect((1_024 - kept) * 1_300).toBeLessThanOrEqual(DREAM_UNITS_MAX * 1.1);
    play.dream(0);
    expect(listTags(play.state.shelf)).toEqual([]);
  });
});

describe('the graph', () => {
  const graphs = (
    play: Play,
  ): readonly {
    readonly nodes: readonly { readonly kind: string; readonly id: string }[];
    readonly edges: readonly { readonly kind: string; readonly from_id: string; readonly to_id: string }[];
  }[] =>
    play.records
      .flatMap(({ kind, payload }) =>
        kind === 'decision' ? [(payload as { readonly graph: never }).graph] : [],
      )
      .filter((graph) => graph !== null);

  it('has the memory, each rule that rests on it, what replaced a rule and what brought one down', () => {
    const play = new Play();
    rule(play);
    rule(play);
    play.times(25, 0, shell, 'break_symmetry');
    play.dream(0);
    const nodes = new Map(
      graphs(play)
        .flatMap((graph) => graph.nodes)
        .map(({ id, kind }) => [id, kind]),
    );
    expect([...nodes.values()]).toEqual(['seed', 'claim', 'claim', 'decision']);
    expect(
      graphs(play)
        .flatMap((graph) => graph.edges)
        .map(({ from_id, kind, to_id }) => `${nodes.get(from_id)} ${kind} ${nodes.get(to_id)}`),
    ).toEqual([
      'claim depends_on seed',
      'claim depends_on seed',
      'claim refines claim',
      'decision contradicts claim',
    ]);
  });

  it('of a continuation starts anew and names what it needs', () => {
    const play = new Play();
    rule(play);
    const next = new Play();
    next.run = orThrow(openRun(memory, play.continuation(), { sha256: native })).run;
    next.times(25, next.state.clock_us, shell, 'break_symmetry');
    next.dream(next.state.clock_us);
    expect(
      graphs(next)
        .flatMap((graph) => graph.edges)
        .map(({ kind }) => kind),
    ).toEqual(['contradicts']);
    next.bring('distil', { text: 'use the shell' });
    expect(
      graphs(next)
        .at(-1)
        ?.nodes.map(({ kind }) => kind),
    ).toEqual(['seed', 'claim']);
  });
});

describe('people', () => {
  it('forget a tag, or one Megram; nobody else does', () => {
    const play = new Play();
    rule(play);
    const { rules, raw } = play.tag(shell);
    const forget = { ...shell, id: rules[0]?.id ?? '', why: 'wrong', at_us: 5 };
    for (const source of ['run', 'synthetic', 'rule', 'live_model', 'clock'] as const)
      expect(play.bring('forget', forget, source).rejection).toBe('source_not_accepted');
    expect(play.bring('forget', forget, 'human').events).toMatchObject([
      { t: 'forgotten', id: rules[0]?.id, count: 1, why: 'wrong', at_us: 5 },
      { t: 'invited' },
    ]);
    expect(play.tag(shell)).toMatchObject({ rules: [], count: 8 });
    expect(play.bring('forget', { ...forget, id: raw?.megram.id ?? '' }, 'human').rejection).toBeNull();
    expect(play.tag(shell).count).toBe(7);
    expect(play.bring('forget', { ...forget, id: null }, 'human').events).toMatchObject([
      { t: 'forgotten', count: 7 },
      { t: 'invited' },
    ]);
    expect(listTags(play.state.shelf)).toEqual([]);
    expect(play.bring('forget', { ...forget, id: null }, 'human').rejection).toBe('unknown_target');
  });

  it('take the ground from a promotion by forgetting at its tag', () => {
    const play = new Play();
    play.times(8, 0, shell, 'change_approach');
    play.dream(0);
    expect(
      play
        .bring('forget', { ...shell, id: play.tag(shell).raw?.megram.id ?? '', why: '', at_us: 0 }, 'human')
        .events.map(({ t }) => t),
    ).toEqual(['undistilled', 'forgotten', 'invited']);
    expect(play.isAsked('distil')).toBe(false);
  });
});

describe('recall and feedback', () => {
  it('a recorded recall holds what a reading gives, and marks the rules it gave (dec-M7)', () => {
    const play = new Play();
    rule(play);
    const query = { intent: 'intent:x', tools: ['shell'] };
    const reply = recallMegrams(play.state, query, 50);
    const before = potentialsOfTag(play.tag(shell), 9 * DAY_US);
    expect(play.bring('recall', { from: 'R2', ...query, at_us: 50 }).events).toMatchObject([
      { t: 'recalled', reply },
      { t: 'invited' },
    ]);
    expect(play.tag(shell).rules[0]?.last_recalled_at_us).toBe(50);
    expect(potentialsOfTag(play.tag(shell), 9 * DAY_US)).toEqual(before);
    expect(play.bring('recall', { from: 'R7', ...query, at_us: 50 }).rejection).toBe('not_the_writer');
    expect(play.bring('recall', { from: 'R2', intent: 'tool:x', tools: [], at_us: 50 }).rejection).toBe(
      'bad_tag',
    );
  });

  it('keeps to its bounds, most attention first, and says what it left out', () => {
    const play = new Play({ recall_tags_max: 4 });
    for (const [index, target] of ['a', 'b', 'c', 'd'].entries())
      play.times(2 + index, 0, pathTag('read', target), 'change_path');
    const recall = recallMegrams(play.state, { intent: 'intent:x', tools: ['read'] }, 0);
    expect(recall.tags.map(({ entity }) => entity)).toEqual(['env:local', 'env:local', 'path:c', 'path:d']);
    expect(recall.left_out).toEqual({ tags: 2, rules: 0 });
  });

  it('feedback speaks against the rule, whichever way the rule points (dec-M18)', () => {
    for (const state of ['break_symmetry', 'change_approach'] as const) {
      const play = new Play();
      rule(play, state);
      const [found] = play.tag(shell).rules;
      const feedback = { from: 'R7', rule: found?.id ?? '', ...shell, content: 'stale', at_us: 1 };
      const { events } = play.bring('feedback', feedback, 'run', [play.head()]);
      expect(events).toMatchObject([
        { t: 'cited' },
        { t: 'wrote' },
        {
          t: 'remembered',
          megram: { state: 'feedback', level: 'M', f_ppm: 850_000, sigma_ppm: -(found?.sigma_ppm ?? 0) },
        },
        { t: 'invited' },
      ]);
      expect(play.bring('feedback', { ...feedback, from: 'R2' }).rejection).toBe('not_the_writer');
      expect(play.bring('feedback', { ...feedback, rule: '0'.repeat(64) }).rejection).toBe('unknown_rule');
      expect(
        play.bring('feedback', { ...feedback, rule: play.tag(shell).raw?.megram.id ?? '' }).rejection,
      ).toBe('unknown_rule');
    }
  });
});

describe('the rest', () => {
  it('a failure takes nothing away: each invitation stands again', () => {
    const play = new Play();
    for (const kind of ['dream', 'end', 'feedback', 'forget', 'recall', 'write']) {
      expect(play.fail(kind).events.map(({ t }) => t)).toEqual(['unanswered', 'invited']);
      expect(play.isAsked(kind)).toBe(true);
    }
  });

  it('ends with a count of what is on the shelf', () => {
    const play = new Play();
    rule(play);
    play.bring('end', { at_us: 3 }, 'human');
    expect(play.run.outcome).toBe('success');
    expect(play.records.find(({ kind }) => kind === 'artifact')?.payload).toMatchObject({
      name: 'memory',
      content: { at_us: 3, tags: 1, raw: 8, rules: 1 },
    });
  });

  it('gives each Megram an id of its own, equal text or not (dec-M17)', () => {
    const [one, two] = [new Play(), new Play({}, 'memory-2')];
    for (const play of [one, two])
      play.write(0, [
        { ...shell, state: 'refine', content: '' },
        { ...shell, state: 'refine', content: '' },
      ]);
    const ids = [one, two].flatMap((play) => [
      play.tag(shell).raw?.megram.id,
      play.tag(shell).raw?.older?.megram.id,
    ]);
    expect(new Set(ids).size).toBe(4);
  });

  it('rejects malformed answers by the place that is wrong', () => {
    const play = new Play();
    const good = {
      from: 'R7',
      task: '',
      megrams: [{ ...intentTag('x'), state: 'success', content: '' }],
      at_us: 0,
    };
    for (const [value, path] of [
      [null, ''],
      [{ ...good, megrams: [] }, '/megrams'],
      [{ ...good, at_us: -1 }, '/at_us'],
      [{ ...good, at_us: 0.5 }, '/at_us'],
      [{ ...good, megrams: [{ ...good.megrams[0], state: 'feedback' }] }, '/megrams/0/state'],
      [{ ...good, megrams: [{ ...good.megrams[0], content: 'x'.repeat(4_001) }] }, '/megrams/0/content'],
    ] as const) {
      expect(play.bring('write', value)).toMatchObject({ rejection: 'bad_answer', detail: { path } });
    }
  });
});

describe('what a dream may take', () => {
  const remembering = (play: Play, count: number, megram: Partial<Megram>): void => {
    const [, written] = play.write(play.state.clock_us, [{ ...shell, state: 'refine', content: '' }]).events;
    if (written?.t !== 'remembered') throw new Error('nothing written');
    let { state } = play;
    for (let index = 0; index < count; index += 1)
      state = memory.evolve(state, {
        t: 'remembered',
        megram: { ...written.megram, ...megram, sequence: index },
      });
    play.run = { ...play.run, state };
  };

  it('4,000 rules of one tag are weighed once each', () => {
    const play = new Play();
    remembering(play, 4_000, { level: 'C', k_ppm_per_day: 0 });
    const before = performance.now();
    expect(play.dream(1).events[0]).toMatchObject({ t: 'dreamt', tags: 1 });
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('tags that the meter has no steps for are put off, and the next dream begins with another', () => {
    const play = new Play({ forget_below_ppm: 1_000_000 });
    for (const entity of ['path:/a', 'path:/b', 'path:/c', 'path:/d'])
      play.times(1, 0, { space: 'tool:shell', entity }, 'refine');
    const forgotten = (sequence: number): unknown => {
      const meter = new Meter(2 * MEGRAM_STEPS);
      const hash = (value: Json) => orThrow(hashCanonical(value, native));
      const context = { run_id: 'memory', sequence, input_hash: hash(null), meter, hash };
      const step = deciding<MemoryState, MemoryEvent, MemoryBody>(play.state, memory.evolve, context);
      dream(step, 1, context);
      const [told, ...rest] = step.done().events;
      expect(told).toMatchObject({ tags: 4, changed: 2, put_off: 2 });
      return rest.map((event) => (event.t === 'faded' ? event.entity.slice(-1) : event.t)).join('');
    };
    expect([8, 9, 11].map(forgotten)).toEqual(['ab', 'bc', 'da']);
  });
});
