/** What happened, by a cursor. Source: specs/ecology.md B6; 004 L1990–2096. */
import { field, isArray } from '@assay/kernel';
import { readLog } from '../world/announce.js';
import { EVENT_TYPES, type EventType } from '../world/log.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { COUNT, method, readNumber, type Call, type Method } from './service.js';

/** Steps of the meter for each event that is looked at. */
const LOOK_STEPS = 32;

/** The log of public events. */
export const EVENT_LOG: ReadonlyMap<string, Method> = new Map([
  method(
    'read',
    'Events from a cursor on, oldest first: 0 at the beginning, then `next` of the page before.',
    {
      cursor: COUNT,
      'limit?': COUNT,
      'types?': { type: 'array', items: { type: 'string', enum: EVENT_TYPES } },
    },
    read,
  ),
]);

function read({ physics: { draft }, frame, args }: Call): Outcome {
  const { state, config, context } = draft;
  const cursor = readNumber(args, 'cursor');
  if (context.meter.isSpent) return refused('LIMIT_EXCEEDED', 'one answer looks at too much');
  context.meter.spend(LOOK_STEPS * Math.max(0, Math.min(state.log.next - cursor, config.events.kept)));
  const listed = field(args, 'types');
  const types = listed !== undefined && isArray(listed) ? (listed as readonly EventType[]) : null;
  return done(readLog(state, frame.requester, cursor, readNumber(args, 'limit', config.events.page), types));
}
