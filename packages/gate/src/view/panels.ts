/**
 * The panels of a gate. Names, inputs, rules and results come from evidence and are quoted. Source: gate/G21.
 *
 * @module
 */
import type { Amount, Cell, Fact, Panel, Piece, Row, Text, Tone, Unit } from '@assay/kernel/view';
import { computeUse } from '../machine/budgets.js';
import type { Verdict, Why } from '../machine/events.js';
import type { GateState } from '../machine/state.js';
import type { CallSeen, GateFold } from './fold.js';

/** Verdicts in words. */
export const VERDICTS: Readonly<Record<Verdict, { readonly word: string; readonly tone: Tone }>> = {
  allowed: { word: 'allowed', tone: 'good' },
  asked: { word: 'asked', tone: 'open' },
  denied: { word: 'refused', tone: 'bad' },
};

const REASONS: Readonly<Record<Exclude<Why, 'rule'>, string>> = {
  no_rule: 'no rule matches',
  unjudged: 'it cannot be judged by ',
  principal: 'unknown caller',
  principals: 'too many callers',
  closing: 'the gate closes',
  in_flight: 'too many calls at once',
  budget: 'over the budget ',
  rate: 'over the rate ',
};

const LANES_MAX = 40;

/** Why a call was decided as it was: the first rule, the budget, or a sentence. */
export function renderReason({
  why,
  rules,
  budget = null,
}: Pick<CallSeen, 'why' | 'rules'> & { readonly budget?: string | null }): readonly Piece[] {
  const [rule = ''] = rules;
  if (why === 'rule') return [{ said: rule }];
  if (why === 'budget' || why === 'rate') return [REASONS[why], { said: budget ?? '' }];
  return why === 'unjudged' && rule !== '' ? [REASONS[why], { said: rule }] : [REASONS[why]];
}

/** A unit of a budget as views count it. */
export function findUnit(unit: string): Unit {
  if (unit === 'usd_micros') return 'micro:USD';
  return unit === 'tokens' || unit === 'bytes' ? unit : 'count';
}

function count(n: number, unit: Unit = 'count'): Amount {
  return { n, unit, exact: null };
}

function quote(text: string): readonly Piece[] {
  return [{ said: text }];
}

function sortCalls({ calls }: GateFold): readonly CallSeen[] {
  return calls.sorted((a, b) => Number(a) - Number(b)).map(([, call]) => call);
}

/** A table, where it has rows. */
function tablePanel(
  rows: readonly Row[],
  head: Pick<Panel, 'id' | 'title' | 'page'>,
  says: string,
  columns: readonly string[],
): readonly Panel[] {
  return rows.length === 0 ? [] : [{ ...head, left_out: 0, says, block: { t: 'table', columns, rows } }];
}

/** The calls that a person is asked about; nothing where there is none. */
export function waitingPanel(seen: GateFold): readonly Panel[] {
  const rows = sortCalls(seen)
    .filter(
      ({ verdict, isWatched, person, did }) =>
        verdict === 'asked' && !isWatched && person === null && did === null,
    )
    .map(
      (call): Row => ({
        record: call.record,
        tone: 'open',
        cells: [
          String(call.n),
          quote(call.principal),
          quote(`${call.tool} ${call.input}`),
          renderReason(call),
        ],
      }),
    );
  return tablePanel(
    rows,
    { id: 'waiting', title: 'Waiting for a person', page: 'overview' },
    'Nothing of this is performed before a person says so.',
    ['call', 'who', 'tool and input', 'asked by'],
  );
}

/** What was called, what the policy decided (nothing, where it has no rule), what the tool did. */
export function transcriptPanel(seen: GateFold, calls: number, hasRules: boolean): Panel {
  const rows = sortCalls(seen).map((call): Row => {
    const { word, tone } = VERDICTS[hasRules ? call.verdict : 'allowed'];
    const decided: Text = [
      call.isWatched ? `would be ${word}: ` : `${word}: `,
      ...renderReason(call),
      ...renderPerson(call),
    ];
    const did: Cell =
      call.did === null || call.did === 'declined' ? null : [`${call.did} `, { said: call.result }];
    const isBad = call.did === 'failed' || call.did === 'lost';
    return {
      record: call.record,
      tone: isBad ? 'bad' : tone === 'good' ? 'plain' : tone,
      cells: [
        String(call.n),
        [{ said: call.principal }, ': ', { said: `${call.tool} ${call.input}` }],
        hasRules ? decided : null,
        did,
      ],
    };
  });
  return {
    ...{ id: 'transcript', title: 'Transcript', page: 'overview', left_out: calls - rows.length },
    says: 'What was called, what the policy decided, what the tool did.',
    block: { t: 'table', columns: ['call', 'the model said', 'the policy decided', 'the tool did'], rows },
  };
}

function renderPerson({ person, did }: CallSeen): readonly Piece[] {
  return person === null ? [] : [did === 'declined' ? ', declined by ' : ', approved by ', { said: person }];
}

/** What was refused, by tool and reason, each with one example. */
export function refusedPanel({ refused }: GateFold, { policy }: GateState): readonly Panel[] {
  const groups = new Map<string, { readonly call: CallSeen; times: number }>();
  for (const call of refused) {
    const key = [call.tool, call.why, call.rules[0] ?? '', call.budget ?? ''].join('\n');
    const group = groups.get(key) ?? { call, times: 0 };
    groups.set(key, { ...group, times: group.times + 1 });
  }
  const rows = [...groups.values()].map(
    ({ call, times }): Row => ({
      record: call.record,
      tone: 'bad',
      cells: [quote(call.tool), renderReason(call), count(times), quote(call.input)],
    }),
  );
  return tablePanel(
    rows,
    { id: 'refused', title: policy.isObserving ? 'Would be refused' : 'Refused', page: 'decision' },
    'By tool and rule, with the first call of each.',
    ['tool', 'refused by', 'calls', 'such as'],
  );
}

/** How many calls came to what. */
export function countsPanel({ counts, policy }: GateState, hasRules: boolean): Panel {
  const rows = Object.entries(counts)
    .filter(([name, n]) => n > 0 && (hasRules || name !== 'denied'))
    .map(
      ([name, n]): Fact => ({
        record: null,
        name: name !== 'denied' ? name : policy.isObserving ? 'would be refused' : 'refused',
        value: count(n),
        tone: name === 'denied' || name === 'failed' ? 'bad' : 'plain',
      }),
    );
  return {
    ...{ id: 'counts', title: 'Calls', page: 'decision', left_out: 0 },
    says: 'Calls by outcome.',
    block: { t: 'facts', rows },
  };
}

/** What is used or held of each budget, of the most that is allowed. */
export function budgetsPanel({ policy, used, now }: GateState): readonly Panel[] {
  const uses = used.sorted();
  const rows = policy.budgets.flatMap((budget) =>
    uses.flatMap(([key, use]): readonly Row[] => {
      const principal = key.startsWith(`${budget.id}\n`) ? key.slice(budget.id.length + 1) : null;
      if (principal === null && key !== budget.id) return [];
      const unit = findUnit(budget.unit);
      const spent = computeUse(budget, use, now);
      return [
        {
          record: null,
          tone: spent >= budget.max ? 'bad' : 'plain',
          cells: [
            quote(budget.id),
            principal === null ? 'the run' : quote(principal),
            count(spent, unit),
            count(budget.max, unit),
            count(Math.max(0, budget.max - spent), unit),
          ],
        },
      ];
    }),
  );
  return tablePanel(
    rows,
    { id: 'budgets', title: 'Budgets', page: 'decision' },
    'Used or held, of the most that is allowed.',
    ['budget', 'whose', 'used', 'limit', 'left'],
  );
}

/** From the decision to the result, in lanes by tool; nothing where no times are known. */
export function coursePanel(seen: GateFold): readonly Panel[] {
  const timed = sortCalls(seen).filter(({ end, at }) => end !== null && at > 0);
  const tools = [...new Set(timed.map(({ tool }) => tool))];
  const from = seen.from ?? 0;
  const spans = timed.flatMap((call) => {
    const lane = tools.indexOf(call.tool);
    const tone: Tone = call.did === 'done' ? 'plain' : 'bad';
    const to = Math.max(call.end ?? call.at, call.at) - from;
    return lane >= LANES_MAX
      ? []
      : [{ record: call.record, lane, from: call.at - from, to, label: `call ${call.n}`, tone }];
  });
  return timed.length === 0
    ? []
    : [
        {
          ...{ id: 'course', title: 'When', page: 'course', left_out: timed.length - spans.length },
          says: 'From the decision to the result, by tool.',
          block: {
            ...{ t: 'lanes', axis: { label: 'time since the first call', unit: 'us' }, arrows: [] },
            lanes: tools.slice(0, LANES_MAX).map((tool) => ({ name: quote(tool), note: '' })),
            spans,
          },
        },
      ];
}
