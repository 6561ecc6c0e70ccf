/**
 * What `assay task --json` prints of a controller run. Source: 002 §R7 `FinalResult`; planner-controller B.3.
 *
 * @module
 */
import type { Head, Status } from '@assay/kernel';
import * as z from 'zod';
import { BANDS, DIRECTIVES } from '../ggs/table.js';
import type { FinalResult } from '../loop/final-result.js';
import type { Target } from '../protocol/tools.js';
import type { RoundSeen } from '../whatif/rounds.js';
import { count, digestSchema } from './parts.js';
import { figureSchema, finalResultSchema } from './results.js';

/**
 * What `assay task --json`, and `assay resume --json` of a task, prints. `records_found`: those that were
 * stored before; `was_over`: all of them were.
 */
export type ControlDocument = {
  readonly run_id: string;
  readonly ts_base: string;
  readonly status: Status;
  readonly reasons: readonly string[];
  readonly head: Head;
  readonly head_line: string;
  readonly files: readonly string[];
  readonly rounds: readonly RoundSeen[];
  readonly final_result: FinalResult;
  /**
   * Why a task was abandoned: the last thing that went wrong by itself, `tool` null where nothing was called;
   * null where the task was not abandoned, or who gave up said no more than a code.
   */
  readonly cause: { readonly tool: string | null; readonly said: string } | null;
  /** Calls at which work failed, in the tool's own words; empty where the task is done. */
  readonly stopped_at: readonly { readonly tool: string; readonly said: string }[];
  /**
   * `lacking`: actions that were asked about and not allowed. `idle`: actions allowed beforehand that nobody
   * asked about.
   */
  readonly confirmations: { readonly lacking: readonly Target[]; readonly idle: readonly Target[] };
  readonly recording_misses: number;
  /**
   * Why the memory could not be told of the run, and what tells it later; null where it was told, or where
   * there was nothing to tell.
   */
  readonly memory_untold: {
    readonly code: string;
    readonly message: string;
    readonly place: string;
    readonly remedy: string;
  } | null;
  readonly was_over: boolean;
  readonly records_found: number;
};

const text = z.string();
const status = z.enum(['success', 'refused']);
const head: z.ZodType<Head> = z.strictObject({ run_id: text, count: z.int().min(1), hash: digestSchema });
const action: z.ZodType<Target> = z.strictObject({ tool: text, target: text });

const round: z.ZodType<RoundSeen> = z.strictObject({
  round: z.int().min(1),
  D: figureSchema,
  P: figureSchema,
  Omega: figureSchema,
  L: figureSchema,
  grad_l: figureSchema,
  grad_task: figureSchema,
  epsilon_effective: figureSchema,
  band: z.enum(BANDS),
  cell: z.int().min(1).max(24),
  prev_directive: z.enum(['init', ...DIRECTIVES]),
  directive: z.enum(DIRECTIVES),
  reason: text,
  record: count,
});

/** What `assay task --json` prints. */
export const controlDocumentSchema: z.ZodType<ControlDocument> = z.strictObject({
  run_id: text,
  ts_base: text,
  status,
  reasons: z.array(text),
  head,
  head_line: z.string().regex(/^assay-head:1:[1-9]\d*:[0-9a-f]{64}$/),
  files: z.array(text),
  rounds: z.array(round).min(1),
  final_result: finalResultSchema,
  cause: z.nullable(z.strictObject({ tool: z.nullable(text), said: text })),
  stopped_at: z.array(z.strictObject({ tool: text, said: text })),
  confirmations: z.strictObject({ lacking: z.array(action), idle: z.array(action) }),
  recording_misses: count,
  memory_untold: z.nullable(z.strictObject({ code: text, message: text, place: text, remedy: text })),
  was_over: z.boolean(),
  records_found: count,
});
