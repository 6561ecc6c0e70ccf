/** The first screen of a world: who worked, who was paid by whom for what, who was refused, who is broke and why. */
import type { Panel, Row, Text } from '@assay/kernel/view';
import { getRunState } from '../world/run-state.js';
import { getAccount, type EcologyState } from '../world/state.js';
import type { EcologyFold } from './fold.js';
import { formatScrip } from './movements.js';
import { NOBODY, type Paid, type Tally } from './tally.js';

/** Words of evidence; quoted where they are more than plain words. */
export const said = (text: string): Text => (/^[\w .,:;()/-]*$/.test(text) ? text : [{ said: text }]);
/** A number of things. */
export const count = (n: number): { n: number; unit: 'count'; exact: null } => ({
  n,
  unit: 'count',
  exact: null,
});

/** Milli-scrip as people read it: in scrip. */
export function scripAmount(n: number): { n: number; unit: 'count'; exact: null; text: string } {
  return { n, unit: 'count', exact: null, text: formatScrip(n) };
}

/** A number of things of a unit. */
export function amount(n: number, unit: 'count' | 'bytes' | 'us' | 'tokens' | 'micro:USD' = 'count') {
  return { n, unit, exact: null } as const;
}

/** Who holds what, and whether the scrip adds up to the supply. */
export function balancesPanel({ accounts, supply }: EcologyState): Panel {
  const rows = accounts
    .sorted()
    .filter(([id, { amounts }]) => id !== 'genesis' && Object.values(amounts).some((each) => each > 0));
  const held = rows.reduce((sum, [, { amounts }]) => sum + amounts.scrip, 0);
  return {
    id: 'balances',
    title: 'Balances',
    says: `${formatScrip(held)} scrip held of a supply of ${formatScrip(supply)}: ${held === supply ? 'it adds up' : 'IT DOES NOT ADD UP'}.`,
    page: 'result',
    block: {
      t: 'table',
      columns: ['holder', 'scrip', 'budget', 'disk used', 'disk', 'tokens a window', 'CPU a window'],
      rows: rows.map(([id, { amounts, disk_used }]) => ({
        record: null,
        cells: [
          id,
          scripAmount(amounts.scrip),
          amount(amounts.llm_budget, 'micro:USD'),
          amount(disk_used, 'bytes'),
          amount(amounts.disk, 'bytes'),
          amount(amounts.llm_rate, 'tokens'),
          amount(amounts.cpu, 'us'),
        ],
        tone: 'plain',
      })),
    },
    left_out: 0,
  };
}

/** Everybody with standing, who earned the most first. */
export function workPanel({ tallies }: EcologyFold, state: EcologyState): Panel {
  const rows = listPeople(tallies)
    .map(([id, tally]) => ({ id, tally, gain: tally.earned + tally.minted + tally.income }))
    .sort((a, b) => b.gain - a.gain || b.tally.done - a.tally.done)
    .map(({ id, tally }): Row => {
      const { done, refused, made, earned, minted, income, spent } = tally;
      return {
        record: null,
        cells: [
          said(id),
          getRunState(state, id),
          ...[done, refused, made].map(count),
          ...[earned, minted, income, spent, getAccount(state, id).amounts.scrip].map(scripAmount),
        ],
        tone: 'plain',
      };
    });
  return {
    id: 'agents',
    title: 'Who worked and earned',
    says: 'Scrip: earned from others, minted for scores, shared out as income, spent, and held now.',
    page: 'overview',
    block: {
      t: 'table',
      columns: ['who', 'state', 'done', 'refused', 'made', 'earned', 'minted', 'income', 'spent', 'has'],
      rows,
    },
    left_out: 0,
  };
}

/** Who paid whom for what, the largest first. */
export function paidPanel({ tallies }: EcologyFold): Panel {
  return {
    id: 'payments',
    title: 'Who paid whom, for what',
    says: 'Scrip. Similar payments are added up; the record is that of the latest one.',
    page: 'overview',
    block: {
      t: 'table',
      columns: ['from', 'to', 'for', 'times', 'scrip'],
      rows: joinPaid(sortPaid(tallies.paid)).map(({ from, to, why, times, amount, record }) => ({
        record,
        cells: [said(from), said(to), said(why), count(times), scripAmount(amount)],
        tone: 'plain',
      })),
    },
    left_out: 0,
  };
}

/** Who was refused what, most often first. */
export function refusedPanel({ tallies }: EcologyFold): readonly Panel[] {
  const rows = tallies.refused
    .sorted()
    .map(([, one]) => one)
    .sort((a, b) => b.times - a.times || a.record - b.record);
  if (rows.length === 0) return [];
  return [
    {
      id: 'refusals',
      title: 'Who was refused, and why',
      says: 'Similar refusals are counted together; record and subject are those of the latest one.',
      page: 'overview',
      block: {
        t: 'table',
        columns: ['who', 'code', 'what and why', 'about', 'times'],
        rows: rows.map(({ agent, code, why, what, times, record }) => ({
          record,
          cells: [said(agent), code, said(why), said(what), count(times)],
          tone: 'bad',
        })),
      },
      left_out: 0,
    },
  ];
}

/** Who cannot pay or act: broke, frozen or blocked, with the cause. */
export function brokePanel(seen: EcologyFold, state: EcologyState): readonly Panel[] {
  const rows = listBroke(seen, state).map(({ id, what, why, record }) => ({
    record,
    cells: [said(id), what, said(why)],
    tone: 'bad' as const,
  }));
  if (rows.length === 0) return [];
  return [
    {
      id: 'broke',
      title: 'Who is broke or stuck, and why',
      says: 'Broke: without free scrip since the record shown. Stuck: frozen, blocked or waiting since then.',
      page: 'overview',
      block: { t: 'table', columns: ['who', 'is', 'because'], rows },
      left_out: 0,
    },
  ];
}

/** Everybody without scrip, or who may not act. */
export function listBroke(
  { tallies }: EcologyFold,
  state: EcologyState,
): readonly {
  readonly id: string;
  readonly what: string;
  readonly why: string;
  readonly record: number | null;
}[] {
  const largest = new Map<string, readonly Paid[]>();
  for (const one of sortPaid(tallies.paid)) {
    const known = largest.get(one.from) ?? [];
    if (known.length < CAUSES_MAX) largest.set(one.from, [...known, one]);
  }
  return listPeople(tallies).flatMap(([id, tally]) => {
    const { amounts, life } = getAccount(state, id);
    const runs = getRunState(state, id);
    const isFailed = runs === 'sleeping' && life?.sleep?.why === 'crash';
    const isStuck = runs === 'frozen' || runs === 'blocked' || isFailed;
    if (amounts.scrip > 0 && !isStuck) return [];
    const { stuck, failure, broke, earned, income, minted } = tally;
    const cause =
      runs === 'frozen'
        ? `${FROZEN[life?.frozen ?? ''] ?? ''}${life?.frozen === 'crash_loop' && failure !== '' ? `; last, ${failure}` : ''}`
        : isFailed
          ? failure || 'its mind failed'
          : runs === 'blocked'
            ? `waits for ${life?.blocked?.resource ?? ''}`
            : '';
    const gave = (largest.get(id) ?? []).map(
      ({ amount, to, why }) => `${formatScrip(amount)} scrip to ${to} for ${why}`,
    );
    const poor =
      gave.length > 0
        ? `paid mostly ${gave.join(', and ')}`
        : broke === null && earned + income + minted === 0
          ? 'had nothing to begin with and earned nothing'
          : 'holds all in bids, offers or calls';
    const what = [
      ...(amounts.scrip === 0 ? ['broke'] : []),
      ...(isStuck ? [isFailed ? 'waits after a failure' : runs] : []),
    ].join(', ');
    const why = [...(amounts.scrip === 0 ? [poor] : []), ...(isStuck ? [cause] : [])].join('; ');
    return [{ id, what, why, record: isStuck ? stuck : broke }];
  });
}

const CAUSES_MAX = 2;
const FROZEN: { readonly [reason: string]: string | undefined } = {
  budget: 'its money for models is spent, or was never given',
  crash_loop: 'its mind failed too often in a row',
  operator: 'by the operator',
};

/** Everybody with standing, with what each did. */
export function listPeople({
  scrip,
  agents,
}: EcologyFold['tallies']): readonly (readonly [id: string, tally: Tally])[] {
  return scrip.sorted().map(([id]) => [id, agents.get(id) ?? NOBODY] as const);
}

const KINDS_MAX = 2;

/** Of payments from one to one for more than two things of a kind, such as reads, one row. */
function joinPaid(paid: readonly Paid[]): readonly Paid[] {
  const groups = new Map<string, Paid[]>();
  for (const one of paid) {
    const kind = /^(read|write|offer|score|call)(?= )/.exec(one.why)?.[0] ?? one.why;
    const key = `${one.from} ${one.to} ${kind}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .flatMap((group): readonly Paid[] => {
      const [first] = group;
      if (first === undefined || group.length <= KINDS_MAX) return group;
      const sum = (read: (one: Paid) => number): number => group.reduce((total, one) => total + read(one), 0);
      const why = `${first.why}; and ${group.length - 1} others like it`;
      const record = Math.max(...group.map((one) => one.record));
      return [
        { ...first, why, record, times: sum(({ times }) => times), amount: sum(({ amount }) => amount) },
      ];
    })
    .sort((a, b) => b.amount - a.amount);
}

/** Payments, the largest first. */
export function sortPaid(paid: EcologyFold['tallies']['paid']): readonly Paid[] {
  return paid
    .sorted()
    .map(([, one]) => one)
    .sort((a, b) => b.amount - a.amount);
}
