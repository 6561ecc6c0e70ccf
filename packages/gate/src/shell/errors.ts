/**
 * What a gate raises. Source: gate/G13–G15.
 *
 * @module
 */
import { isArray, type Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { findFlip, quoteRules, renderFlip, type Flip, type Refused } from '../machine/flip.js';
import type { GateState } from '../machine/state.js';
import { listTests, type Called } from '../policy/judge.js';
import type { Policy } from '../policy/policy.js';

/**
 * A call that was not let through, or ended without a result. `code`: why, as the ledger has it (`rule`, `no_rule`,
 * `budget` …); `declined`, `closed`, `lost` or `failed` of one that was asked about or begun; `inadmissible` where the
 * input is no JSON of the kernel; else the code of the rejection. `n`: its number, null where none was given. `message`
 * is written for the model.
 */
export class GateRefused extends Error {
  override readonly name = 'GateRefused';
  readonly code: string;
  readonly n: number | null;
  /** Ids of the rules that spoke. */
  readonly rules: readonly string[];

  /** The smallest change that would let it through; null where the policy did not refuse it. */
  readonly would: Flip | null;

  constructor(
    code: string,
    message: string,
    { n = null, rules = [], would = null }: Partial<Pick<GateRefused, 'n' | 'rules' | 'would'>> = {},
  ) {
    super(message);
    this.code = code;
    this.n = n;
    this.rules = rules;
    this.would = would;
  }
}

/** The refusal of a call, with the reason of the rule that refuses it. `state`: before the call. */
export function explainRefusal(state: GateState, call: Called, event: Refused): GateRefused {
  const { n, why, rules } = event;
  const would = findFlip(state, call, event);
  const reason = would.t === 'drop' ? would.rules.find((rule) => rule.reason !== '')?.reason : undefined;
  const because = reason === undefined ? '' : `: ${reason}`;
  return new GateRefused(why, `${call.tool} is refused${because}. ${renderFlip(would)}`, { n, rules, would });
}

/** Why a person is asked about a call: the rules that ask, with their reason, or that cannot be judged. */
export function explainAsked(
  { rules: all }: Policy,
  ids: readonly string[],
  tool: string,
  input: Json,
): string {
  const rules = all.filter(({ id }) => ids.includes(id));
  if (rules.length === 0) return `No rule of the policy matches this call of ${tool}.`;
  const reason = rules.find((rule) => rule.reason !== '')?.reason;
  const because = reason === undefined ? '' : `: ${reason}`;
  const isJudged = rules.every((rule) => listTests(rule, input).every(([, , holds]) => holds === 'yes'));
  return isJudged
    ? `The policy asks${because}. Asked by the rule ${quoteRules(rules)}.`
    : `This call of ${tool} cannot be judged by the rule ${quoteRules(rules)}${because}.`;
}

/** A call that waits for a person. The same call, asked again later, continues it. */
export class GatePending extends Error {
  override readonly name = 'GatePending';
  readonly code = 'pending';
  readonly n: number;
  /** Ids of the rules that ask; none where no rule matches. */
  readonly rules: readonly string[];
  /** Why a person is asked, in words for that person. */
  readonly why: string;

  constructor(n: number, tool: string, rules: readonly string[], why: string) {
    super(`Call ${n} (${tool}) waits for a person. Make the same call again later.`);
    this.n = n;
    this.rules = rules;
    this.why = why;
  }
}

/**
 * What is wrong with the gate itself. `bad_policy` {at, expected}, `policy_file` {path, reason}, `other_policy` {keys},
 * `over`, `store_address`, `ledger`, `store` {code …}: the run cannot be opened or written, and nothing more is
 * decided here. `journal`:
 * a call was not begun, since that could not be noted. `other_input` {n}: the input was changed after it was decided;
 * `result_not_kept` {n}; `not_open` {n}: there is no such call to settle.
 */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly code: string;
  readonly detail: Json;

  constructor(code: string, detail: Json) {
    super(explainError(code, detail));
    this.code = code;
    this.detail = detail;
  }
}

/** What is wrong, and what to do. */
function explainError(code: string, detail: Json): string {
  const text = (key: string): string => readText(detail, key);
  const n = JSON.stringify(readField(detail, 'n'));
  switch (code) {
    case 'bad_policy':
      return `This is not a policy: ${text('at') || 'its root'} must be ${text('expected')}.`;
    case 'policy_file':
      return `The policy ${text('path')} cannot be read: ${text('reason')}.`;
    case 'other_policy': {
      const given = readField(detail, 'keys');
      const keys = isArray(given) ? given.filter((key) => typeof key === 'string') : [];
      return (
        `This run was begun under another policy (${keys.join(', ')} changed). ` +
        'Start a new run or session, or restore the policy.'
      );
    }
    case 'over':
    case 'store_address':
      return typeof detail === 'string' ? detail : '';
    case 'ledger':
      return 'The ledger of this run cannot be continued: assay verify says why.';
    case 'store':
      return `The store of this run cannot be used: ${[text('code'), text('errno')].join(' ').trim()}.`;
    case 'journal':
      return `A call was not begun, since that could not be noted: ${JSON.stringify(detail)}.`;
    case 'other_input':
      return `The input of call ${n} was changed after it was decided. Make the call again.`;
    case 'result_not_kept':
      return `Call ${n} was made before, and its result was too long to record. Give a larger keep.`;
    case 'not_open':
      return `There is no open call ${n}.`;
    default:
      return `The run cannot be opened: ${code} ${JSON.stringify(detail)}.`;
  }
}
