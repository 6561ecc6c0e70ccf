/**
 * How a model is asked: the few parameters that every provider knows. They stand in the record.
 *
 * @module
 */
import { err, ok, type JsonObject, type Result } from '@assay/kernel';

/** Tokens an answer may have, unless a parameter says otherwise: what a budget reserves for it. */
const OUTPUT_TOKENS_MAX = 16_384;

/** Parameters of a call; what is null is not sent, and the provider's own default holds. */
export type Parameters = {
  readonly max_output_tokens: number;
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly seed: number | null;
};

/** The parameters where none is given. */
export const DEFAULT_PARAMETERS: Parameters = Object.freeze({
  max_output_tokens: OUTPUT_TOKENS_MAX,
  temperature: null,
  top_p: null,
  seed: null,
});

/** Why a parameter is none: `name`, unknown; `value`, not a number in its range; `twice`. */
type ParameterError = {
  readonly code: 'name' | 'value' | 'twice';
  readonly name: string;
  readonly range: string;
};

const RANGES: ReadonlyMap<
  keyof Parameters,
  { readonly isWhole: boolean; readonly from: number; readonly to: number }
> = new Map([
  ['max_output_tokens', { isWhole: true, from: 1, to: 1_000_000 }],
  ['temperature', { isWhole: false, from: 0, to: 2 }],
  ['top_p', { isWhole: false, from: 0, to: 1 }],
  ['seed', { isWhole: true, from: 0, to: 2_147_483_647 }],
]);

/** Reads `name=value` texts over the defaults. */
export function parseParameters(given: readonly string[]): Result<ParameterError, Parameters> {
  const read = new Map<string, number>();
  for (const option of given) {
    const at = option.indexOf('=');
    const name = at === -1 ? option : option.slice(0, at);
    const range = [...RANGES].find(([known]) => known === name)?.[1];
    if (range === undefined) return err({ code: 'name', name, range: [...RANGES.keys()].join(', ') });
    const text = at === -1 ? '' : option.slice(at + 1);
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const { isWhole, from, to } = range;
    if (!(value >= from && value <= to) || (isWhole && !Number.isInteger(value)))
      return err({
        code: 'value',
        name,
        range: `${isWhole ? 'a whole number' : 'a number'} from ${from} to ${to}`,
      });
    if (read.has(name)) return err({ code: 'twice', name, range: '' });
    read.set(name, value);
  }
  return ok({ ...DEFAULT_PARAMETERS, ...Object.fromEntries(read) });
}

/** The parameters that are sent. */
export function describeSent(parameters: Parameters): JsonObject {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
}
