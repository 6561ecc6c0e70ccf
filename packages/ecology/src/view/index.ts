/**
 * What the ecology's physics shows of a run.
 *
 * @packageDocumentation
 */
import { err, ok, type DerivedRecord } from '@assay/kernel';
import type { Described, Panel, Picture, Row, View } from '@assay/kernel/view';
import { listBalances, makeReport } from '../machine/closing.js';
import { byRank } from '../mechanisms/auction.js';
import type { EcologyState } from '../world/state.js';
import { makeAudit } from './auditor.js';
import { nameScore } from './auctions.js';
import { listEvents, fold, settled, start, type EcologyFold } from './fold.js';
import { coursePanels, invokesPanel, kpiPanel } from './kpis.js';
import { formatScrip } from './movements.js';
import { worksPanel } from './works.js';
import {
  amount,
  balancesPanel,
  brokePanel,
  listBroke,
  paidPanel,
  refusedPanel,
  scripAmount,
  workPanel,
} from './people.js';

export { computeGini } from './course.js';
export { describeRefusal, formatScrip, listMovements } from './movements.js';
export { balancesPanel } from './people.js';
export { followActions, makeStatement, type AccountOf, type Followed } from './statement.js';

/** Who worked, who was paid by whom for what, who was refused, who is broke; and how the world went. */
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
  files: (folded, state) => {
    if (folded.status === null) return [];
    const seen = settled(folded);
    return [
      { name: 'balances.json', json: listBalances(state), blocks: [balancesPanel(state).block] },
      { name: 'report.json', json: makeReport(state), blocks: [kpiPanel(seen, state).block] },
      { name: 'audit.json', ...makeAudit(seen, state) },
    ];
  },
  next: ({ status }) => (status === null ? [] : [{ command: 'verify', args: ['{ledger}'] }]),
};

function show(folded: EcologyFold, state: EcologyState): Picture {
  const seen = settled(folded);
  const { status } = seen;
  const broke = listBroke(seen, state);
  return {
    tone: status === null ? 'open' : 'good',
    verdict: status === null ? 'Still open' : 'Stopped',
    subject:
      `${seen.done} actions done, ${seen.refused} refused; ` +
      `${broke.length} of ${seen.tallies.scrip.size} broke or stuck`,
    because: '',
    asked: '',
    panels: [
      workPanel(seen, state),
      ...worksPanel(seen, state),
      paidPanel(seen),
      ...refusedPanel(seen),
      ...brokePanel(seen, state),
      kpiPanel(seen, state),
      ...coursePanels(seen),
      ...invokesPanel(seen, state),
      ...auctionPanel(seen),
      ...verdictPanel(seen),
      balancesPanel(state),
    ],
  };
}

/** Auctions, each with its bids in order, what winners pay and scored, and what everybody shares. */
function auctionPanel({ auctions }: EcologyFold): readonly Panel[] {
  const rows = auctions.map((one): Row => {
    const { record, number, bids, price, winners, income, carry, settled } = one;
    const listed = bids
      .toSorted(byRank)
      .map(({ principal, amount: bid }) => `${principal} ${formatScrip(bid)}`);
    const won = winners.map(({ principal, score }) => `${principal} (score ${nameScore(score)})`);
    const shared = income.map(([id, share]) => `${id} ${formatScrip(share)}`);
    const kept = settled === null ? 'not settled yet' : `${formatScrip(carry)} kept`;
    return {
      record,
      cells: [
        amount(number),
        listed.join(', '),
        won.join(', '),
        scripAmount(price),
        [...shared, kept].join(', '),
      ],
      tone: 'plain',
    };
  });
  if (rows.length === 0) return [];
  const columns = ['number', 'bids, scrip', 'won', 'price, scrip', 'shared out, scrip'];
  return [
    {
      id: 'auctions',
      title: 'Auctions',
      says: 'Everybody who wins pays the highest bid that lost, unless the world says otherwise.',
      page: 'course',
      block: { t: 'table', columns, rows },
      left_out: 0,
    },
  ];
}

function verdictPanel({ verdicts, dropped }: EcologyFold): readonly Panel[] {
  if (verdicts.length === 0) return [];
  const columns = ['contract', 'artifact', 'requester', 'verdict', 'fuel', 'payer'];
  return [
    {
      id: 'verdicts',
      title: 'Verdicts of custom contracts',
      says: '',
      page: 'course',
      block: { t: 'table', columns, rows: verdicts },
      left_out: dropped,
    },
  ];
}

function describe(record: DerivedRecord, { asked }: EcologyFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: 'a world begins', tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const what = `${failure === null ? 'answer' : `failure ${failure.code}`} to `;
      const kind = `${asked.get(request_id)?.kind ?? 'a request'} ${request_id} by `;
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
