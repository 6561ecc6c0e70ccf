/**
 * A refund desk: a model says which refund comes next, a person approves what is above a limit, and only then
 * is a tool asked to pay. Each order is refunded or declined once. Amounts are cents.
 *
 * policy {limit, budget}: what a model may have paid without a person; what one run may pay in all.
 * input {ticket, paid: [[order, cents], …]}: what the customer wrote; what was paid for each order.
 */
import { err, isArray, isObject, ok } from '@assay/kernel';

/** @type {import('@assay/kernel').Machine<any, any, any, any>} */
export const refunds = {
  name: 'refunds',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode: (state) => state,
  decode,
};
/** For `assay verify --machine`. */
export const machines = [refunds];

const MODELS = ['live_model', 'recorded_model', 'rule', 'synthetic'];
const ORDERS_MAX = 100;

function open({ policy, input }) {
  const { limit, budget } = isObject(policy) ? policy : {};
  const { ticket, paid } = isObject(input) ? input : {};
  if (!isCents(limit) || !isCents(budget)) return err({ code: 'bad_policy', detail: null });
  if (typeof ticket !== 'string' || !isTable(paid)) return err({ code: 'bad_input', detail: null });
  const state = { ticket: '', limit: 0, budget: 0, paid: [], done: [], declined: [], pending: null };
  const event = { t: 'opened', ticket, limit, budget, paid };
  return ok({ state, decision: { events: [event], asks: [askNext(evolve(state, event))] } });
}

/** What a value means; everything of its form is checked here. */
function parse(value, { kind }) {
  const { tool, order, cents, approved, receipt } = isObject(value) ? value : {};
  if (kind === 'approval')
    return typeof approved === 'boolean'
      ? ok({ t: 'approval', approved })
      : err({ code: 'no_approval', detail: null });
  if (kind === 'pay')
    return typeof receipt === 'string'
      ? ok({ t: 'receipt', receipt })
      : err({ code: 'no_receipt', detail: null });
  if (tool === 'close') return ok({ t: 'close' });
  return tool === 'refund' && typeof order === 'string' && isCents(cents) && cents > 0
    ? ok({ t: 'refund', order, cents })
    : err({ code: 'no_such_call', detail: null });
}

function decide(state, { input }) {
  if (input._tag === 'Left') return ok(end(state, 'refused', [input.left.code]));
  const said = input.right;
  switch (said.t) {
    case 'close':
      return ok(end(state, 'success', []));
    case 'refund':
      return call(state, said);
    case 'approval':
      return ok(
        said.approved ? follow(state, { t: 'approved' }, askPay) : follow(state, { t: 'declined' }, askNext),
      );
    case 'receipt':
      return ok(
        follow(
          state,
          { t: 'refunded', order: state.pending[0], cents: state.pending[1], receipt: said.receipt },
          askNext,
        ),
      );
  }
}

/**
 * A call that breaks a rule is rejected: it stays on the record, nothing is asked of the tool, and the model
 * is asked again.
 */
function call(state, { order, cents }) {
  const paid = state.paid.find(([name]) => name === order)?.[1];
  if (paid === undefined) return err({ code: 'unknown_order', detail: null });
  if (state.done.some(([name]) => name === order)) return err({ code: 'already_refunded', detail: null });
  if (state.declined.includes(order)) return err({ code: 'already_declined', detail: null });
  if (cents > paid) return err({ code: 'more_than_paid', detail: { paid } });
  if (cents > left(state)) return err({ code: 'over_budget', detail: { left: left(state) } });
  return ok(follow(state, { t: 'called', order, cents }, cents > state.limit ? askApproval : askPay));
}

function evolve(state, event) {
  switch (event.t) {
    case 'opened':
      return { ...state, ticket: event.ticket, limit: event.limit, budget: event.budget, paid: event.paid };
    case 'called':
      return { ...state, pending: [event.order, event.cents] };
    case 'declined':
      return { ...state, pending: null, declined: [...state.declined, state.pending[0]] };
    case 'refunded':
      return { ...state, pending: null, done: [...state.done, [event.order, event.cents, event.receipt]] };
    default: // approved: what is pending may be paid
      return state;
  }
}

/** A snapshot may be somebody else's: everything is looked at. */
function decode(json) {
  const { ticket, limit, budget, paid, done, declined, pending } = isObject(json) ? json : {};
  const isCall = (row, length) =>
    isArray(row) && row.length === length && typeof row[0] === 'string' && isCents(row[1]);
  const isDone = isArray(done) && done.every((row) => isCall(row, 3) && typeof row[2] === 'string');
  const areNames = isArray(declined) && declined.every((order) => typeof order === 'string');
  const isWhole =
    typeof ticket === 'string' &&
    isCents(limit) &&
    isCents(budget) &&
    isTable(paid) &&
    isDone &&
    areNames &&
    (pending === null || isCall(pending, 2));
  return isWhole
    ? ok({ ticket, limit, budget, paid, done, declined, pending })
    : err({ code: 'bad_state', detail: null });
}

const follow = (state, event, ask) => ({ events: [event], asks: [ask(evolve(state, event))] });
const askNext = (state) => ({
  kind: 'next',
  body: { ticket: state.ticket, left: left(state), done: state.done },
  accepts: MODELS,
  attempts: 3,
});
const askApproval = ({ pending }) => ({
  kind: 'approval',
  body: { order: pending[0], cents: pending[1] },
  accepts: ['human'],
  attempts: 2,
});
const askPay = ({ pending }) => ({
  kind: 'pay',
  body: { order: pending[0], cents: pending[1] },
  accepts: ['tool'],
  attempts: 3,
});
const end = (state, status, reasons) => ({
  events: [],
  artifacts: { settlement: { done: state.done, left: left(state) } },
  outcome: { status, reasons },
});
const left = ({ budget, done }) => done.reduce((rest, [, cents]) => rest - cents, budget);
const isCents = (value) => Number.isSafeInteger(value) && value >= 0;
const isTable = (rows) =>
  isArray(rows) &&
  rows.length <= ORDERS_MAX &&
  rows.every((row) => isArray(row) && row.length === 2 && typeof row[0] === 'string' && isCents(row[1]));
