/**
 * What a model may say, on each of the three wires: a good answer is decided on, anything else is a recorded
 * failure.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { ANSWER_UNITS_MAX } from '../src/reply.ts';
import { promptHash } from '../src/task.ts';
import { ran, type Ran } from './tools/runs.ts';
import { isTriedOn, MODEL_SAID, WIRES, type Step } from './tools/scripted-server.ts';
import { commit, LITERAL, reading, REQUEST, said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const failures = ({ proposals }: Ran): readonly unknown[] => proposals.map(({ failure }) => failure);
const codes = ({ proposals }: Ran): readonly unknown[] =>
  proposals.map(({ failure }) =>
    failure === null ? null : ((failure as JsonObject)['detail'] as JsonObject)['code'],
  );
const provenances = ({ proposals }: Ran): readonly JsonObject[] =>
  proposals.map(({ provenance }) => provenance as JsonObject);
/** The messages of a call, as text, whatever the wire. */
const sent = (run: Ran, call: number): string => JSON.stringify(run.received[call]?.body);

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  test('a good answer is decided on, and its record says what was asked and what came', async () => {
    const text = said();
    const run = await ran(wire, [{ text }], { llm: { now: () => Date.UTC(2026, 10, 22) } });
    expect([run.end, run.received.length]).toEqual(['success', 1]);
    const [proposal] = run.proposals;
    expect(proposal).toMatchObject({
      source: 'live_model',
      proposer: `llm:${wire}/synthetic`,
      confidence: null,
      failure: null,
      at_us: Date.UTC(2026, 10, 22) * 1_000,
      spent: { input_tokens: 120, output_tokens: 45 },
    });
    expect(proposal?.['provenance']).toMatchObject({
      provider: wire,
      model: MODEL_SAID,
      model_asked: 'synthetic',
      date: '2026-11-22',
      prompt: { name: 'interpretations', version: 2, hash: promptHash(interpretationsTask.prompt) },
      parameters: { max_output_tokens: 16_384 },
      finish: { unified: wire === 'anthropic' ? 'stop' : 'stop' },
      usage: { input_tokens: 120, output_tokens: 45 },
      raw_response: text,
      raw_response_hash: sha256(text),
      raw_response_units: text.length,
      is_wrapped: false,
      is_whole: true,
    });
    expect(run.artifacts.get('blueprint')).toMatchObject({
      claims: [
        { text: 'Keep audit logs for 90 days', atom: { value: { n: 90, scale: 0 }, unit: 'd' } },
        { text: 'Pages must load within 2 seconds' },
      ],
    });
  });

  test.each([
    ['behind reasoning', (text: string) => `<think>\nPerhaps {"readings": []}?\n</think>\n\n${text}`],
    ['in a fence', (text: string) => `\`\`\`json\n${text}\n\`\`\``],
    [
      'in prose',
      (text: string) => `Sure! Here is what you asked for:\n\n${text}\n\nLet me know {if} I can help.`,
    ],
    [
      'in prose, with a brace that opens nothing',
      (text: string) => `A set like {x | x > 2} is not JSON. ${text}`,
    ],
  ])('a good answer %s is taken, and the record says so', async (_, wrap) => {
    const run = await ran(wire, [{ text: wrap(said()), pieces: 9 }]);
    expect([run.end, run.received.length, provenances(run)[0]?.['is_wrapped']]).toEqual(['success', 1, true]);
  });

  test('an answer that does not parse is asked again with the error, and the second one is accepted', async () => {
    const bad = said([{ ...LITERAL, commits: [commit('Keep audit logs for 91 days')] }]);
    const run = await ran(wire, [{ text: bad }, { text: said() }]);
    expect([run.end, run.received.length]).toEqual(['success', 2]);
    expect(failures(run)[0]).toEqual({
      code: 'malformed',
      final: false,
      detail: {
        code: 'not_in_request',
        path: '/readings/0/commits/0/quote',
        text: 'Keep audit logs for 91 days',
      },
    });
    expect([
      sent(run, 0).includes('not_in_request'),
      sent(run, 1).includes('not_in_request'),
      sent(run, 1).includes('91 days'),
    ]).toEqual([false, true, true]);
    expect(provenances(run).map((each) => each['raw_response'])).toEqual([bad, said()]);
    expect(provenances(run)[0]?.['messages_hash']).not.toBe(provenances(run)[1]?.['messages_hash']);
  });

  test('an answer the machine rejects is asked again with its code and path', async () => {
    const bad = said([{ ...LITERAL, name: 'n'.repeat(121) }]);
    const run = await ran(wire, [{ text: bad }, { text: said() }]);
    expect([run.end, run.rejections[0]?.['code']]).toEqual(['success', 'bad_interpretations']);
    expect(sent(run, 1)).toContain('bad_interpretations');
  });

  test('twice no answer is a final failure: every attempt is recorded, and the run is refused', async () => {
    const run = await ran(wire, [{ text: 'I am not able to do that in JSON.' }]);
    expect([run.end, run.reasons, run.received.length, codes(run)]).toEqual([
      'refused',
      ['insufficient_proposals'],
      2,
      ['json', 'json'],
    ]);
    expect(provenances(run).map((each) => each['raw_response_hash'])).toEqual([
      sha256('I am not able to do that in JSON.'),
      sha256('I am not able to do that in JSON.'),
    ]);
    expect(run.proposals.map(({ spent }) => spent)).toEqual([
      { input_tokens: 120, output_tokens: 45 },
      { input_tokens: 120, output_tokens: 45 },
    ]);
  });

  const bad: readonly (readonly [what: string, step: Step, code: string])[] = [
    ['truncated', { text: said().slice(0, 200), finish: 'length' }, 'truncated'],
    ['whole, though the model hit its limit', { text: said(), finish: 'length' }, 'truncated'],
    ['empty', { text: '' }, 'empty'],
    ['white space', { text: ' \n\t ' }, 'empty'],
    ['two objects', { text: `${said()}\n${said()}` }, 'several'],
    ['two objects with braces between them', { text: `${said()}${' {} '.repeat(99)} ${said()}` }, 'several'],
    ['an object and a brace that never ends', { text: `${said()} {` }, 'json'],
    ['an object inside one that never ends', { text: `{"draft":${said()},"note":"the real one` }, 'json'],
    ['an object inside braces that are no object', { text: `{draft: ${said()}}` }, 'json'],
    ['an object in reasoning that never ends', { text: `<think>\n${said()}` }, 'json'],
    ['an object in reasoning alone', { text: `<think>${said()}</think>` }, 'json'],
    ['a key twice', { text: said().replace('{"readings"', '{"readings":[],"readings"') }, 'duplicate_key'],
    [
      'a key twice, once escaped, deep inside',
      { text: said().replace('"modality":"must"', '"modality":"must_not","m\\u006fdality" : "must"') },
      'duplicate_key',
    ],
    ['a list', { text: '[]' }, 'json'],
    ['a text', { text: '"{}"' }, 'schema'],
    ['not closed', { text: '{"readings": [' }, 'json'],
    ['another shape', { text: '{"readings": [], "confidence": null, "source": "human"}' }, 'schema'],
    ['a confidence out of range', { text: said([LITERAL], 1.5) }, 'confidence'],
    [
      'a number that is no decimal',
      {
        text: said([
          reading('r', [commit(REQUEST, { key: 'a.b', op: '=', value: 0.12345678912, unit: null })]),
        ]),
      },
      'number',
    ],
    ['a thousand levels deep', { text: `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}` }, 'json'],
    [
      'sixty-four levels deep',
      { text: `{"readings":${'['.repeat(63)}${']'.repeat(63)},"confidence":null}` },
      'schema',
    ],
    ['a lone surrogate', { text: said().replace('literal', '\\ud800') }, 'inadmissible'],
    [
      'a prototype key',
      { text: said().replace('"confidence":null', '"confidence":null,"__proto__":{"readings":[]}') },
      'schema',
    ],
    [
      'seventy thousand values',
      { text: `{"readings":[${Array.from({ length: 70_000 }, () => '0').join(',')}],"confidence":null}` },
      'inadmissible',
    ],
    ['cut off in the middle', { text: said(), pieces: 4, cut: 2 }, 'cut_off'],
    ['cut off before its first word', { text: said(), cut: 'head' }, 'cut_off'],
    ['50 MB of text', { bytes: 50_000_000 }, 'answer_too_long'],
  ];
  test.each(bad.filter(([, step]) => isTriedOn(wire, step)))(
    '%s: a recorded failure, and what came of it is kept',
    async (_, step, code) => {
      const run = await ran(wire, [step, { text: said() }]);
      expect([run.end, codes(run)]).toEqual(['success', [code, null]]);
      const [{ raw_response: raw, raw_response_hash: hash, raw_response_units: units }] = provenances(
        run,
      ) as readonly [JsonObject];
      if (typeof units === 'number' && units <= 262_144) expect(hash).toBe(sha256(String(raw)));
      else expect([units, String(raw).length]).toEqual([ANSWER_UNITS_MAX, 262_144]);
    },
  );

  test.each([['refusal'], ['filter']] as const)(
    'a refusal (%s) is final: it is not asked again',
    async (finish) => {
      const run = await ran(wire, [{ text: 'I will not read this.', finish }]);
      expect([run.end, run.received.length, run.proposals.length]).toEqual(['refused', 1, 1]);
      expect(failures(run)[0]).toMatchObject({ code: 'denied', final: true, detail: { code: 'refusal' } });
    },
  );
});

test.skipIf(!hasLoopback)(
  'quotes are found whatever white space a model puts between the words, and parts of the scope inside their quote',
  async () => {
    const request =
      'Admins may export.\nUsers must confirm,\n  unless the export is empty. Exports are ' +
      'logged unless the export is empty.';
    const second = commit('Exports are logged unless the export is empty', null, {
      scope: { actor: null, condition: null, exception: 'the export is empty' },
    });
    const run = await ran(
      'compatible',
      [{ text: said([reading('r', [commit('Users must confirm, unless the export is empty'), second])]) }],
      { request },
    );
    const value = run.proposals[0]?.['value'] as readonly {
      readonly commits: readonly {
        readonly quote: { readonly start: number; readonly end: number };
        readonly scope: { readonly exception: { readonly start: number } | null };
      }[];
    }[];
    const [first, then] = value[0]?.commits ?? [];
    expect(request.slice(first?.quote.start, first?.quote.end)).toBe(
      'Users must confirm,\n  unless the export is empty',
    );
    expect(then?.scope.exception?.start).toBe(request.lastIndexOf('the export is empty'));
  },
);

test.skipIf(!hasLoopback)('places are counted in code points', async () => {
  const request = 'Logs 🗄🗄 must be kept for 90 days.';
  const run = await ran(
    'compatible',
    [{ text: said([reading('r', [commit('must be kept for 90 days')])]) }],
    { request },
  );
  expect(run.proposals[0]?.['value']).toMatchObject([{ commits: [{ quote: { start: 8, end: 32 } }] }]);
});

test.skipIf(!hasLoopback)(
  'a kind of request that the model has no task for is a final failure, and nobody is called',
  async () => {
    const run = await ran('compatible', [{ text: said() }], { llm: { tasks: [] } });
    expect([run.end, run.received, failures(run)]).toEqual([
      'refused',
      [],
      [{ code: 'unavailable', final: true, detail: { code: 'no_task', kind: 'interpretations' } }],
    ]);
  },
);
