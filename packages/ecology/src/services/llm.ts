/**
 * A language model as an artifact: what is needed from outside becomes a request, and its bound is held first.
 *
 * Source: specs/ecology.md B1, B3, B4; 004 L6516.
 *
 * @module
 */
import { field, isObject, utf8Length } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import type { Config } from '../config/config.js';
import { headroom, retryAfter, computeSpare } from '../world/holding.js';
import { done, refused, refusedUntil, type Outcome } from '../world/outcome.js';
import { COUNT, method, readNumber, TEXT, readText, type Call, type Method } from './service.js';

/** One method: the answer of a model. */
export const LLM: ReadonlyMap<string, Method> = new Map([
  method('complete', 'What a model says to a prompt.', { prompt: TEXT, 'max_tokens?': COUNT }, complete),
]);

/** The name of the service. */
export const LLM_ID = 'genesis_llm';

function complete({ physics: { draft }, frame, args }: Call): Outcome {
  const { resources } = draft.config;
  const prompt = readText(args, 'prompt');
  const max = readNumber(args, 'max_tokens', resources.default_reservation_tokens);
  const need = { service: LLM_ID, method: 'complete', args: { prompt, max_tokens: max } };
  const hash = draft.context.hash(need);
  const answer = frame.answers.get(hash);
  if (answer !== undefined) {
    const failure = isObject(answer) ? field(answer, 'failure') : undefined;
    return failure === undefined
      ? done(readField(answer, 'result'))
      : refused('EXECUTION_ERROR', 'the model gave no answer', { failure });
  }
  // A token has a byte at least, so the bytes of a prompt bound its tokens.
  const input = utf8Length(prompt);
  const tokens = input + max;
  const uusd = computeCost(draft.config, input, max);
  const { payer } = frame;
  if (!Number.isSafeInteger(tokens) || !Number.isSafeInteger(uusd))
    return refused('INVALID_ARGS', 'max_tokens is too large');
  if (computeSpare(draft, payer, 'llm_budget') < uusd)
    return refused('BUDGET_EXHAUSTED', 'the budget holds less than this may cost', { uusd });
  if (headroom(draft, payer, 'llm_rate') < tokens)
    return refusedUntil(
      'INSUFFICIENT_COMPUTE',
      'too few tokens are left in the window',
      retryAfter(draft, payer, 'llm_rate', tokens),
    );
  return { t: 'need', need: { need, hash, payer, tokens, uusd } };
}

/** What tokens cost in µUSD, input and output each rounded up. */
export function computeCost({ resources }: Config, input: number, output: number): number {
  const part = (tokens: number, price: number): bigint => (BigInt(tokens) * BigInt(price) + 999n) / 1000n;
  return Number(part(input, resources.in_uusd_per_1k) + part(output, resources.out_uusd_per_1k));
}
