/**
 * Evidence of one sub-task, written by hand, for ports that are asked alone.
 */
import { createHash } from 'node:crypto';
import { PersistentMap, type Digest, type Request } from '@assay/kernel';
import { NO_EVIDENCE, transcript, type Evidence, type SubTaskEvidence } from '@assay/controller/evidence';

const DIGEST = '0'.repeat(64) as Digest;
const text = { type: 'string' };
const schemaOf = (description: string, properties: { readonly [name: string]: typeof text }): object => ({
  description,
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  anyOf: [{ required: ['path'] }],
});

/** The tools of the run; the sub-task may not use the last. */
export const TOOLS = [
  ['read_file', 'read', schemaOf('Reads one file.', { path: text })],
  ['write_file', 'write', schemaOf('Writes one file whole.', { path: text, content: text })],
  ['remove_file', 'write', schemaOf('Removes one file.', { path: text })],
].map(([name, of, schema]) => ({ name, class: of, reversible: true, holds: false, again: true, schema }));

const SUBTASK: SubTaskEvidence = {
  subtask: {
    id: '0.0',
    label: 'read',
    sequence: 1,
    intent: 'copy a.txt to b.txt',
    context: 'to the byte',
    tools: ['read_file', 'write_file'],
    words: false,
    criteria: [{ id: '0.0.0', text: 'b.txt is like a.txt', mode: 'verifiable', hard: true, check: null }],
  },
  must_not: { tools: [], targets: [{ tool: 'write_file', target: 'c.txt' }] },
  prior: [],
  allowed: 32,
  items: [],
  turned_away: [{ code: 'malformed', detail: { code: 'no_call', path: '', text: 'I will.' } }],
};

/** The run; `output`: what its only call, of `a.txt`, showed. */
export function evidenceOf(output: string = 'alpha\n'): Evidence {
  const of: SubTaskEvidence = {
    ...SUBTASK,
    items: [
      {
        t: 'call',
        n: 0,
        tool: 'read_file',
        input: { path: 'a.txt' },
        target: 'a.txt',
        status: 'ok',
        code: null,
        attempt: 0,
        output,
        output_bytes: output.length,
        digest: DIGEST,
        why: null,
      },
    ],
  };
  return {
    ...NO_EVIDENCE,
    text: 'copy a.txt to b.txt',
    tools: TOOLS as never,
    plan: ['0.0'],
    round: PersistentMap.from([['0.0', of] as const]),
  };
}

/** Who is asked for the next move. */
export const STEP_REQUEST = {
  id: '3.0',
  kind: 'step',
  body: { subtask: '0.0', task: DIGEST, attempt: 0, seen: { calls: 1, digest: DIGEST, bytes: 6 } },
  accepts: ['live_model'],
  attempts: 3,
} as unknown as Request;

/** SHA-256 of what is shown then. */
export const TRANSCRIPT_HASH: string = createHash('sha256')
  .update(transcript(evidenceOf().round.get('0.0') ?? SUBTASK), 'utf8')
  .digest('hex');
