/**
 * What happened in a world, in lines of text.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import type { EcologyEvent, Responded } from '@assay/ecology';
import { describeRefusal, formatScrip } from '@assay/ecology/view';
import { textIn, padded, valueIn, show, styled, type Shown } from '../../terminal/shown.js';

const AGENT_WIDTH = 10;
const WHAT_WIDTH = 44;
/** Most units of an order's rationale on a line. */
const WORDS_MAX = 300;

/** How the actions of one line ended, and what time and scores brought; at least one line. */
export function endedLines(
  events: readonly EcologyEvent[],
  responses: readonly Responded[],
  line: JsonObject,
): readonly Shown[] {
  let at = 0;
  const ended = events.flatMap((event): readonly Shown[] => {
    if (event.t !== 'did' && event.t !== 'no') return worldLine(event);
    at += 1;
    return responses.slice(at - 1, at).map(actionLine);
  });
  return ended.length === 0 ? [show`${readHead(line)}`] : ended;
}

function actionLine({ agent, action, response }: Responded): Shown {
  const who = show`${padded(show`${agent}`, AGENT_WIDTH)} ${padded(show`${actionText(action)}`, WHAT_WIDTH)} `;
  const paid = response.price_paid > 0 ? `, paid ${formatScrip(response.price_paid)} scrip` : '';
  if (response.success) {
    const { result } = response;
    const op = textIn(action, 'op');
    const said = op === 'read' ? valueIn(result, 'content') : op === 'write' ? null : result;
    return show`${who}${styled('good', show`done`)}${paid}${said === null ? '' : ` ${short(said, 40)}`}`;
  }
  const { error_code, error_message, details, retry_after_us: after } = response;
  return show`${who}${styled('bad', show`${error_code}`)}: ${describeRefusal(error_message, details)}${after === undefined ? '' : `; fits in ${after} µs`}${paid}`;
}

/** An action in a few words. */
export function actionText(action: Json): string {
  if (!isObject(action)) return short(action);
  const { args, max_charge } = action;
  const [op, id, method] = ['op', 'id', 'method'].map((key) => textIn(action, key));
  const most =
    typeof max_charge === 'number' && max_charge > 0 ? `, at most ${formatScrip(max_charge)} scrip` : '';
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
        show`auction ${event.n}: ${bids.length} bids, ${who === '' ? 'no winner' : show`won by ${who}`}, price ${formatScrip(price)} scrip${missed > 0 ? `, ${missed} missed` : ''}`,
      ];
    }
    case 'scored':
      return [show`auction ${event.n}: ${event.i} scored ${event.y ?? 'void'}`];
    case 'minted':
      return [show`minted ${formatScrip(event.x)} scrip for ${event.o} (${event.m})`];
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
