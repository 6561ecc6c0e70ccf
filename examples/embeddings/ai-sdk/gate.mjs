/**
 * A tool of the AI SDK that pays nothing by itself: each call is a proposal, and only what the kernel decides
 * is carried out.
 */
import { tool } from 'ai';
import { z } from 'zod';

const inputSchema = z.object({ order: z.string(), cents: z.number().int().positive() });

/**
 * `model`: {source, proposer} of whoever calls the tool. `approval` asks the person, `pay` pays; both by
 * request.
 */
export function gatedRefund(ledger, { model, approval, pay }) {
  const performs = { approval, pay };
  let turn = Promise.resolve();
  return tool({
    description: 'Refunds an order, in cents. A call may be refused; the answer says why.',
    inputSchema,
    // The SDK runs the calls of one step at once: they take turns here.
    execute: (call) => {
      turn = turn.catch(() => undefined).then(() => gated(call));
      return turn;
    },
  });

  async function gated(call) {
    await settle(); // what a crash, or a till that failed, left open
    const request = ledger.request();
    if (request === undefined) return { refused: 'the run is closed' };
    const rejection = ledger.answer(request, { ...model, value: { tool: 'refund', ...call } });
    return rejection === null ? settle() : { refused: rejection.code, detail: rejection.detail };
  }

  /** Performs what the kernel has asked for, until it asks for the next call. */
  async function settle(last) {
    const request = ledger.request();
    if (request === undefined || request.kind === 'next') return last?.value;
    const said = await performs[request.kind](request);
    ledger.answer(request, said);
    return settle(said);
  }
}
