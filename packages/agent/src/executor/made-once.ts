/**
 * Tools whose calls are made once, also when the process that made them dies before the run has recorded it.
 *
 * @module
 */
import { hashText, isDigest, utf8Length, type Json, type JsonObject } from '@assay/kernel';
import { nativeSha256, type DoneCalls } from '@assay/host';
import type { StepCall, StepTools } from './step-tools.js';
import { canonicalText } from '@assay/controller/steps';

/** A longer output is not noted: its call is made again. */
const NOTED_BYTES_MAX = 1_048_576;

/** What a resumed run says of a step that it now would carry out otherwise than the run before it did. */
export const DONE_OTHERWISE = 'done_otherwise';

/**
 * The tools for one request, under its idempotency key: a call that went well is noted with its number among
 * those of the request, what it was asked and its whole output, and found again instead of made again; looks
 * too, because what an act changed would be seen by the look before it. Where a call was made with another
 * input than is asked now, nothing is done: it ends in `done_otherwise`. A call is noted after it was made,
 * so that a process that dies in between makes it again still. A note that cannot be kept or read costs no
 * answer; whoever keeps the notes says so.
 */
export function madeOnce(tools: StepTools, done: DoneCalls, key: string): StepTools {
  let next = 0;
  return {
    ...tools,
    run: async (request, options) => {
      const number = next;
      next += 1;
      const asked = canonicalText({
        confirmed: options.confirmed === true,
        input: request.input as Json,
        tool: request.tool,
      });
      const noted = await done.find(key, number).catch(() => null);
      const found = noted === null ? null : callIn(noted, request.tool);
      if (noted !== null && found !== null) {
        if (noted['asked'] !== asked) return otherwise(request.tool, found);
        if (found.whole !== found.call.output) options.onOutput?.(found.whole);
        return found.call;
      }
      let whole: string | null = null;
      const made = await tools.run(request, {
        ...options,
        onOutput: (output) => options.onOutput?.((whole = output)),
      });
      const output: string = whole ?? made.output;
      const isNoted =
        made.status === 'ok' &&
        made.output_bytes <= NOTED_BYTES_MAX &&
        utf8Length(output) === made.output_bytes;
      if (isNoted)
        await done.note(key, number, { asked, call: recorded(made), whole: output }).catch(() => undefined);
      return made;
    },
  };
}

/** The fields of a call that a run records. */
function recorded({ tool, input, output, output_bytes, digest, irreversible }: StepCall): JsonObject {
  return { tool, input, output, output_bytes, digest, irreversible };
}

/** A noted call that went well; null for what is none of this tool: then nothing is noted. */
function callIn(
  { call, whole }: JsonObject,
  asked: string,
): { readonly call: StepCall; readonly whole: string } | null {
  const {
    tool,
    input,
    output,
    output_bytes: bytes,
    digest = null,
    irreversible,
  } = (call ?? {}) as { readonly [key: string]: Json };
  if (
    tool !== asked ||
    typeof input !== 'string' ||
    typeof output !== 'string' ||
    typeof whole !== 'string' ||
    typeof irreversible !== 'boolean'
  )
    return null;
  if (typeof bytes !== 'number' || utf8Length(whole) !== bytes) return null;
  const isFitting = digest === null || (isDigest(digest) && hashText(whole, nativeSha256) === digest);
  return isFitting
    ? {
        call: { tool, input, output, status: 'ok', code: null, output_bytes: bytes, digest, irreversible },
        whole,
      }
    : null;
}

function otherwise(tool: string, { call }: { readonly call: StepCall }): StepCall {
  const output = `${DONE_OTHERWISE}: before the run was taken up again this step was ${tool} ${call.input}`;
  return {
    tool,
    input: call.input,
    output,
    status: 'error',
    code: DONE_OTHERWISE,
    output_bytes: utf8Length(output),
    digest: hashText(output, nativeSha256),
    irreversible: false,
  };
}
