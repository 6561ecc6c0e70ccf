/**
 * What the ecology's physics shows of a run.
 *
 * @packageDocumentation
 */
import { err, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, Panel, Picture, View } from '@assay/kernel/view';
import { listBalances, makeReport } from '../machine/closing.js';
import { HOLDERS, isLive, type EcologyState } from '../world/state.js';
import { listEvents, fold, start, type EcologyFold } from './fold.js';

/** Who holds what, what was refused, what contracts said, how auctions ended. */
export const ecologyView: View<EcologyState, EcologyFold> = {
  machine: 'ecology',
  versions: [2],
  start,
  fold,
  describe,
  show,
  knobs: () => [],
  turn: (policy, [change]) =>
    change === undefined ? ok(policy) : err({ code: 'unknown_knob', detail: { id: change.id } }),
  files: ({ status }, state) =>
    status === null
      ? []
      : [
          { name: 'balances.json', json: listBalances(state), blocks: [balancesPanel(state).block] },
          { name: 'report.json', json: makeReport(state), blocks: [countsPanel(state).block] },
        ],
  next: ({ status }) => (status === null ? [] : [{ command: 'verify', args: ['{ledger}'] }]),
};

function show(seen: EcologyFold, state: EcologyState): Picture {
  const { done, refused, status } = seen;
  return {
    tone: status === null ? 'open' : 'good',
    verdict: status === null ? 'Still open' : 'Stopped',
    subject: `${done} actions done, ${refused} refused`,
    because: '',
    asked: '',
    panels: [
      balancesPanel(state),
      countsPanel(state),
      ...tablePanel('refusals', 'Refused actions', ['agent', 'code', 'why'], seen.refusals, seen.dropped),
      ...tablePanel(
        'verdicts',
        'Verdicts of custom contracts',
        ['contract', 'artifact', 'requester', 'verdict', 'fuel', 'payer'],
        seen.verdicts,
        0,
      ),
      ...tablePanel(
        'auctions',
        'Auctions',
        ['number', 'bids', 'winners', 'price, milli-scrip', 'missed'],
        seen.auctions,
        0,
      ),
    ],
  };
}

function amount(n: number, unit: 'count' | 'bytes' | 'us' | 'tokens' | 'micro:USD' = 'count') {
  return { n, unit, exact: null } as const;
}

function balancesPanel({ accounts }: EcologyState): Panel {
  const rows = accounts.sorted().filter(([id]) => id !== 'genesis');
  return {
    id: 'balances',
    title: 'Balances',
    says: 'Who holds what; the scrip adds up to the supply.',
    page: 'overview',
    block: {
      t: 'table',
      columns: ['holder', 'scrip, milli', 'budget', 'disk used', 'disk', 'tokens a window', 'CPU a window'],
      rows: rows.map(([id, { amounts, disk_used }]) => ({
        record: null,
        cells: [
          [{ said: id }],
          amount(amounts.scrip),
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

function countsPanel(state: EcologyState): Panel {
  const live = [...state.things].filter(([, thing]) => isLive(thing)).length; // any order
  const fact = (name: string, n: number, unit: 'count' | 'us' = 'count') =>
    ({ record: null, name, value: amount(n, unit), tone: 'plain' }) as const;
  return {
    id: 'counts',
    title: 'The world in numbers',
    says: 'Supply is all scrip there is, in milli-scrip.',
    page: 'overview',
    block: {
      t: 'facts',
      rows: [
        fact('supply', state.supply),
        ...state.minted.sorted().map(([minter, made]) => fact(`minted by ${minter}`, made)),
        fact('carry', state.accounts.get(HOLDERS.carry)?.amounts.scrip ?? 0),
        fact('artifacts', live),
        fact('tombstones', state.things.size - live),
        fact('auctions', state.resolutions),
        fact('open offers', state.offers.size),
        fact('open bids', state.bids.size),
      ],
    },
    left_out: 0,
  };
}

function tablePanel(
  id: string,
  title: string,
  columns: readonly string[],
  rows: EcologyFold['refusals'],
  left_out: number,
): readonly Panel[] {
  if (rows.length === 0) return [];
  return [{ id, title, says: '', page: 'course', block: { t: 'table', columns, rows }, left_out }];
}

function describe(record: DerivedRecord, { asked }: EcologyFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: 'a world begins', tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const what = `${failure === null ? 'answer' : `failure ${failure.code}`} to `;
      const kind = `${asked.get(request_id) ?? 'a request'} ${request_id} by `;
      return {
        text: [what, kind, { said: proposer }, ` (${source})`],
        tone: failure === null ? 'plain' : 'bad',
      };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = listEvents(record);
      const refused = events.filter(({ t }) => t === 'no').length;
      const done = events.filter(({ t }) => t === 'did').length;
      return {
        text: `${done} done, ${refused} refused, ${events.length} events`,
        tone: refused > 0 ? 'bad' : 'plain',
      };
    }
    case 'artifact':
      return { text: `artifact ${record.payload.name}`, tone: 'plain' };
    case 'close':
      return { text: `closed: ${record.payload.status}`, tone: 'good' };
  }
}
