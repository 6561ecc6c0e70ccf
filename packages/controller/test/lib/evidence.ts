/** Evidence of one sub-task as a run would leave it, for whoever decides on it or judges it. */
import { hashText, nobleSha256, utf8Length, type Digest, type Json } from '@assay/kernel';
import type { EvidenceCall, EvidenceItem, SubTaskEvidence } from '../../src/evidence/index.ts';

/** A call, and its whole output. */
export type Called = Omit<EvidenceCall, 'n'> & { readonly whole: string };

const SHOWN = 400;

/** A call with this whole output, of which the record shows a part if it is long. */
export function called(tool: string, input: Json, whole: string, more: Partial<Called> = {}): Called {
  const output = whole.length <= SHOWN ? whole : `${whole.slice(0, 200)}\n[…]\n${whole.slice(-150)}`;
  return {
    t: 'call',
    tool,
    input,
    target: 'x',
    status: 'ok',
    code: null,
    why: null,
    attempt: 0,
    output,
    output_bytes: utf8Length(whole),
    digest: hashText(whole, nobleSha256),
    whole,
    ...more,
  };
}

type Other = Exclude<EvidenceItem, { readonly t: 'call' }>;

/** What there is of a sub-task in which this happened, and the whole outputs. */
export function evidenceOf(
  happened: readonly (Called | Other)[],
  { context = '', ...more }: Partial<SubTaskEvidence> & { readonly context?: string } = {},
): { readonly of: SubTaskEvidence; readonly wholes: ReadonlyMap<Digest, string> } {
  const wholes = new Map<Digest, string>();
  let n = 0;
  const items = happened.map((item): EvidenceItem => {
    if (item.t !== 'call') return item;
    const { whole, ...call } = item;
    if (call.digest !== null) wholes.set(call.digest, whole);
    n += 1;
    return { ...call, n: n - 1 };
  });
  const of: SubTaskEvidence = {
    subtask: {
      id: '0.0',
      label: 'x',
      sequence: 1,
      intent: 'x',
      context,
      criteria: [],
      tools: [],
      words: false,
    },
    must_not: { tools: [], targets: [] },
    prior: [],
    allowed: 32,
    items,
    turned_away: [],
    ...more,
  };
  return { of, wholes };
}
