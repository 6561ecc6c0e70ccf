/**
 * Tools whose calls are made once, also when the process that made them dies before the run has recorded it.
 *
 * @module
 */
import { isObject, type Json } from '@assay/kernel';
import type { DoneCalls } from '@assay/host';
import type { StepCall, StepTools } from './executor.js';
import { canonicalText } from './steps/canonical.js';

/** Classes whose calls change nothing: made again, they say what is there now. */
const LOOKS: ReadonlySet<string> = new Set(['search', 'read']);

/**
 * The tools for one request, under its idempotency key: a call that changed something is noted, with its number among those of the request, and
 * found again instead of made again. A call is noted after it was made, so that a process that dies in between makes it again still. A
 * note that cannot be kept costs no answer.
 */
export function madeOnce(tools: StepTools, done: DoneCalls, key: string): StepTools {
  let number = 0;
  return {
    run: async (request, options) => {
      const call = { input: canonicalText(request.input as Json), number, confirmed: options.confirmed === true, tool: request.tool };
      number += 1;
      const found = await done.find(key, call);
      if (found !== null && isStepCall(found)) return found;
      const made = await tools.run(request, options);
      if (made.status === 'ok' && !LOOKS.has(made.class ?? '')) await done.note(key, call, { ...made }).catch(() => undefined);
      return made;
    },
  };
}

function isStepCall(value: Json): value is StepCall & { readonly [key: string]: Json } {
  if (!isObject(value)) return false;
  const { tool, input, output, output_bytes: bytes, digest, irreversible } = value;
  return typeof tool === 'string' && typeof input === 'string' && typeof output === 'string' && value['status'] === 'ok' && Number.isSafeInteger(bytes) && (digest === null || typeof digest === 'string') && typeof irreversible === 'boolean';
}
