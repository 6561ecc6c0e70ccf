/**
 * What a memory shows.
 *
 * @packageDocumentation
 */
import { err, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, Line, Panel, Picture, Piece, Row, Tone, View } from '@assay/kernel/view';
import { DAY_US } from '../memory/decay.js';
import type { Megram } from '../memory/megram.js';
import { chooseAction, convertToNano, potentialsOfTag, type Action } from '../memory/potentials.js';
import { megramsIn, listTags, type Tag } from '../memory/shelf.js';
import type { MemoryState, MemoryEvent } from '../memory/state.js';
import { fold, start, type MemoryFold } from './fold.js';

/** What a memory shows: what each tag advises and how it fades, what became of tags, who wrote and read. */
export const memoryView: View<MemoryState, MemoryFold> = {
  machine: 'memory',
  versions: [1],
  start,
  fold,
  describe,
  show,
  knobs: () => [],
  // No number of a memory is asked again: each recall and dream is dated by its answer.
  turn: (policy, [change]) =>
    change === undefined ? ok(policy) : err({ code: 'unknown_knob', detail: { id: change.id } }),
  files: () => [],
  next: () => [{ command: 'verify', args: ['{ledger}'] }],
};

/** A tag with what it comes to now. */
type Weighed = {
  readonly tag: Tag;
  readonly attention: number;
  readonly decision: number;
  readonly action: Action;
};

function show(seen: MemoryFold, state: MemoryState): Picture {
  const tags = listTags(state.shelf);
  const weighed = tags.slice(0, TAGS_MAX).map((tag): Weighed => {
    const { attention_nano, decision_nano } = potentialsOfTag(tag, state.clock_us);
    const action = chooseAction({ attention_nano, decision_nano }, state.policy);
    return { tag, attention: attention_nano, decision: decision_nano, action };
  });
  const strongest = weighed.toSorted((a, b) => b.attention - a.attention);
  const raw = tags.reduce((sum, { count }) => sum + count, 0);
  const rules = tags.reduce((sum, tag) => sum + tag.rules.length, 0);
  return {
    tone: 'plain',
    verdict: seen.status === null ? 'Remembers' : 'Ended',
    subject: `${raw} experiences and ${rules} rules under ${tags.length} tags`,
    because: strongest
      .slice(0, 3)
      .flatMap(({ tag, action }, index) => [
        index === 0 ? '' : ' · ',
        { said: `${tag.space} ${tag.entity}` },
        `: ${action}`,
      ]),
    asked: '',
    panels: [
      tagsPanel(weighed, tags.length),
      decayPanel(strongest, state),
      changesPanel(seen),
      answersPanel(seen),
      megramsPanel(strongest),
    ],
  };
}

const TAGS_MAX = 2_000;
const TONES: Readonly<Record<Action, Tone>> = {
  ignore: 'faint',
  exploit: 'good',
  avoid: 'bad',
  caution: 'open',
};

function tagsPanel(weighed: readonly Weighed[], count: number): Panel {
  const rows = weighed.map(
    ({ tag, attention, decision, action }): Row => ({
      record: null,
      cells: [
        [{ said: tag.space }],
        [{ said: tag.entity }],
        action,
        { n: attention, unit: 'nano', exact: null },
        { n: decision, unit: 'nano', exact: null },
        { n: tag.count, unit: 'count', exact: null },
        { n: tag.rules.length, unit: 'count', exact: null },
      ],
      tone: TONES[action],
    }),
  );
  return {
    id: 'tags',
    title: 'What each tag advises',
    says: 'Attention says how much is remembered, decision which way it points.',
    page: 'overview',
    left_out: count - rows.length,
    block: {
      t: 'table',
      columns: ['space', 'entity', 'advises', 'attention', 'decision', 'experiences', 'rules'],
      rows,
    },
  };
}

const SHOWN_TAGS = 4;
const SHOWN_DAYS = 60;
/** A tag of more is not computed day by day. */
const SUMMED_MAX = 10_000;

function decayPanel(strongest: readonly Weighed[], { clock_us, policy }: MemoryState): Panel {
  const lines = strongest
    .filter(({ tag }) => tag.count <= SUMMED_MAX)
    .slice(0, SHOWN_TAGS)
    .map(
      ({ tag }, index): Line => ({
        name: [{ said: `${tag.space} ${tag.entity}` }],
        main: index === 0,
        step: false,
        points: Array.from(
          { length: SHOWN_DAYS + 1 },
          (_, day) => [day, potentialsOfTag(tag, clock_us + day * DAY_US).attention_nano] as const,
        ),
      }),
    );
  return {
    id: 'decay',
    title: 'How it fades if nothing comes',
    says: 'Attention of the strongest tags, by the decay of the machine.',
    page: 'overview',
    left_out: Math.max(0, strongest.length - lines.length),
    block: {
      t: 'series',
      x: { label: 'days after the last record', unit: 'count' },
      unit: 'nano',
      lines,
      limits: [
        { label: 'ignored below', at: convertToNano(policy.ignore_below_ppm) },
        { label: 'forgotten below', at: convertToNano(policy.forget_below_ppm) },
      ],
      marks: [],
    },
  };
}

function changesPanel({ changes, oldChanges }: MemoryFold): Panel {
  return {
    id: 'changes',
    title: 'Promoted, demoted, faded, forgotten',
    says: 'What became of each tag, and why.',
    page: 'decision',
    left_out: oldChanges,
    block: { t: 'table', columns: ['what', 'space', 'entity', 'why'], rows: changes },
  };
}

function answersPanel({ answers, oldAnswers }: MemoryFold): Panel {
  return {
    id: 'answers',
    title: 'Who wrote, read and forgot',
    says: 'Every recorded answer, with the heads it cites.',
    page: 'course',
    left_out: oldAnswers,
    block: { t: 'table', columns: ['what', 'by', 'source', 'cites', 'not accepted'], rows: answers },
  };
}

const MEGRAMS_MAX = 2_000;

function megramsPanel(strongest: readonly Weighed[]): Panel {
  const rows: Row[] = [];
  let count = 0;
  for (const { tag } of strongest) {
    count += tag.rules.length + tag.count;
    for (const megram of megramsIn(tag)) {
      if (rows.length >= MEGRAMS_MAX) break;
      rows.push(megramRow(megram));
    }
  }
  return {
    id: 'megrams',
    title: 'Rules and experiences',
    says: 'Of the strongest tags first, and rules before experiences.',
    page: 'result',
    left_out: count - rows.length,
    block: {
      t: 'table',
      columns: ['layer', 'space', 'entity', 'state', 'says', 'weight', 'sigma', 'decay a day'],
      rows,
    },
  };
}

function megramRow({ level, space, entity, state, content, f_ppm, sigma_ppm, k_ppm_per_day }: Megram): Row {
  return {
    record: null,
    cells: [
      level,
      [{ said: space }],
      [{ said: entity }],
      state.replaceAll('_', ' '),
      [{ said: content }],
      { n: f_ppm, unit: 'ppm', exact: null },
      { n: sigma_ppm, unit: 'ppm', exact: null },
      { n: k_ppm_per_day, unit: 'ppm', exact: null },
    ],
    tone: level === 'C' ? 'plain' : 'faint',
  };
}

function describe(record: DerivedRecord, { asked }: MemoryFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: 'a memory begins', tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source } = record.payload;
      return {
        text: [`${asked.get(request_id) ?? 'answer'} by `, { said: proposer }, ` (${source})`],
        tone: 'plain',
      };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = (record.payload.events as unknown as readonly MemoryEvent[])
        .map(eventText)
        .filter((text) => text.length > 0);
      const text = events.flatMap((said, index) => (index === 0 ? said : ['; ', ...said]));
      return { text: text.length === 0 ? 'continues' : text, tone: 'plain' };
    }
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close':
      return { text: record.payload.status, tone: 'plain' };
  }
}

/** What an event did; nothing for what only keeps the books. */
function eventText(event: MemoryEvent): readonly Piece[] {
  switch (event.t) {
    case 'dreamt':
      return [
        `dreamt: ${event.tags} tags looked at, ${event.changed} cleared`,
        event.put_off > 0 ? `, ${event.put_off} put off to the next dream` : '',
      ];
    case 'faded':
      return [`faded: ${event.count} under `, ...tagText(event)];
    case 'forgotten':
      return [
        `forgotten: ${event.count} under `,
        ...tagText(event),
        '; the ledger keeps that they were there',
      ];
    case 'demoted':
      return ['demoted: a rule under ', ...tagText(event), ', which all else there speaks against'];
    case 'distilling':
      return [`${event.polarity.replace('_', ' ')} under `, ...tagText(event), ': words are asked for'];
    case 'undistilled':
      return [
        'no rule under ',
        ...tagText(event),
        `: ${event.why}${event.code === null ? '' : ` (${event.code})`}`,
      ];
    case 'remembered':
      return [event.megram.level === 'C' ? 'promoted: ' : 'remembered: ', { said: event.megram.content }];
    case 'invited':
    case 'cited':
      return [];
    default:
      return [event.t];
  }
}

function tagText({ space, entity }: { readonly space: string; readonly entity: string }): readonly Piece[] {
  return [{ said: `${space} ${entity}` }];
}
