/**
 * Random memories: policies, writes, recalls, dreams, tombstones and texts, mostly such as the machine takes.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Digest, GenesisInput, Json, Request } from '@assay/kernel';
import type { MachineArbitraries } from '@assay/testing';
import {
  defaultMemoryPolicy,
  listTags,
  toolTag,
  type MemoryBody,
  type MemoryPolicy,
  type MemoryState,
} from '../../src/memory/index.js';
import { DAY_US } from '../../src/memory/decay.js';
import { DIRECTIVES, mayWrite } from '../../src/memory/quantization.js';
import { intentTag, pathTag, type TagName } from '../../src/memory/tag.js';

/** The runtime's digest: the same bytes as the kernel's own, faster. */
export const native = (bytes: Uint8Array): Digest =>
  createHash('sha256').update(bytes).digest('hex') as Digest;

const INTENTS: readonly string[] = ['find_largest_file', 'a|b', '__proto__', ''];
const TOOLS: readonly string[] = ['shell', 'read', '%7C|', 'constructor'];
const TARGETS: readonly string[] = ['/etc/passwd', '', 'a b\u2028', '\u{1f375}'];
const TEXTS: readonly string[] = [
  '',
  'the file was not there',
  '__proto__',
  'x\u0000y',
  '\u{1f469}\u200d\u{1f4bb}',
];

/** Policies that make dreams act on little: a few Megrams are a rule, and forgetting comes early. */
export const anyPolicy: fc.Arbitrary<MemoryPolicy> = fc.record({
  kernel: fc.constant('exponential' as const),
  ignore_below_ppm: fc.constantFrom(500_000, 0, 1_000_000),
  act_beyond_ppm: fc.constantFrom(200_000, 0),
  promote_attention_ppm: fc.constantFrom(5_000_000, 1_000_000, 100_000),
  promote_decision_ppm: fc.constantFrom(3_000_000, 500_000, 1),
  forget_below_ppm: fc.constantFrom(100_000, 0, 5_000_000),
  dreamer_upward: fc.constantFrom(true, true, true, false),
  distil_max: fc.constantFrom(16, 1, 2),
  recall_tags_max: fc.constantFrom(64, 1, 3),
  recall_rules_max: fc.constantFrom(64, 1),
});

/** Any tag a writer may use. */
export const anyTag: fc.Arbitrary<TagName> = fc.oneof(
  fc.constantFrom(...INTENTS).map(intentTag),
  fc.constantFrom(...TOOLS).map(toolTag),
  fc
    .tuple(fc.constantFrom(...TOOLS), fc.constantFrom(...TARGETS))
    .map(([tool, target]) => pathTag(tool, target)),
);

const anyDraft = fc
  .tuple(anyTag, fc.constantFrom(...DIRECTIVES), fc.constantFrom(...TEXTS))
  .map(([tag, directive, content]) => ({
    ...tag,
    content,
    state: mayWrite(directive, tag)
      ? directive
      : (DIRECTIVES.find((other) => mayWrite(other, tag)) ?? directive),
  }));
/** Several of one kind at one tag: what a promotion needs. */
const manyDrafts = fc
  .tuple(anyDraft, fc.integer({ min: 1, max: 8 }))
  .map(([draft, count]) => Array.from({ length: count }, () => draft));

/** A recorded time: mostly later than the last, sometimes the same, rarely earlier. */
function timeAfter(state: MemoryState): fc.Arbitrary<number> {
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 * DAY_US }) },
      { weight: 2, arbitrary: fc.constantFrom(0, 400 * DAY_US) },
      { weight: 1, arbitrary: fc.constant(-1) },
    )
    .map((more) => Math.max(0, Math.min(state.clock_us + more, 9e15)));
}

/** Likely values for a request of a memory. */
export function memoryAnswer(request: Request<MemoryBody>, state: MemoryState): fc.Arbitrary<Json> {
  const at_us = timeAfter(state);
  const here = listTags(state.shelf);
  const known =
    here.length === 0 ? anyTag : fc.constantFrom(...here).map(({ entity, space }) => ({ entity, space }));
  const rules = here.flatMap((tag) => tag.rules);
  const rule: fc.Arbitrary<TagName & { readonly id: string }> =
    rules.length === 0
      ? fc.constant({ entity: '', id: '0'.repeat(64), space: '' })
      : fc.constantFrom(...rules).map(({ entity, id, space }) => ({ entity, id, space }));
  const text = fc.constantFrom(...TEXTS);
  switch (request.kind) {
    case 'write':
      return fc.record({
        from: fc.constantFrom('R7', 'R7', 'R7', 'R7', 'R4b'),
        task: text,
        megrams: fc.oneof(fc.array(anyDraft, { minLength: 1, maxLength: 4 }), manyDrafts),
        at_us,
      });
    case 'feedback':
      return fc.tuple(rule, text, at_us).map(([{ entity, id, space }, content, at]) => ({
        from: 'R7',
        rule: id,
        space,
        entity,
        content,
        at_us: at,
      }));
    case 'recall':
      return fc.record({
        from: fc.constant('R2'),
        intent: fc.constantFrom(...INTENTS).map((slug) => intentTag(slug).space),
        tools: fc.uniqueArray(fc.constantFrom(...TOOLS)),
        at_us,
      });
    case 'forget':
      return fc.tuple(known, fc.option(rule), text, at_us).map(([{ entity, space }, one, why, at]) => ({
        space: one?.space ?? space,
        entity: one?.entity ?? entity,
        id: one?.id ?? null,
        why,
        at_us: at,
      }));
    case 'end':
      return fc.oneof(
        { weight: 1, arbitrary: at_us.map((at) => ({ at_us: at })) },
        { weight: 9, arbitrary: fc.constant({}) },
      );
    case 'dream':
      return at_us.map((at) => ({ at_us: at }));
    default:
      return fc.constantFrom(
        { text: 'never read a file that is not there' },
        { text: '\u{1f375}' },
        { text: '' },
      );
  }
}

/** What `machineLaws` needs of the memory machine. */
export function memoryArbitraries(): MachineArbitraries<MemoryState, MemoryBody> {
  const genesis: fc.Arbitrary<GenesisInput> = fc.record({
    run_id: fc.constantFrom('memory', 'memory~2'),
    ts_base: fc.constantFrom('t', '2026-01-01T00:00:00Z'),
    policy: fc.oneof(fc.constant(defaultMemoryPolicy), anyPolicy),
    input: fc.constant({}),
  });
  return { genesis, answer: memoryAnswer, stepsMax: 20 };
}
