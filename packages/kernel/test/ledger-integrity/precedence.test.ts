import {
  encodeLine,
  INTEGRITY_CODES,
  logicalTime,
  nobleSha256,
  recordHash,
  utf8Bytes,
  type Digest,
  type IntegrityCode,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../tools/ledger-builder.js';
import { sample, verdictOf } from './samples.js';

const H = hashOf('other');

/** Ways to break the payload of each kind, one code each. */
const INSIDE: Readonly<Record<string, Partial<Record<IntegrityCode, (payload: JsonObject) => JsonObject>>>> =
  {
    decision: {
      payload_shape: (payload) => ({ ...payload, x: 1 }),
      number: (payload) => ({ ...payload, events: [...list(payload['events']), 0.5] }),
      token: (payload) => ({ ...payload, events: [...list(payload['events']), { $sealed: 1 }] }),
      request_id: (payload) => ({ ...payload, withdrawn: ['7.7'] }),
      graph: (payload) => ({
        ...payload,
        graph: { nodes: [{ id: H, kind: 'claim', payload: 1, payload_hash: H }], edges: [] },
      }),
    },
    proposal: {
      payload_shape: (payload) => ({ ...payload, x: 1 }),
      token: (payload) => ({ ...payload, provenance: { a: { $sealed: 1 } } }),
      proposal_hash: (payload) => ({ ...payload, proposal_hash: H }),
    },
    rejection: {
      payload_shape: (payload) => ({ ...payload, x: 1 }),
      number: (payload) => ({ ...payload, code: 'unclear', detail: [0.5, { $sealed: H }] }),
      request_id: (payload) => ({ ...payload, code: 'unclear' }),
    },
    artifact: {
      payload_shape: (payload) => ({ ...payload, x: 1 }),
      number: (payload) => ({ ...payload, content: [0.5] }),
      artifact_hash: (payload) => ({ ...payload, artifact_hash: H }),
    },
    close: {
      payload_shape: (payload) => ({ ...payload, x: 1 }),
      close: (payload) => ({ ...payload, record_count: 1 }),
    },
  };

const OUTSIDE: readonly IntegrityCode[] = [
  'size',
  'depth',
  'encoding',
  'final_newline',
  'shape',
  'version',
  'payload_hash',
  'record_hash',
  'parent',
  'ts',
  'order',
];
const AT: Readonly<Record<string, number>> = {
  decision: 5,
  proposal: 8,
  rejection: 9,
  artifact: 7,
  close: 12,
};

/** The sample up to one record of a kind, that record broken in all these ways at once. */
function broken(kind: string, codes: readonly IntegrityCode[]): string {
  const at = AT[kind] ?? 0;
  const has = (code: IntegrityCode): boolean => codes.includes(code);
  const records = sample()
    .records()
    .slice(0, at + 1);
  const record = records[at];
  if (record === undefined) throw new Error('no such record');
  let payload = record.payload as JsonObject;
  for (const code of INTEGRITY_CODES) if (has(code)) payload = INSIDE[kind]?.[code]?.(payload) ?? payload;
  const place = {
    ts: has('ts') ? logicalTime('t', 99) : record.ts,
    kind: has('order') ? 'genesis' : kind,
    parent: has('parent') ? H : record.parent,
  };
  const payload_hash: Digest = has('payload_hash') ? H : hashOf(payload);
  const record_hash: Digest = has('record_hash') ? H : recordHash(place, payload_hash, nobleSha256);
  let line = encodeLine({ v: 1, ...place, payload, payload_hash, record_hash });
  if (has('version')) line = line.replace(/"v":1\}$/, '"v":2}');
  if (has('shape')) line = line.replace(/\}$/, ',"x":0}');
  if (has('encoding')) line = ` ${line}`;
  if (has('depth')) line += `${'['.repeat(257)}${']'.repeat(257)}`;
  if (has('size')) line += ','.repeat(262_145);
  return verdictOf(
    utf8Bytes(
      [...records.slice(0, at).map(encodeLine), line]
        .map((text) => `${text}\n`)
        .join('')
        .slice(0, has('final_newline') ? -1 : undefined),
    ),
  );
}

describe('precedence of codes within one record', () => {
  for (const kind of Object.keys(INSIDE)) {
    const codes = INTEGRITY_CODES.filter(
      (code) => OUTSIDE.includes(code) || INSIDE[kind]?.[code] !== undefined,
    );
    it(`${kind}: each fault alone has its code, and of two faults the earlier code wins`, () => {
      for (const [index, code] of codes.entries()) {
        expect(broken(kind, [code]), code).toBe(`${code}@${AT[kind]}`);
        for (const later of codes.slice(index + 1))
          expect(broken(kind, [code, later]), `${code} and ${later}`).toBe(`${code}@${AT[kind]}`);
      }
      expect(broken(kind, [])).toBe('held');
    });
  }

  it('the first faulty record wins, whatever its code', () => {
    const lines = sample().records().map(encodeLine);
    const spoilt = lines.map((line, index) =>
      index === 3 ? line.replace('"unclear"', '"unclean"') : index === 6 ? ` ${line}` : line,
    );
    expect(verdictOf(utf8Bytes(spoilt.map((line) => `${line}\n`).join('')))).toBe('payload_hash@3');
  });
});

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
