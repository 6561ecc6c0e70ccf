/** What an action comes to. Source: specs/ecology.md B8; 004 L8130, L9536. */
import type { Json, JsonObject } from '@assay/kernel';

/** The codes of refused actions, each with the number that HTTP has for it. */
export const CODES = {
  NOT_FOUND: 404,
  ACCESS_DENIED: 403,
  INVALID_ARGS: 400,
  INSUFFICIENT_FUNDS: 402,
  INSUFFICIENT_COMPUTE: 429,
  EXECUTION_ERROR: 500,
  TIMEOUT: 504,
  DELETED: 410,
  CONFLICT: 409,
  LIMIT_EXCEEDED: 413,
  QUOTA_EXCEEDED: 507,
  BUDGET_EXHAUSTED: 402,
  INVALID_CONTRACT: 422,
  DEPTH_EXCEEDED: 508,
  STALE_CONTEXT: 412,
  ALREADY_SCORED: 409,
  NO_STANDING: 422,
} as const;

/** Why an action was refused. */
export type Code = keyof typeof CODES;

/** A refusal. `retry_after_us`: after how long the same would fit, where waiting helps. */
export type Refusal = {
  readonly code: Code;
  readonly message: string;
  readonly details?: JsonObject | undefined;
  readonly retry_after_us?: number | undefined;
};

/** The response that an agent is given. `price_paid` in milli-scrip: code that fails paid for what it was given. */
export type Response =
  | { readonly success: true; readonly result: Json; readonly price_paid: number }
  | {
      readonly success: false;
      readonly error_code: Code;
      readonly error_message: string;
      readonly details?: JsonObject;
      readonly retry_after_us?: number;
      readonly price_paid: number;
    };

/** A refusal as the agent is given it. */
export function makeResponse(
  { code, message, details, retry_after_us }: Refusal,
  price_paid: number = 0,
): Response {
  return {
    success: false,
    error_code: code,
    error_message: message,
    ...(details === undefined ? {} : { details }),
    ...(retry_after_us === undefined ? {} : { retry_after_us }),
    price_paid,
  };
}
