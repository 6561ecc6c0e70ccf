/**
 * The auditor's report: a word for the world's health, four KPIs each with its cause, who gained and lost the most, and
 * who is stuck. Made by a template, of figures alone. Source: specs/ecology.md B11; 004 L6918.
 */
import type { Json } from '@assay/kernel';
import type { Block } from '@assay/kernel/view';
import type { EcologyState } from '../world/state.js';
import type { EcologyFold } from './fold.js';
import { computeKpis, formatShare, type Kpis } from './kpis.js';
import { formatScrip } from './movements.js';
import { listBroke, listPeople, sortPaid } from './people.js';

type Finding = { readonly kpi: string; readonly value: string; readonly cause: string };

/** The report. `health`: idle, distressed, strained or healthy, and why in a sentence. */
type Audit = {
  readonly health: string;
  readonly because: string;
  readonly kpis: readonly Finding[];
  readonly movers: readonly { readonly id: string; readonly change: string; readonly by: string }[];
  readonly stuck: readonly { readonly id: string; readonly is: string; readonly because: string }[];
};

const MOVERS = 3;
const SOURCES = ['earned', 'minted', 'income', 'spent'] as const;
const STUCK_MAX = 100;
/** Shares from which on a world is distressed or strained. */
const [HALF_PPM, TENTH_PPM, DENIED_PPM] = [500_000, 100_000, 300_000];

/** The report as a file: JSON, and the same in blocks. */
export function makeAudit(seen: EcologyFold, state: EcologyState): { json: Json; blocks: readonly Block[] } {
  const audit = audited(seen, state);
  const { health, because, kpis, movers, stuck } = audit;
  const row = (cells: readonly string[]) => ({ record: null, cells, tone: 'plain' as const });
  return {
    json: audit,
    blocks: [
      { t: 'note', tone: 'plain', text: `${health}: ${because}` },
      { t: 'table', columns: ['KPI', 'value', 'because'], rows: kpis.map((one) => row(Object.values(one))) },
      { t: 'table', columns: ['who', 'gained', 'by'], rows: movers.map((one) => row(Object.values(one))) },
      { t: 'table', columns: ['stuck', 'is', 'because'], rows: stuck.map((one) => row(Object.values(one))) },
    ],
  };
}

function audited(seen: EcologyFold, state: EcologyState): Audit {
  const kpis = computeKpis(seen, state);
  const people = listPeople(seen.tallies);
  const stuck = listBroke(seen, state);
  const net = people
    .map(([id, tally]) => ({ id, tally, net: tally.earned + tally.minted + tally.income - tally.spent }))
    .sort((a, b) => b.net - a.net);
  const movers = net.length <= 2 * MOVERS ? net : [...net.slice(0, MOVERS), ...net.slice(-MOVERS)];
  return {
    ...judgeHealth(seen, kpis, stuck.length, people.length),
    kpis: listFindings(seen, kpis),
    movers: movers.map(({ id, net: change, tally }) => ({
      id,
      change: `${change > 0 ? '+' : ''}${formatScrip(change)}`,
      by: SOURCES.map((source) => `${source} ${formatScrip(tally[source])}`).join(', '),
    })),
    stuck: stuck.slice(0, STUCK_MAX).map(({ id, what, why }) => ({ id, is: what, because: why })),
  };
}

function judgeHealth(
  { done, refused }: EcologyFold,
  { denied }: Kpis,
  stuck: number,
  people: number,
): Pick<Audit, 'health' | 'because'> {
  const share = people === 0 ? 0 : Math.floor((stuck * 1_000_000) / people);
  const because = `${stuck} of ${people} are broke or stuck, and ${formatShare(denied)} of actions were refused`;
  if (done + refused === 0) return { health: 'idle', because: 'no agent acted' };
  if (share >= HALF_PPM) return { health: 'distressed', because };
  return { health: share >= TENTH_PPM || denied >= DENIED_PPM ? 'strained' : 'healthy', because };
}

function listFindings({ tallies, course }: EcologyFold, kpis: Kpis): readonly Finding[] {
  const { capital_density, resource_velocity, recovery_rate, specialization } = kpis;
  const [used] = tallies.invokes.sorted().toSorted(([, a], [, b]) => b.times - a.times);
  const [largest] = sortPaid(tallies.paid).filter(({ from }) => from !== 'the mint');
  const window = course.whole ?? course.present;
  const share = (ppm: number | null): string => (ppm === null ? 'none' : formatShare(ppm));
  return [
    {
      kpi: 'capital density',
      value: capital_density === null ? 'none' : String(capital_density),
      cause:
        used === undefined
          ? 'no agent used the work of another'
          : `the most: ${used[0].replace(' ', ' used ')}, ${used[1].times} times`,
    },
    {
      kpi: 'resource velocity',
      value: share(resource_velocity),
      cause:
        largest === undefined
          ? 'no agent paid another'
          : `the most: ${largest.from} paid ${formatScrip(largest.amount)} to ${largest.to} for ${largest.why}`,
    },
    {
      kpi: 'recovery rate',
      value: share(recovery_rate),
      cause: `${window.froze} froze and ${window.thawed} recovered in the window`,
    },
    {
      kpi: 'specialization',
      value: share(specialization),
      cause:
        specialization === null
          ? 'fewer than two agents have 20 actions'
          : 'how unlike the actions of any two agents are',
    },
  ];
}
