/**
 * A canary key is sent with every call and appears nowhere else: in no record, no error, and nothing else
 * that is written.
 */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { holdsSecret } from '@assay/host';
import { CANARY, ran, type Ran } from './tools/runs.ts';
import { isTriedOn, WIRES, type Step } from './tools/scripted-server.ts';
import { commit, LITERAL, said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

/** Everything a run leaves behind but the calls themselves. */
const written = ({ text, errors, records, artifacts }: Ran): string =>
  [
    text,
    JSON.stringify(records),
    JSON.stringify([...artifacts]),
    ...errors.map(
      (error) =>
        `${inspect(error, { depth: 20, showHidden: true })} ${error instanceof Error ? error.stack : ''}`,
    ),
  ].join('\n');

/** As JSON may write any text: a number for each unit. */
const escaped = (text: string): string =>
  [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
/** Most of the key: who has it has to guess one character. */
const PART = CANARY.slice(0, -1);
const inside = (where: string): string =>
  said([{ ...LITERAL, intent_summary: 'HERE' }]).replace('HERE', where);

const base64 = Buffer.from(CANARY).toString('base64');
const steps: readonly (readonly [what: string, step: Step])[] = [
  ['a good answer', { text: said() }],
  ['the key as the answer', { text: CANARY }],
  ['the key in the answer', { text: said([{ ...LITERAL, intent_summary: `Your key is ${CANARY}.` }]) }],
  [
    'the key escaped in the answer',
    { text: said([{ ...LITERAL, name: 'x' }]).replace('"x"', `"${CANARY} \\u00e9"`) },
  ],
  ['the key as numbers in a value', { text: inside(escaped(CANARY)) }],
  ['the key as numbers, escaped twice', { text: inside(escaped(CANARY).replaceAll('\\', '\\\\')) }],
  [
    'the key as numbers in a key',
    { text: said().replace('"confidence"', `"${escaped(CANARY)}":1,"confidence"`) },
  ],
  [
    'the key as numbers in words that the request does not hold',
    { text: said([{ ...LITERAL, commits: [{ ...commit('HERE') }] }]).replace('HERE', escaped(CANARY)) },
  ],
  ['the key as numbers in an answer that is cut', { text: `{"readings":["${escaped(CANARY)}` }],
  ['the key as numbers in a refusal', { text: escaped(CANARY), finish: 'refusal' }],
  ['the key in capitals', { text: inside(CANARY.toUpperCase()) }],
  ['the key less its last character', { text: inside(PART) }],
  [
    'the key less its last character as a code',
    { status: 500, error: { type: PART, code: PART, message: PART } },
  ],
  [
    'the key in base64 behind another character',
    { text: inside(Buffer.from(`x${CANARY}`).toString('base64')) },
  ],
  ['the key in base64', { text: said([{ ...LITERAL, intent_summary: base64 }]) }],
  ['the key as the model', { text: said(), model: `model-${CANARY}` }],
  ['the key in a refusal', { text: CANARY, finish: 'refusal' }],
  [
    'the key in a message',
    {
      status: 401,
      error: { type: 'authentication_error', message: `Incorrect API key provided: ${CANARY}` },
    },
  ],
  ['the key as a code', { status: 400, error: { type: CANARY, code: CANARY, message: CANARY } }],
  ['the key in headers', { status: 429, headers: { 'retry-after-ms': '1', 'x-echo': CANARY } }],
  ['the key in a page', { status: 502, raw: `<html>${CANARY}</html>` }],
  [
    'the key where a redirect goes',
    { status: 307, headers: { location: `http://127.0.0.1:9/?key=${CANARY}` } },
  ],
  ['the key in an error in the middle', { text: said().slice(0, 40), fault: CANARY }],
  ['a cut connection', { text: said(), cut: 1 }],
];

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  test.each(steps.filter(([, step]) => isTriedOn(wire, step)))('%s', async (_, step) => {
    const run = await ran(wire, [step, { text: said() }]);
    expect(JSON.stringify(run.received[0]?.headers)).toContain(CANARY);
    expect(written(run)).not.toContain(CANARY);
    expect(written(run)).not.toContain(base64);
    expect(written(run).toLowerCase()).not.toContain(PART);
    expect(written(run)).not.toContain(escaped(PART).slice(1));
    expect(written(run)).not.toContain(Buffer.from(`x${CANARY}`).toString('base64').slice(4, -4));
  });
});

test.skipIf(!hasLoopback)(
  'an answer with the key is a failure that says so and keeps nothing of it',
  async () => {
    const run = await ran('compatible', [{ text: `{"key":"${CANARY}"}` }, { text: said() }]);
    expect(run.proposals[0]).toMatchObject({
      failure: { code: 'malformed', detail: { code: 'secret', text: '' } },
      provenance: { secret_withheld: true },
    });
    expect(run.proposals[0]?.['provenance']).not.toHaveProperty('raw_response');
    expect(run.end).toBe('success');
  },
);

test.skipIf(!hasLoopback)(
  'a secret is found as it is, in JSON, in addresses, in base64, in hex and by eight of its characters in a row',
  () => {
    const secret = 'pä"ss/wörd+1';
    for (const form of [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      escaped(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
      'ss/wörd+',
      'PÄ"SS/WÖ',
    ])
      expect([form, holdsSecret(`a ${form} b`, [secret])]).toEqual([form, true]);
    for (const before of ['', 'x', 'xy', 'xyz'])
      expect(holdsSecret(Buffer.from(`${before}${CANARY}tail`).toString('base64'), [CANARY])).toBe(true);
    expect([
      holdsSecret('short', ['short']),
      holdsSecret('anything', []),
      holdsSecret('pä"ss/w', [secret]),
    ]).toEqual([false, false, false]);
  },
);

test.skipIf(!hasLoopback)(
  'what the request says itself gives nothing away: the beginning that all keys share may be quoted',
  () => {
    const known = 'Keys that begin with sk-canary- must be refused.';
    expect(holdsSecret('begin with sk-canary- must', [CANARY], known)).toBe(false);
    expect(holdsSecret(`begin with ${CANARY}`, [CANARY], known)).toBe(true);
  },
);
