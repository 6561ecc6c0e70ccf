/**
 * A server on the loopback that speaks the wire formats of Anthropic, OpenAI and OpenAI-compatible servers,
 * by a script: each call takes the next step. No model is behind it; all its answers are synthetic.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { scripted as start } from '../../../../scripts/control/server.mjs';

export { MODEL_SAID } from '../../../../scripts/control/wire.mjs';

/** The wire formats. */
export const WIRES = ['anthropic', 'openai', 'compatible'] as const;
export type Wire = (typeof WIRES)[number];

/**
 * What the server does with a call. `text`: answers with it, in `pieces`. `calls`: of tools, behind the text,
 * each with its arguments as text. `finish`: why the model stopped. `usage`: null for none. `status`: answers
 * with that error. `cut`: ends the connection after so many pieces, with 0 before anything, with `head` once
 * the answer has begun. `stall`: sends nothing more after so many. `silent`: never answers. `slowMs`: before
 * each piece. `bytes`: sends text of so many bytes. `raw`: sends this body as it is. `fault`: an error in the
 * middle of the stream, after its pieces.
 */
export type Step = {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: string }[];
  readonly pieces?: number;
  readonly finish?: 'stop' | 'length' | 'refusal' | 'filter';
  readonly usage?: { readonly input: unknown; readonly output: unknown } | null;
  readonly model?: string;
  readonly status?: number;
  readonly error?: { readonly type: string; readonly code?: string; readonly message: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly cut?: number | 'head';
  readonly stall?: number;
  readonly silent?: boolean;
  readonly slowMs?: number;
  readonly bytes?: number;
  readonly raw?: string;
  readonly fault?: string;
};

/** A call as it came. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
};

export type Scripted = {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  readonly close: () => Promise<void>;
};

/**
 * Starts a server on a free port. `script`: the steps of its calls, or one for a call by its number and what
 * came; the last step is repeated.
 */
export const scripted: (
  wire: Wire,
  script: readonly Step[] | ((call: number, received: Received) => Step),
) => Promise<Scripted> = start as never;

/**
 * True where a step is tried on a wire: what is a text alone is read alike from each, so `npm test` sends it over one
 * and the long lane over all.
 */
export function isTriedOn(wire: Wire, step: Step): boolean {
  const isText = Object.keys(step).join() === 'text';
  return !isText || wire === 'compatible' || process.env['ASSAY_LANE'] === 'long';
}
