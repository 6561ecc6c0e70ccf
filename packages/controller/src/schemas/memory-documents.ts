/**
 * What `assay memory … --json` prints, and `assay memory inspect --to json` writes. Times are microseconds, potentials
 * units of 10^-9 of a whole Megram.
 *
 * @module
 */
import type { Head } from '@assay/kernel';
import * as z from 'zod';
import { INVITATION_KINDS, type MemoryEvent } from '../memory/events.js';
import { LEVELS, SOURCES_MAX, type Megram } from '../memory/megram.js';
import { ACTIONS } from '../memory/potentials.js';
import { MEGRAM_STATES } from '../memory/quantization.js';
import { CONTENT_UNITS_MAX, ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from '../memory/tag.js';
import { count, digestSchema, textTo } from './parts.js';

const text = z.string();
const tag = { space: textTo(SPACE_UNITS_MAX), entity: textTo(ENTITY_UNITS_MAX) };
const potentials = { attention_nano: count, decision_nano: z.int() };
const megramFields = {
  id: digestSchema,
  level: z.enum(LEVELS),
  ...tag,
  content: textTo(CONTENT_UNITS_MAX),
  state: z.enum(MEGRAM_STATES),
  f_ppm: z.int().min(0).max(1_000_000),
  sigma_ppm: z.int().min(-1_000_000).max(1_000_000),
  k_ppm_per_day: count,
  created_at_us: count,
  last_recalled_at_us: z.nullable(count),
  sequence: count,
  sources: z.array(digestSchema).max(SOURCES_MAX),
  source_count: count,
  upto: count,
};

/** A Megram as a `remembered` event holds it. */
export const megramSchema: z.ZodType<Megram> = z.strictObject(megramFields);

/** One tag at a moment: Megrams by layer, both potentials, what it advises. */
export const memoryTagSchema: z.ZodType = z.strictObject({
  ...tag,
  m: count,
  k: count,
  c: count,
  ...potentials,
  action: z.enum(ACTIONS),
});

/** One Megram at a moment. `decay_nano` 10^9: all of it is left. */
export const memoryMegramSchema: z.ZodType = z.strictObject({
  ...megramFields,
  age_us: count,
  decay_nano: z.int().min(0).max(1_000_000_000),
  ...potentials,
});

const looked = { memory: text, run_id: text, records: count, at_us: count };

/** `assay memory inspect --json`. */
export const memoryInspectSchema: z.ZodType = z.strictObject({ ...looked, tags: z.array(memoryTagSchema) });

/**
 * `assay memory inspect WHERE SPACE ENTITY --json`; `tag` is null, and there are no thresholds, if nothing is
 * remembered.
 */
export const memoryExplainSchema: z.ZodType = z.union([
  z.strictObject({
    ...tag,
    at_us: count,
    tag: memoryTagSchema,
    thresholds: z.strictObject({ ignore_below_ppm: count, act_beyond_ppm: count }),
    megrams: z.array(memoryMegramSchema),
  }),
  z.strictObject({ ...tag, at_us: count, tag: z.null(), megrams: z.array(memoryMegramSchema).max(0) }),
]);

/** `assay memory inspect --to json`. */
export const memoryExportSchema: z.ZodType = z.strictObject({
  ...looked,
  megrams: z.array(memoryMegramSchema),
});

const head: z.ZodType<Head> = z.strictObject({ run_id: text, count: z.int().min(1), hash: digestSchema });
const id = z.string();
const polarity = z.enum(['best_practice', 'constraint']);

/** Events that `assay memory forget` and `dream` show; invitations are left out. */
const events = z.array(
  z.discriminatedUnion('t', [
    z.strictObject({ t: z.literal('unanswered'), kind: z.enum(INVITATION_KINDS), code: text }),
    z.strictObject({ t: z.literal('remembered'), megram: megramSchema }),
    z.strictObject({ t: z.literal('dreamt'), at_us: count, tags: count, changed: count, put_off: count }),
    z.strictObject({ t: z.literal('faded'), ...tag, attention_nano: count, count }),
    z.strictObject({ t: z.literal('demoted'), ...tag, id: digestSchema, others_nano: z.int() }),
    z.strictObject({
      t: z.literal('distilling'),
      ...tag,
      polarity,
      at_us: count,
      ...potentials,
      upto: count,
      id,
    }),
    z.strictObject({
      t: z.literal('undistilled'),
      ...tag,
      id,
      why: z.enum(['no_text', 'faded', 'forgotten']),
      code: z.nullable(text),
    }),
    z.strictObject({
      t: z.literal('promoted'),
      ...tag,
      request: id,
      upto: count,
      supersedes: z.nullable(digestSchema),
    }),
    z.strictObject({
      t: z.literal('forgotten'),
      ...tag,
      id: z.nullable(digestSchema),
      count,
      why: text,
      at_us: count,
    }),
  ]),
) satisfies z.ZodType<readonly MemoryEvent[]>;

/**
 * `assay memory forget --json` and `assay memory dream --json`; without events exactly where there is a
 * rejection.
 */
export const memoryChangedSchema: z.ZodType = z.strictObject({
  head,
  rejection: z.nullable(z.strictObject({ code: text, detail: z.json() })),
  events,
});

/**
 * `assay memory learn --json`. `taken`, `known`: writes of the run remembered now, and before. `rejected`:
 * codes.
 */
export const memoryLearnSchema: z.ZodType = z.strictObject({
  memory: text,
  run_id: text,
  is_new: z.boolean(),
  taken: count,
  known: count,
  rejected: z.array(text),
});
