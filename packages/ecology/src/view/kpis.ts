/** The figures of a world, their course, and who used whose work. Source: specs/ecology.md B11. */
import { compareText } from '@assay/kernel';
import type { Cell, Line, Panel, Text } from '@assay/kernel/view';
import { formatTime } from '../world/agent-view.js';
import { HOLDERS, isLive, type EcologyState } from '../world/state.js';
import { nameScore } from './auctions.js';
import { computePpm, takeSample, type Sample } from './course.js';
import type { EcologyFold } from './fold.js';
import { scripAmount } from './people.js';
import type { Tally } from './tally.js';

/** The KPIs; null where there is nothing to compute one of. Shares in ppm, amounts in milli-scrip. */
export type Kpis = {
  /** Mean invokes of the most used `kpi.top_ppm` of artifacts that execute, and how many of these three others use. */
  readonly capital_density: number | null;
  readonly widely_used: number | null;
  /** What was paid in the window, of all scrip. */
  readonly resource_velocity: number;
  /** Agents that thawed, of those that froze, in the window. */
  readonly recovery_rate: number | null;
  /** How unlike the actions of agents are, of those with 20 or more; null beyond 500 agents. */
  readonly specialization: number | null;
  readonly denied: number;
  /** Offers that were bought, of those that ended. */
  readonly escrow_fill: number | null;
};

/** The KPIs of a run, in the last whole window, or in the present one where none is whole. */
export function computeKpis({ course, config, tallies, offers }: EcologyFold, state: EcologyState): Kpis {
  const window = course.whole ?? course.present;
  const used = [...state.things].flatMap(([, thing]) =>
    isLive(thing) && thing.can_execute && !thing.has_standing && thing.owner !== 'genesis' ? [thing] : [],
  ); // any order
  const top = used
    .sort((a, b) => b.invoked - a.invoked)
    .slice(0, Math.ceil((used.length * config.kpi.top_ppm) / 1_000_000));
  const users = new Map<string, number>();
  for (const [key] of tallies.invokes) {
    const artifact = key.slice(key.indexOf(' ') + 1);
    users.set(artifact, (users.get(artifact) ?? 0) + 1);
  } // any order
  const ended = offers.bought + offers.returned;
  return {
    capital_density:
      top.length === 0 ? null : Math.floor(top.reduce((sum, { invoked }) => sum + invoked, 0) / top.length),
    widely_used:
      top.length === 0
        ? null
        : computePpm(top.filter(({ id }) => (users.get(id) ?? 0) >= 3).length, top.length),
    resource_velocity: computePpm(window.moved, state.supply),
    recovery_rate: window.froze === 0 ? null : computePpm(window.thawed, window.froze),
    specialization: computeSpecialization([...tallies.agents.sorted()].map(([, tally]) => tally)),
    denied: computePpm(window.denied, window.denied + window.done),
    escrow_fill: ended === 0 ? null : computePpm(offers.bought, ended),
  };
}

const ACTIONS_MIN = 20;
const COMPARED_MAX = 500;

/** 1 less the mean similarity of each two: of their shares of each kind of action, the smaller ones summed. O(n²). */
function computeSpecialization(tallies: readonly Tally[]): number | null {
  const busy = tallies.filter(({ done }) => done >= ACTIONS_MIN);
  if (busy.length < 2 || busy.length > COMPARED_MAX) return null;
  const shares = busy.map(
    ({ kinds, done }) =>
      new Map(Object.entries(kinds).map(([kind, times]) => [kind, computePpm(times, done)])),
  );
  let sum = 0;
  for (const [at, one] of shares.entries())
    for (const other of shares.slice(at + 1))
      for (const [kind, share] of one) sum += Math.min(share, other.get(kind) ?? 0); // any order
  const pairs = (busy.length * (busy.length - 1)) / 2;
  return 1_000_000 - Math.floor(sum / pairs);
}

/** Parts of a million as people read them. */
export function formatShare(ppm: number): string {
  return `${Math.floor(ppm / 10_000)}.${Math.floor((ppm % 10_000) / 1_000)} %`;
}

/** The world in numbers. */
export function kpiPanel(seen: EcologyFold, state: EcologyState): Panel {
  const kpis = computeKpis(seen, state);
  const { course, config, tallies } = seen;
  const last = takeSample(course, config, tallies.scrip);
  const ppm = (n: number | null, without: string): Cell =>
    n === null ? without : { n, unit: 'ppm', exact: null, text: formatShare(n) };
  const count = (n: number): Cell => ({ n, unit: 'count', exact: null });
  const window = course.whole ?? course.present;
  const facts: readonly (readonly [name: string, value: Cell])[] = [
    ['time', formatTime(state.now_us)],
    [
      'shares are of',
      `the ${course.whole === null ? 'time since' : 'window from'} ${formatTime(window.from_us)}`,
    ],
    ['supply, scrip', scripAmount(state.supply)],
    ...state.minted
      .sorted()
      .map(([minter, made]) => [`minted by ${minter}, scrip`, scripAmount(made)] as const),
    ['kept for later income, scrip', scripAmount(state.accounts.get(HOLDERS.carry)?.amounts.scrip ?? 0)],
    ['inequality (Gini)', ppm(last.gini, '')],
    ['actions refused', ppm(kpis.denied, '')],
    ['scrip paid in that time, of the supply', ppm(kpis.resource_velocity, '')],
    ['agents that recovered, of those that froze', ppm(kpis.recovery_rate, 'no agent froze')],
    [
      'mean uses of the most used works',
      kpis.capital_density === null ? 'agents own nothing that runs' : count(kpis.capital_density),
    ],
    ['of these, with three or more users', ppm(kpis.widely_used, 'agents own nothing that runs')],
    [
      'how much the actions of agents differ',
      ppm(kpis.specialization, 'needs 2 to 500 agents with 20 actions each'),
    ],
    ['offers bought, of those that ended', ppm(kpis.escrow_fill, 'no offer ended')],
    ['agents asleep, blocked, frozen', `${last.asleep}, ${last.blocked}, ${last.frozen}`],
    [
      'money for models spent',
      { n: state.accounts.get(HOLDERS.spent)?.amounts.llm_budget ?? 0, unit: 'micro:USD', exact: null },
    ],
    ['auctions', count(state.resolutions)],
    ['open offers, bids', `${state.offers.size}, ${state.bids.size}`],
  ];
  return {
    id: 'counts',
    title: 'The world in numbers',
    says: '',
    page: 'overview',
    block: { t: 'facts', rows: facts.map(([name, value]) => ({ record: null, name, value, tone: 'plain' })) },
    left_out: 0,
  };
}

/** How the world went: money, shares, run states. */
export function coursePanels({ course, config, auctions, tallies }: EcologyFold): readonly Panel[] {
  if (course.now_us === 0) return [];
  const samples = [...course.samples, takeSample(course, config, tallies.scrip)];
  const line = (name: Text, read: (sample: Sample) => number, main: boolean = true): Line => ({
    name,
    main,
    step: true,
    points: samples.map((one) => [one.at_us - course.begun_us, read(one)] as const),
  });
  const x = {
    label: 'time',
    unit: 'us',
    ends: [formatTime(course.begun_us), formatTime(course.now_us)],
  } as const;
  const marks = auctions.map(({ number, record, at_us, winners }) => ({
    record,
    x: at_us - course.begun_us,
    label: `auction ${number}: ${winners.map(({ principal, score }) => `${principal} ${nameScore(score)}`).join(', ')}`,
    tone: 'plain' as const,
  }));
  const panel = (
    id: string,
    title: string,
    says: string,
    unit: 'count' | 'ppm' | 'micro:scrip',
    lines: readonly Line[],
    marked: typeof marks = [],
  ): Panel => ({
    id,
    title,
    says,
    page: 'course',
    block: { t: 'series', x, unit, lines, limits: [], marks: marked },
    left_out: 0,
  });
  return [
    panel(
      'money',
      'Money made',
      'The supply, and the price that winners of auctions paid; auctions with their winners and scores.',
      'micro:scrip',
      [line('supply', ({ supply }) => toMicro(supply)), line('price', ({ price }) => toMicro(price), false)],
      marks,
    ),
    panel(
      'shares',
      'Inequality and load',
      'Of everything: inequality, and how full windows were at most.',
      'ppm',
      [
        line('Gini', ({ gini }) => gini),
        line('tokens', ({ tokens }) => tokens, false),
        line('CPU', ({ cpu }) => cpu, false),
      ],
    ),
    panel('states', 'Who does not act', 'Agents asleep, blocked, frozen.', 'count', [
      line('asleep', ({ asleep }) => asleep),
      line('blocked', ({ blocked }) => blocked, false),
      line('frozen', ({ frozen }) => frozen, false),
    ]),
  ];
}

/** Milli-scrip in millionths of a scrip, as pictures count. */
function toMicro(amount: number): number {
  return Math.min(amount * 1_000, Number.MAX_SAFE_INTEGER);
}

const EDGES_MAX = 200;

/** Who invoked whose work how often, the most used first. */
export function invokesPanel({ tallies }: EcologyFold, state: EcologyState): readonly Panel[] {
  const edges = tallies.invokes
    .sorted()
    .map(([key, { times }]) => ({
      from: key.slice(0, key.indexOf(' ')),
      to: key.slice(key.indexOf(' ') + 1),
      times,
    }))
    .sort((a, b) => b.times - a.times);
  if (edges.length === 0) return [];
  const shown = edges.slice(0, EDGES_MAX);
  const ids = [...new Set(shown.flatMap(({ from, to }) => [from, to]))].sort(compareText);
  return [
    {
      id: 'invokes',
      title: 'Who used whose work',
      says: 'From who called to what was called, and how often.',
      page: 'course',
      block: {
        t: 'graph',
        nodes: ids.map((id) => {
          const thing = state.things.get(id);
          const owner = isLive(thing) && thing.owner !== id ? ` of ${thing.owner}` : '';
          return {
            id,
            shape: isLive(thing) && thing.has_standing ? 'agent' : 'tool',
            label: `${id}${owner}`,
            tone: 'plain' as const,
            record: null,
          };
        }),
        edges: shown.map(({ from, to, times }) => ({ from, to, kind: `${times} times` })),
      },
      left_out: edges.length - shown.length,
    },
  ];
}
