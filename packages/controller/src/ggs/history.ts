/**
 * What one evaluation hands to the next: the gradient is a difference between rounds, and some lists only
 * grow. Plain JSON, so that it can be part of a machine's state. Source: 002 §R7 "Gradient Computation",
 * `prevDirective`, `triedTargets`, `worseningCount`; dec-G12, dec-G15, dec-G16; law-G11, law-G13.
 *
 * @module
 */
import { compareText, err, parseShape, type Json, type Rejection, type Result } from '@assay/kernel';
import { closed, integer, list, nullable, oneOf, refined, text, type Shape } from '@assay/kernel/shape';
import { parseRational, RATIONAL_TEXT } from './rational.js';
import { BANDS, DIRECTIVES, type Band, type Directive } from './table.js';

/** A tool and the class it is of; null where it has none. */
export type GgsTool = { readonly tool: string; readonly class: string | null };

/** A tool and the input it was given. Source: dec-G21. */
export type GgsTarget = { readonly tool: string; readonly target: string };

/** The last evaluation's figures, exact ("n/d"). `task`: αD + βP. */
export type GgsRound = {
  readonly loss: string;
  readonly task: string;
  readonly distance: string;
  readonly band: Band;
};

/** What is kept between the rounds of one task. */
export type GgsHistory = {
  /** Evaluations so far. */
  readonly rounds: number;
  /** null before the first. */
  readonly last: GgsRound | null;
  /** Worsening rounds in a row. */
  readonly worsening_count: number;
  readonly prev_directive: 'init' | Directive;
  /** Inputs that failed for the environment's sake in any round: sorted, none twice. */
  readonly blocked_targets: readonly GgsTarget[];
  /** Tools of failing sub-tasks in any round: sorted, none twice. */
  readonly failing_tools: readonly GgsTool[];
};

/** Before the first evaluation of a task. */
export const initialGgsHistory: GgsHistory = Object.freeze({
  blocked_targets: Object.freeze([]),
  failing_tools: Object.freeze([]),
  last: null,
  prev_directive: 'init',
  rounds: 0,
  worsening_count: 0,
});

/** Shape of a rational's text: `n/d` in lowest terms. */
export const RATIONAL: Shape<string> = text((value) => parseRational(value) !== null, {
  pattern: RATIONAL_TEXT,
});
const any = text(() => true);
const ROUND = closed({ loss: RATIONAL, task: RATIONAL, distance: RATIONAL, band: oneOf(BANDS) });
const TARGETS: Shape<readonly GgsTarget[]> = list(closed({ tool: any, target: any }), (items) =>
  isRising((items as readonly GgsTarget[]).map(({ tool, target }) => [tool, target])),
);
const TOOLS: Shape<readonly GgsTool[]> = list(closed({ tool: any, class: nullable(any) }), (items) =>
  isRising((items as readonly GgsTool[]).map((each) => [each.tool, each.class ?? ''])),
);
const FIELDS = closed({
  rounds: integer(0),
  last: nullable(ROUND),
  worsening_count: integer(0),
  prev_directive: oneOf(['init', ...DIRECTIVES]),
  blocked_targets: TARGETS,
  failing_tools: TOOLS,
});

/** Shape of a history, for the state of a machine that holds one. */
export const GGS_HISTORY: Shape<GgsHistory> = refined(FIELDS, ({ rounds, last, prev_directive }) => {
  if ((last === null) !== (rounds === 0)) return '/last';
  return (prev_directive === 'init') === (rounds === 0) ? null : '/prev_directive';
});

/**
 * Reads a history. Total. Error `bad_state` with {path}: the first place that does not fit, "" for the value
 * itself.
 */
export function decodeGgsHistory(json: Json): Result<Rejection, GgsHistory> {
  const shaped = parseShape<GgsHistory>(GGS_HISTORY, json);
  return shaped._tag === 'Right' ? shaped : err({ code: 'bad_state', detail: { path: shaped.left.path } });
}

/** True for pairs in strictly rising order of their first, then of their second. */
function isRising(pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.every(([first, second], at) => {
    const [before, last] = pairs[at - 1] ?? [];
    return before === undefined || (compareText(before, first) || compareText(last ?? '', second)) < 0;
  });
}
