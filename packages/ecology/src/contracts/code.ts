/**
 * Code of others: what it is given, how much it may use, who pays, and what it may call.
 *
 * Source: specs/ecology.md B3, D1.
 */
import { admit, field, isObject, type Json } from '@assay/kernel';
import { isStorable } from '../protocol/action.js';
import type { ContractEnded } from '../protocol/engine.js';
import { headroom, retryAfter } from '../world/holding.js';
import type { Draft } from '../world/draft.js';
import { refusal, type Frame, type Wanted } from '../world/outcome.js';
import type { Refusal } from '../protocol/response.js';
import { getAccount, type Artifact } from '../world/state.js';

/** What code finds besides `host`: one function for each request, where it has none of that name itself. */
export const GLUE = `globalThis.noop??=()=>host({op:'noop'});
globalThis.read??=(id,o)=>host({...o,op:'read',id});
globalThis.write??=(id,content,o)=>host({...o,op:'write',id,content});
globalThis.invoke??=(id,method,args,o)=>host({...o,op:'invoke',id,method,args});
globalThis.charge??=(to,amount,from)=>host({op:'charge',to,amount,from:from??null});
globalThis.get_balance??=(id)=>host({op:'get_balance',id});
globalThis.get_artifact_info??=(id)=>host({op:'get_artifact_info',id});
globalThis.now??=()=>host({op:'now'});
`;

/** The code of an artifact, or null where it has none. */
export function findCode({ content }: Pick<Artifact, 'content'>): string | null {
  const code = isObject(content) ? field(content, 'code') : undefined;
  return typeof code === 'string' ? code : null;
}

/** Steps of the meter: of one fuel, of making ready for a run, of a call of running code, of a unit of text. */
const [FUEL_STEPS, RUN_STEPS, CALL_STEPS, TEXT_STEPS] = [2, 50_000, 5_000, 8];

/** What is said where one answer computes more than any may, whoever pays. */
const TOO_MUCH = refusal('INSUFFICIENT_COMPUTE', 'one answer computes too much');

/** Answers a request of running code: a response, or what is needed first. */
export type Answers = (request: Json) => Json | { readonly needs: Wanted };

/** True for an answer that is not there yet. */
function isNeed(answer: ReturnType<Answers>): answer is { readonly needs: Wanted } {
  return typeof answer === 'object' && answer !== null && 'needs' in answer && !('success' in answer);
}

/** How a run ended: what it gave, why it gave nothing, or what it needs. `fuel`: what it used. */
export type Ran =
  | { readonly t: 'ok'; readonly value: Json; readonly fuel: number }
  | { readonly t: 'no'; readonly refusal: Refusal; readonly fuel: number }
  | { readonly t: 'need'; readonly need: Wanted; readonly fuel: number };

/**
 * Runs a function of an artifact's code. At most what fits in the payer's window is used, and what is left of
 * the answer's meter; what is over the first `free` fuel is charged to the payer, in µs, whatever comes of it.
 */
export function runCode(
  draft: Draft,
  { payer }: Frame,
  {
    code,
    name,
    values,
    free,
  }: {
    readonly code: string;
    readonly name: string;
    readonly values: readonly Json[];
    readonly free: number;
  },
  answers: Answers,
): Ran {
  const { engine, config } = draft;
  const { max_fuel, fuel_per_us } = config.contracts;
  if (engine === null) return nothing('EXECUTION_ERROR', 'this world runs no custom code');
  const bound = Math.ceil(Math.max(0, max_fuel - free) / fuel_per_us);
  const held = Math.min(bound, headroom(draft, payer, 'cpu'));
  const wanted = Math.min(max_fuel, free + held * fuel_per_us);
  const { meter } = draft.context;
  draft.compile(GLUE + code, name);
  const fuel = Math.min(wanted, Math.floor(meter.rest / FUEL_STEPS));
  if (fuel < wanted && fuel === 0) return { t: 'no', refusal: TOO_MUCH, fuel: 0 };
  // The whole of what the payer is given helps, however little that is.
  const most = Math.max(1, Math.min(bound, getAccount(draft.state, payer).amounts.cpu));
  if (fuel === 0) return { t: 'no', refusal: noCompute(draft, payer, most), fuel: 0 };
  const before = draft.held.get(payer) ?? 0;
  draft.held.set(payer, before + held);
  const asked: { need: Wanted | null } = { need: null };
  // Runs inside this one have what it leaves; what it does not use is given back.
  meter.spend(FUEL_STEPS * fuel);
  const ended = engine.run({
    source: GLUE + code,
    name,
    values: writeText(values),
    fuel,
    host: (request) => {
      meter.spend(CALL_STEPS + TEXT_STEPS * request.length);
      const admitted = admit(JSON.parse(request));
      const answer = answers(admitted._tag === 'Right' ? admitted.right.value : null);
      if (isNeed(answer)) {
        asked.need = answer.needs;
        return null;
      }
      const text = writeText(answer);
      return meter.spend(TEXT_STEPS * text.length) ? text : null;
    },
  });
  meter.spend(RUN_STEPS - FUEL_STEPS * (fuel - ended.fuel));
  draft.held.set(payer, before);
  const used = Math.ceil(Math.max(0, ended.fuel - free) / fuel_per_us);
  if (used > 0) draft.emit({ t: 'use', a: payer, r: 'cpu', x: used });
  if (asked.need !== null) return { t: 'need', need: asked.need, fuel: ended.fuel };
  if (meter.isSpent || (ended.outcome === 'fuel' && fuel < wanted))
    return { t: 'no', refusal: TOO_MUCH, fuel: ended.fuel };
  if (ended.outcome === 'fuel' && fuel < max_fuel)
    return { t: 'no', refusal: noCompute(draft, payer, bound), fuel: ended.fuel };
  return readValue(ended);
}

function readValue(ended: ContractEnded): Ran {
  const { fuel } = ended;
  switch (ended.outcome) {
    case 'value': {
      const admitted = admit(JSON.parse(ended.text));
      return admitted._tag === 'Right' && isStorable(admitted.right.value)
        ? { t: 'ok', value: admitted.right.value, fuel }
        : nothing('EXECUTION_ERROR', 'the answer holds what cannot be kept', fuel);
    }
    case 'threw':
      return nothing('EXECUTION_ERROR', `the code threw: ${clean(ended.text)}`, fuel);
    case 'fuel':
      return nothing('TIMEOUT', 'the code used all its fuel', fuel);
    default:
      return nothing('EXECUTION_ERROR', `the code ended by ${ended.outcome}`, fuel);
  }
}

function nothing(code: Refusal['code'], message: string, fuel: number = 0): Ran {
  return { t: 'no', refusal: refusal(code, message), fuel };
}

function noCompute(draft: Draft, payer: string, amount: number): Refusal {
  const after = retryAfter(draft, payer, 'cpu', amount);
  if (after === null)
    return refusal('LIMIT_EXCEEDED', 'the code needs more CPU than a window of the payer has');
  return {
    ...refusal('INSUFFICIENT_COMPUTE', 'too little CPU is left in the window', { resource: 'cpu' }),
    retry_after_us: after,
  };
}

/** Text of others, fit for a record: at most 300 units, and no half of a pair. */
export function clean(text: string): string {
  return text.toWellFormed().slice(0, 300).toWellFormed();
}

function writeText(value: Json): string {
  const admitted = admit(value);
  return admitted._tag === 'Right' ? admitted.right.text : 'null';
}
