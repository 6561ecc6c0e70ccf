/**
 * What happened in a world, in lines of text.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import type { EcologyEvent, EcologyState } from '@assay/ecology';
import { textIn, padded, show, styled, type Shown } from '../../terminal/shown.js';

const AGENT_WIDTH = 10;
const WHAT_WIDTH = 44;
/** Most units of an order's rationale on a line. */
const WORDS_MAX = 300;

/** How the actions of one line ended, and what time and scores brought; at least one line. */
export function endedLines(
  events: readonly EcologyEvent[],
  line: JsonObject,
  before: EcologyState,
): readonly Shown[] {
  const actions = actionsIn(line, before);
  let at = 0;
  const ended = events.flatMap((event): readonly Shown[] => {
    if (event.t === 'did' || event.t === 'no') {
      const told = actionLine(event, actions[at] ?? null);
      at += 1;
      return [told];
    }
    return worldLine(event);
  });
  return ended.length === 0 ? [show`${readHead(line)}`] : ended;
}

function actionsIn(line: JsonObject, { waiting }: EcologyState): readonly Json[] {
  const { action = null, turn = null } = line;
  if (isArray(turn)) return turn.map((pair) => (isArray(pair) ? (pair[1] ?? null) : null));
  if ('effect' in line) {
    const waits = waiting.get(textIn(line, 'agent'));
    return waits === undefined ? [] : [waits.action, ...waits.rest];
  }
  return isArray(action) ? action : [action];
}

function actionLine(event: Extract<EcologyEvent, { readonly t: 'did' | 'no' }>, action: Json): Shown {
  const who = show`${padded(show`${event.a}`, AGENT_WIDTH)} ${padded(show`${actionText(action)}`, WHAT_WIDTH)} `;
  const paid = event.x === undefined ? '' : `, paid ${event.x}`;
  if (event.t === 'no')
    return show`${who}${styled('bad', show`${event.c}`)}: ${event.m}${event.w === undefined ? '' : `; fits in ${event.w} µs`}${paid}`;
  const told = event.r === undefined || event.r === null ? '' : ` ${short(event.r, 40)}`;
  return show`${who}${styled('good', show`done`)}${paid}${told}`;
}

/** An action in a few words. */
export function actionText(action: Json): string {
  if (!isObject(action)) return short(action);
  const { args, max_charge } = action;
  const [op, id, method] = ['op', 'id', 'method'].map((key) => textIn(action, key));
  const most = typeof max_charge === 'number' && max_charge > 0 ? `, at most ${max_charge}` : '';
  if (op === 'invoke')
    return `${(id ?? '').replace(/^genesis_(.*)_api$/, '$1')}.${method} ${args === undefined ? '' : short(args, 48)}${most}`;
  return `${op}${id === '' ? '' : ` ${id}`}${most}`;
}

function worldLine(event: EcologyEvent): readonly Shown[] {
  switch (event.t) {
    case 'resolved': {
      const { bids, price, winners, missed } = event.v;
      const who = winners.map(({ principal }) => principal).join(', ');
      return [
        show`auction ${event.n}: ${bids.length} bids, ${who === '' ? 'no winner' : show`won by ${who}`}, price ${price}${missed > 0 ? `, ${missed} missed` : ''}`,
      ];
    }
    case 'scored':
      return [show`auction ${event.n}: ${event.i} scored ${event.y ?? 'void'}`];
    case 'minted':
      return [show`minted ${event.x} for ${event.o} (${event.m})`];
    case 'ended':
      return [show`offer ${event.i} ${event.y}`];
    case 'admin':
      return [show`operator: ${event.op}: ${short(event.why, WORDS_MAX)}`];
    case 'lied':
      return [show`interface of ${event.i}: ${event.m}`];
    case 'over':
      return [show`${event.a} used ${event.x} of ${event.r} more than it had`];
    case 'waits':
      return [show`${padded(show`${event.a}`, AGENT_WIDTH)} waits`];
    default:
      return [];
  }
}

function readHead(line: JsonObject): string {
  return 'clock' in line ? `time is ${short(line['clock'] ?? null)} µs` : 'nothing else happened';
}

/** JSON text of at most so many units. */
function short(value: Json, most: number = 60): string {
  const text = JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}

const COLUMNS = ['scrip', 'llm_budget', 'disk', 'llm_rate', 'cpu'] as const;

/** The table of balances, its sums, and what there is of scrip. */
export function balanceLines(balances: Json, { supply }: EcologyState): readonly Shown[] {
  if (!Array.isArray(balances)) return [];
  const rows = (balances as readonly (readonly [string, JsonObject])[]).map(
    ([id, amounts]) => [id, ...COLUMNS.map((column) => Number(amounts[column] ?? 0))] as const,
  );
  const row = (cells: readonly (string | number)[]): Shown =>
    cells
      .slice(1)
      .reduce<Shown>(
        (text, cell) => show`${text}${String(cell).padStart(14)}`,
        padded(show`${String(cells[0])}`, 20),
      );
  const sums = COLUMNS.map((_, at) => rows.reduce((sum, cells) => sum + Number(cells[at + 1] ?? 0), 0));
  return [
    row(['holder', ...COLUMNS]),
    ...rows.filter(([, ...amounts]) => amounts.some((amount) => amount > 0)).map(row),
    row(['together', ...sums]),
    show`scrip       ${sums[0] ?? 0} held of ${supply} that there is${sums[0] === supply ? '' : ': IT DOES NOT ADD UP'}`,
  ];
}
