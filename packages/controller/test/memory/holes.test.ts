/** The holes of the sources that the settled readings close, and the scenarios that show it. */
import { describe, expect, it } from 'vitest';
import {
  defaultMemoryPolicy,
  listMegrams,
  potentialsOfTag,
  recallMegrams,
  toolTag,
} from '../../src/memory/index.js';
import type { WrittenRound } from '../../src/memory/drafts.js';
import { DAY_US, NANO } from '../../src/memory/decay.js';
import { intentSlug, pathTag } from '../../src/memory/tag.js';
import { findBearing } from '../../src/loop/dispatch.js';
import { Play } from './play.js';

const round = (given: Partial<WrittenRound>): WrittenRound => ({
  directive: 'refine',
  intent: 'find_the_file',
  blocked_tools: [],
  blocked_targets: [],
  content: 'no such file',
  prev: null,
  d_fell: false,
  ...given,
});
const missing = { tool: 'read', target: '/missing' };

describe('section 0 item 5: memory writes what nobody reads, and rewards what failed', () => {
  it('what is written at a tool and a path is read by a planner that asks for the tool (dec-M4)', () => {
    const play = new Play();
    for (let at = 0; at < 2; at += 1)
      play.write(at, listMegrams(round({ directive: 'change_path', blocked_targets: [missing] })));
    const { tags } = recallMegrams(
      play.state,
      { intent: 'intent:find_the_file', tools: ['read', 'shell'] },
      1,
    );
    expect(tags.map(({ action, entity, space }) => `${space} ${entity} ${action}`)).toEqual([
      'intent:find_the_file env:local ignore',
      'tool:read env:local ignore',
      'tool:read path:/missing caution',
      'tool:shell env:local ignore',
    ]);
  });

  it('change_approach writes one Megram for each blocked tool, though it blocks no target (dec-M1)', () => {
    const drafts = listMegrams(
      round({ directive: 'change_approach', blocked_tools: ['shell', 'read', 'shell'] }),
    );
    expect(drafts.map(({ entity, space, state }) => [space, entity, state])).toEqual([
      ['tool:read', 'env:local', 'change_approach'],
      ['tool:shell', 'env:local', 'change_approach'],
    ]);
  });

  it(
    'break_symmetry writes one Megram for each blocked tool, a round later, and only where D ' +
      'fell (dec-M1, dec-M3)',
    () => {
      expect(listMegrams(round({ directive: 'break_symmetry', blocked_tools: ['shell'] }))).toEqual([]);
      const prev = { directive: 'break_symmetry', blocked_tools: ['shell', 'read'] } as const;
      expect(
        listMegrams(round({ directive: 'success', prev, d_fell: false })).map(({ state }) => state),
      ).toEqual(['success']);
      expect(
        listMegrams(round({ directive: 'success', prev, d_fell: true })).map(({ space, state }) => [
          space,
          state,
        ]),
      ).toEqual([
        ['tool:read', 'break_symmetry'],
        ['tool:shell', 'break_symmetry'],
        ['intent:find_the_file', 'success'],
      ]);
      expect(
        listMegrams(
          round({
            directive: 'break_symmetry',
            blocked_tools: ['x'],
            prev: { ...prev, directive: 'change_approach' },
            d_fell: true,
          }),
        ),
      ).toEqual([]);
    },
  );

  it('refine leaves no preference where it failed, and half of one at the tool (dec-M2)', () => {
    const play = new Play();
    play.write(
      0,
      listMegrams(round({ blocked_targets: [missing, { tool: 'read', target: '/other' }, missing] })),
    );
    expect(potentialsOfTag(play.tag(pathTag('read', '/missing')), 0)).toEqual({
      attention_nano: NANO / 10,
      decision_nano: 0,
    });
    expect(potentialsOfTag(play.tag(toolTag('read')), 0)).toEqual({
      attention_nano: NANO / 10,
      decision_nano: NANO / 20,
    });
  });

  it('an abandoned task does not forbid its whole intent: what failed is handed over as a constraint (dec-M6)', () => {
    const play = new Play();
    play.write(0, listMegrams(round({ directive: 'abandon', content: 'the disk was full' })));
    play.times(1, 0, toolTag('shell'), 'change_approach');
    play.times(1, 0, toolTag('read'), 'break_symmetry');
    const recall = recallMegrams(play.state, { intent: 'intent:find_the_file', tools: ['read', 'shell'] }, 0);
    const bearing = findBearing(recall, { tools: [], targets: [] });
    expect(bearing).toMatchObject({
      intent: 'avoid',
      constraints: ['the disk was full'],
      forbidden_tools: ['shell'],
      preferred_tools: ['read'],
    });
    expect(findBearing(recall, { tools: ['read'], targets: [missing] })).toMatchObject({
      forbidden_tools: ['read', 'shell'],
      preferred_tools: [],
      forbidden_targets: [missing],
    });
  });

  it('what is forbidden is not cautioned about too; a caution about another target stays', () => {
    const cautious = {
      at_us: 1,
      tags: [
        {
          space: 'tool:read',
          entity: 'path:/missing',
          attention_nano: NANO,
          decision_nano: 0,
          action: 'caution' as const,
        },
      ],
      rules: [],
      failures: [],
      left_out: { tags: 0, rules: 0 },
    };
    expect(
      findBearing(cautious, { tools: [], targets: [{ tool: 'read', target: '/missing' }] }).caution_targets,
    ).toEqual([]);
    expect(
      findBearing(cautious, { tools: [], targets: [{ tool: 'read', target: '/missing/' }] }).caution_targets,
    ).toEqual([missing]);
  });

  it('a tag outweighed by nothing but age goes from avoid to ignore: one abandon lasts 12.8 days', () => {
    const play = new Play();
    play.write(0, listMegrams(round({ directive: 'abandon' })));
    const actionAt = (us: number): string | undefined =>
      recallMegrams(play.state, { intent: 'intent:find_the_file', tools: [] }, us).tags[0]?.action;
    expect([actionAt(0), actionAt(12 * DAY_US), actionAt(13 * DAY_US)]).toEqual(['avoid', 'avoid', 'ignore']);
  });

  it('a result after retries writes one Megram, like any other (dec-M20)', () => {
    expect(
      listMegrams(
        round({
          directive: 'accept',
          blocked_targets: [missing],
          blocked_tools: ['read'],
          prev: { directive: 'refine', blocked_tools: [] },
          d_fell: true,
        }),
      ),
    ).toHaveLength(1);
  });
});

describe('the slug of an intent (dec-M5)', () => {
  it('is the first three words, small, joined', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['Find the largest file', 'find_the_largest'],
      ['db-migration  TASK!', 'db_migration_task'],
      ['', ''],
      ['?!', ''],
      ['v2.1 of X', 'v2_1_of'],
      ['Größe ändern, bitte', 'größe_ändern_bitte'],
      ['ÄPFEL', 'Äpfel'],
      ['\u{1f375} tea', '\u{1f375}_tea'],
      ['a_b c', 'a_b_c'],
    ];
    for (const [text, slug] of cases) {
      expect(intentSlug(text), text).toBe(slug);
      expect(intentSlug(slug)).toBe(slug);
    }
  });
});

describe('thresholds', () => {
  it('are those of the sources by default', () => {
    expect(defaultMemoryPolicy).toMatchObject({
      ignore_below_ppm: 500_000,
      act_beyond_ppm: 200_000,
      promote_attention_ppm: 5_000_000,
      promote_decision_ppm: 3_000_000,
      forget_below_ppm: 100_000,
    });
  });
});
