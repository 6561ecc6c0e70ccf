/**
 * Random sound ledgers, for property tests.
 *
 * @module
 */
import {
  edgeId,
  EDGE_KINDS,
  NODE_KINDS,
  type Digest,
  type EvidenceRecord,
  type Json,
  type NodeKind,
} from '@assay/kernel';
import fc from 'fast-check';
import { LedgerBuilder, type GraphDraft } from './ledger-builder.js';

/** Any admitted JSON value, small; keys and text reach outside ASCII and include `__proto__`. */
export function arbitraryJson(integersOnly: boolean = false): fc.Arbitrary<Json> {
  const key = fc.oneof(
    fc.constantFrom('a', 'b', '__proto__', 'toJSON', '1', '10', 'é', '\u{1f600}', '\ufb33'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  const number = integersOnly
    ? fc.integer()
    : fc.oneof(
        fc.integer(),
        fc
          .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
          .map((n) => (n === 0 ? 0 : n)),
      );
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Json>(null, true, false, '', '\u2028"\\\n'),
      number,
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
}

type Answer = {
  readonly which: number;
  readonly value: Json;
  readonly isAccepted: boolean;
  readonly isKnown: boolean;
  readonly events: readonly Json[];
  readonly asks: readonly Json[];
  readonly withdraw: number;
  readonly nodes: readonly (readonly [NodeKind, Json])[];
  readonly edges: readonly (readonly [number, number, number])[];
  readonly names: readonly string[];
  readonly content: Json;
};

const integers = arbitraryJson(true);

const answer: fc.Arbitrary<Answer> = fc.record({
  which: fc.nat(),
  value: arbitraryJson(),
  isAccepted: fc.boolean(),
  isKnown: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  events: fc.array(integers, { maxLength: 2 }),
  asks: fc.array(integers, { maxLength: 3 }),
  withdraw: fc.nat(7),
  nodes: fc.array(fc.tuple(fc.constantFrom(...NODE_KINDS), fc.nat(30)), { maxLength: 3 }),
  edges: fc.array(fc.tuple(fc.nat(2), fc.nat(), fc.nat()), { maxLength: 3 }),
  names: fc
    .uniqueArray(fc.constantFrom('a', 'b', 'plan', 'z'), { maxLength: 2 })
    .map((names) => [...names].sort()),
  content: integers,
});

/** How a random ledger ends. */
export type End = 'success' | 'refused' | 'open' | 'inside';

/** Random sound ledgers of up to about 40 records: closed, open, or ending inside a group. */
export function arbitraryLedger(end?: End): fc.Arbitrary<readonly EvidenceRecord[]> {
  const ends =
    end === undefined ? fc.constantFrom<End>('success', 'refused', 'open', 'inside') : fc.constant(end);
  return fc
    .tuple(fc.array(answer, { minLength: 1, maxLength: 10 }), arbitraryJson(), ends)
    .map(([answers, input, ending]) => write(answers, input, ending));
}

function write(answers: readonly Answer[], input: Json, end: End): readonly EvidenceRecord[] {
  const ledger = new LedgerBuilder({ input });
  const order: Digest[] = [];
  for (const [index, given] of answers.entries()) {
    if (index > 0 && !answered(ledger, given)) continue;
    decided(ledger, given, order);
  }
  if (end === 'success' || end === 'refused') {
    // A close follows a decision, so rejected answers at the end are left out.
    while (ledger.drafts.at(-1)?.kind === 'rejection') ledger.drafts.splice(-2);
    askNothingAtTheEnd(ledger);
    ledger.close(end);
  } else if (end === 'inside') ledger.propose([...ledger.open][0] ?? '0.0', 'last');
  return ledger.records();
}

/** A decision with an outcome opens no request. */
function askNothingAtTheEnd(ledger: LedgerBuilder): void {
  const last = ledger.drafts.findLastIndex(({ kind }) => kind === 'decision');
  const draft = ledger.drafts[last];
  if (draft === undefined) return;
  const decision = draft.payload as { readonly requests: readonly { readonly id: string }[] };
  for (const { id } of decision.requests) ledger.open.delete(id);
  ledger.drafts[last] = { ...draft, payload: { ...decision, requests: [] } as Json };
}

/** Writes the proposal, and its rejection where it is not accepted. */
function answered(ledger: LedgerBuilder, { which, value, isAccepted, isKnown }: Answer): boolean {
  const open = [...ledger.open];
  const id = isKnown ? open[which % Math.max(1, open.length)] : undefined;
  ledger.propose(id ?? `999.${which % 65_536}`, value);
  if (id !== undefined && isAccepted) return true;
  ledger.reject(id === undefined ? 'not_open' : 'unclear', id === undefined ? null : { n: 1 });
  // A rejection ends the group; what follows in this answer is not written.
  return false;
}

function decided(
  ledger: LedgerBuilder,
  { events, asks, withdraw, nodes, edges, names, content }: Answer,
  order: Digest[],
): void {
  const last = ledger.drafts.at(-1);
  const answering = (last?.payload as { readonly request_id?: string } | undefined)?.request_id;
  const withdrawn = [...ledger.open].filter(
    (id, index) => id !== answering && index < 3 && ((withdraw >> index) & 1) === 1,
  );
  ledger.decide({ events, asks, withdrawn, graph: graphOf(ledger, nodes, edges, order) });
  for (const name of names) ledger.artifact(name, content);
}

/** New nodes only, and edges from later nodes to earlier ones, so that no cycle arises. */
function graphOf(
  ledger: LedgerBuilder,
  nodes: Answer['nodes'],
  edges: Answer['edges'],
  order: Digest[],
): GraphDraft | null {
  const fresh = new Map<Digest, { readonly kind: NodeKind; readonly payload: Json }>();
  for (const [kind, payload] of nodes) {
    const id = ledger.nodeId(kind, payload);
    if (!ledger.nodes.has(id)) fresh.set(id, { kind, payload });
  }
  order.push(...fresh.keys());
  const drawn = new Map<Digest, GraphDraft['edges'][number]>();
  for (const [kindAt, a, b] of edges) {
    if (order.length < 2) break;
    const [x, y] = [a % order.length, b % order.length];
    const kind = EDGE_KINDS[kindAt] ?? 'refines';
    const [from_id, to_id] =
      kind === 'contradicts' ? [order[x], order[y]] : [order[Math.max(x, y)], order[Math.min(x, y)]];
    if (from_id === undefined || to_id === undefined || (kind !== 'contradicts' && x === y)) continue;
    const id = edgeId(ledger.runId, { kind, from_id, to_id });
    if (!ledger.edges.has(id)) drawn.set(id, { kind, from_id, to_id });
  }
  return fresh.size + drawn.size === 0 ? null : { nodes: [...fresh.values()], edges: [...drawn.values()] };
}
