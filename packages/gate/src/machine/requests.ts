/**
 * What a gate asks for, one row a kind. Source: gate/G8.
 *
 * @module
 */
import type { Ask, Source } from '@assay/kernel';
import type { Shape } from '@assay/kernel/shape';
import { APPROVAL, CALL, NOTHING, RESULT, type CallBody, type GateAsk } from './events.js';

/** Who may answer, how often it is tried (0: it stands until the run ends), and by what shape an answer is read. */
type Row = { readonly accepts: readonly Source[]; readonly attempts: number; readonly answer: Shape };

/** The kinds of request. */
export const REQUESTS = {
  call: {
    accepts: ['live_model', 'recorded_model', 'rule', 'human', 'synthetic', 'run'],
    attempts: 0,
    answer: CALL,
  },
  close: { accepts: ['human', 'rule', 'synthetic'], attempts: 0, answer: NOTHING },
  approve: { accepts: ['human'], attempts: 3, answer: APPROVAL },
  perform: { accepts: ['tool', 'synthetic'], attempts: 1, answer: RESULT },
} as const satisfies Readonly<Record<string, Row>>;
/** One of {@link REQUESTS}. */
export type RequestKind = keyof typeof REQUESTS;

/** A standing invitation. */
export function invite(kind: 'call' | 'close'): Ask<GateAsk> {
  const { accepts, attempts } = REQUESTS[kind];
  return { kind, body: {}, accepts, attempts };
}

/** A request about one call. */
export function askAbout(
  kind: 'approve' | 'perform',
  { n, principal, tool, digest }: CallBody,
): Ask<GateAsk> {
  const { accepts, attempts } = REQUESTS[kind];
  return { kind, body: { n, principal, tool, digest }, accepts, attempts };
}
