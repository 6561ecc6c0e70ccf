/** Whether the answers in a ledger are those that the simulated ports gave. */
import {
  canonicalize,
  field,
  isObject,
  orThrow,
  type Json,
  type Proposal,
  type Request,
} from '@assay/kernel';
import { FAILURE_RULES } from '../failure-class.js';
import type { StoredRun } from './disk.js';
import { drawFate, type Faults, type SimulatedPort } from './faulty-port.js';

/**
 * Every recorded answer is the one its key was bound to have, for each key there is one, and none was given
 * to what was not open any more. Gives what is broken, in words.
 */
export function answersOutOfPlace(
  { records, asked }: StoredRun,
  ports: (request: Request) => SimulatedPort | null,
  seed: number,
  faults: Faults,
): readonly string[] {
  const broken: string[] = [];
  const used = new Map<string, number>();
  const keys = new Set<string>();
  for (const [index, { kind, payload }] of records.entries()) {
    if (kind === 'rejection' && isObject(payload) && field(payload, 'code') === 'not_open')
      broken.push(`record ${index}: an answer to what is not open`);
    if (kind !== 'proposal') continue;
    const proposal = payload as unknown as Proposal;
    const request = asked.get(proposal.request_id);
    const port = request === undefined ? null : ports(request);
    const attempt = used.get(proposal.request_id) ?? 0;
    used.set(proposal.request_id, attempt + 1);
    const key = `${records[0]?.record_hash}/${proposal.request_id}/${attempt}`;
    if (keys.has(key)) broken.push(`record ${index}: a second answer for ${key}`);
    keys.add(key);
    if (request === undefined || port === null) continue;
    const expected = computeExpected(request, key, port, seed, faults);
    const got = renderText({ value: proposal.value, failure: proposal.failure });
    if (expected !== got) broken.push(`record ${index}: expected ${expected} for ${key}, got ${got}`);
  }
  return broken;
}

function computeExpected(
  request: Request,
  key: string,
  port: SimulatedPort,
  seed: number,
  faults: Faults,
): string {
  const fate = drawFate(seed, key, faults);
  switch (fate.tag) {
    case 'answers': {
      const { value = null, failure = null } = port.answer(request, key);
      return renderText({ value, failure });
    }
    case 'fails': {
      const rule = fate.class === null ? null : FAILURE_RULES[fate.class];
      const detail: Json = fate.class === null ? null : { class: fate.class };
      return renderText({
        value: null,
        failure: { code: rule?.code ?? 'unavailable', final: rule?.isFinal ?? false, detail },
      });
    }
    case 'silent':
    case 'late':
      return renderText({
        value: null,
        failure: { code: 'timeout', final: false, detail: { class: 'timeout', deadline: 'call' } },
      });
  }
}

function renderText(value: Json): string {
  return new TextDecoder().decode(orThrow(canonicalize(value)));
}
