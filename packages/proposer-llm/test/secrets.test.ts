/** A canary key is sent with every call and appears nowhere else: in no record, no error, and nothing else that is written. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { holdsSecret } from '@assay/host';
import { CANARY, ran, type Ran } from './tools/runs.ts';
import { WIRES, type Step } from './tools/scripted-server.ts';
import { LITERAL, said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

/** Everything a run leaves behind but the calls themselves. */
const written = ({ text, errors, records, artifacts }: Ran): string => [text, JSON.stringify(records), JSON.stringify([...artifacts]), ...errors.map((error) => `${inspect(error, { depth: 20, showHidden: true })} ${error instanceof Error ? error.stack : ''}`)].join('\n');

const base64 = Buffer.from(CANARY).toString('base64');
const steps: readonly (readonly [what: string, step: Step])[] = [
  ['a good answer', { text: said() }],
  ['the key as the answer', { text: CANARY }],
  ['the key in the answer', { text: said([{ ...LITERAL, intent_summary: `Your key is ${CANARY}.` }]) }],
  ['the key escaped in the answer', { text: said([{ ...LITERAL, name: 'x' }]).replace('"x"', `"${CANARY} \\u00e9"`) }],
  ['the key in base64', { text: said([{ ...LITERAL, intent_summary: base64 }]) }],
  ['the key as the model', { text: said(), model: `model-${CANARY}` }],
  ['the key in a refusal', { text: CANARY, finish: 'refusal' }],
  ['the key in a message', { status: 401, error: { type: 'authentication_error', message: `Incorrect API key provided: ${CANARY}` } }],
  ['the key as a code', { status: 400, error: { type: CANARY, code: CANARY, message: CANARY } }],
  ['the key in headers', { status: 429, headers: { 'retry-after-ms': '1', 'x-echo': CANARY } }],
  ['the key in a page', { status: 502, raw: `<html>${CANARY}</html>` }],
  ['the key where a redirect goes', { status: 307, headers: { location: `http://127.0.0.1:9/?key=${CANARY}` } }],
  ['the key in an error in the middle', { text: said().slice(0, 40), fault: CANARY }],
  ['a cut connection', { text: said(), cut: 1 }],
];

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  test.each(steps)('%s', async (_, step) => {
    const run = await ran(wire, [step, { text: said() }]);
    expect(JSON.stringify(run.received[0]?.headers)).toContain(CANARY);
    expect(written(run)).not.toContain(CANARY);
    expect(written(run)).not.toContain(base64);
  });
});

test.skipIf(!hasLoopback)('an answer with the key is a failure that says so and keeps nothing of it', async () => {
  const run = await ran('compatible', [{ text: `{"key":"${CANARY}"}` }, { text: said() }]);
  expect(run.proposals[0]).toMatchObject({ failure: { code: 'malformed', detail: { code: 'secret', text: '' } }, provenance: { secret_withheld: true } });
  expect(run.proposals[0]?.['provenance']).not.toHaveProperty('raw_response');
  expect(run.end).toBe('success');
});

test.skipIf(!hasLoopback)('secrets are found as they are, in JSON, in addresses, in base64 and in hex; short ones are none', () => {
  const secret = 'pä"ss/wörd+1';
  for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret), `${Buffer.from(secret).toString('base64')}`, Buffer.from(secret).toString('hex')]) expect([form, holdsSecret(`a ${form} b`, [secret])]).toEqual([form, true]);
  expect([holdsSecret('short', ['short']), holdsSecret('anything', []), holdsSecret('pä"ss', [secret])]).toEqual([false, false, false]);
});
