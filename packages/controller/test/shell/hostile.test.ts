/** Whatever stands in a body: the rules answer or refuse with a code, and never raise. */
import { describe, expect, it } from 'vitest';
import { admit, type Json, type Request } from '@assay/kernel';
import { callsIn, NO_EVIDENCE, type Evidence, type SubTaskEvidence } from '@assay/controller/evidence';
import { memoryOutputs } from '@assay/host';
import { mergeByRules, perceiveByRules, planByRules } from '@assay/proposers/tasks';
import { judgeByRules, stepByRules } from '@assay/controller/steps';
import { controlRulesPort } from '@assay/proposers/task-rules';
import { nativeSha256 } from '@assay/host';
import { called, evidenceOf } from '../lib/evidence.ts';

const UNITS = 131_072;
const LONE = ['\ud800', 'a\udc00b', 'please "\ud800"', 'write \ud800 to b.txt'];
const ODD = [
  '',
  ' ',
  '\0',
  '\u0001\u001b[2J',
  '__proto__',
  'constructor',
  '"',
  '1e999',
  '{"format":"assay/steps/2","steps":[],"output":{}}',
  'read_file: a → b',
  'again',
];
const LONG = ['x', 'a ', '"', '*', '/', '../', '.', '. ', 'please ', '[', '{"a":'].map((unit) =>
  unit.repeat(UNITS / unit.length),
);
const HOSTILE = [...LONE, ...ODD, ...LONG];
const SLOTS = [
  'write "?" to a.txt',
  'copy "?" to b.txt',
  'find "?" containing "?" -> A; write "?" to "?"',
  '? | ?',
];

const tools = ['find_files', 'read_file', 'write_file', 'move_file', 'remove_file', 'shell'].map(
  (name) => ({ name, class: 'read', reversible: true, about: '' }) as const,
);
const planBody = (text: string, intent: string): Json => ({
  round: 0,
  task: { label: text, intent, constraints: { scope: null, deadline_us: null } },
  text,
  directive: null,
  last: null,
  keep: [],
  must_not: { tools: [], targets: [], rules: [text] },
  prefer: { tools: [], practices: [text] },
  caution: [],
  tools,
  limits: { subtasks: 8, criteria: 8 },
});
const checksOf = (text: string): readonly Json[] => [
  text,
  { is: 'ran', step: text },
  {
    is: 'claim',
    value: {
      from: 'a',
      do: [
        ['first', text],
        [text, text],
      ],
    },
  },
  { is: 'stands', step: 'a', by: text, want: text },
  { is: 'stands', step: text, by: 'a', want: { from: 'a', do: [[text]] } },
  { is: 'there', step: 'a' },
  { is: 'holds', that: { value: { from: 'a', do: [] }, op: '<', than: text } },
  { is: 'all', of: [{ is: 'gone', step: text }] },
  { is: 'present', as: 'answer' },
];
const criteriaOf = (text: string): Json =>
  checksOf(text).map((check, index) => ({
    id: `0.0.${index}`,
    text: text.slice(0, 2_000) || 'x',
    mode: 'verifiable',
    hard: true,
    check,
  }));
/** A sub-task with this context, in which tools were called on this and said it. */
const evidenceFor = (text: string, context: string = text): SubTaskEvidence =>
  evidenceOf(
    [
      called('read_file', { path: 'a' }, text),
      called('write_file', { path: text }, `wrote ${text}: 1 bytes, sha256 ${'a'.repeat(64)}\n`),
      called('read_file', { path: text }, text),
      { t: 'claim', output: text, rests_on: [0] },
      { t: 'correction', what_was_wrong: text, what_to_do: text, calls: [1] },
    ],
    { context },
  ).of;
const SEEN = { calls: 3, digest: null, bytes: 0 };
const bodies = (text: string): readonly (readonly [kind: string, body: Json])[] => [
  [
    'perceive',
    {
      text,
      session: [
        { input: text, summary: text },
        { input: 'again', summary: text },
      ],
    },
  ],
  ...SLOTS.map((slot) => ['perceive', { text: slot.replaceAll('?', () => text), session: [] }] as const),
  ...[text, ...SLOTS.map((slot) => slot.replaceAll('?', () => text))].map(
    (intent) => ['plan', planBody(text, intent)] as const,
  ),
  [
    'judge',
    {
      subtask: '0.0',
      intent: text,
      criteria: criteriaOf(text),
      attempt: 0,
      claim: text,
      rests_on: [0],
      seen: SEEN,
    },
  ],
  ['step', { subtask: '0.0', task: 'a'.repeat(64), attempt: 0, seen: SEEN }],
  [
    'merge',
    { intent: text, criteria: criteriaOf(text), outcomes: [{ subtask: '0.0', intent: text, output: text }] },
  ],
  [text, text],
];

describe('the rules, whatever stands in a body', () => {
  it.each(HOSTILE.map((text) => [shown(text), text]))('%s', async (_, text) => {
    const of = evidenceFor(text);
    const evidence: Evidence = { ...NO_EVIDENCE, round: NO_EVIDENCE.round.set('0.0', of) };
    const port = controlRulesPort({ evidence: () => evidence, outputs: memoryOutputs() });
    for (const [kind, body] of bodies(text)) {
      const answer = await port.perform(
        { kind, body } as Request,
        { key: 'k', signal: new AbortController().signal } as never,
      );
      if ('failure' in answer && answer.failure !== undefined)
        expect(answer.failure).toMatchObject({
          code: 'denied',
          final: true,
          detail: { code: expect.any(String) },
        });
      else expect(answer).toHaveProperty('value');
    }
  });

  it.each(LONE)(
    '%j is not understood by any role that reads words, and judged where it is evidence',
    (text) => {
      const said = (intent: string): unknown => planByRules(planBody(text, intent) as never);
      expect([perceiveByRules({ text }), said(text)]).toMatchObject([
        { left: { code: 'not_understood' } },
        { left: { code: 'not_understood' } },
      ]);
      expect(
        judgeByRules({ criteria: criteriaOf(text), claim: text } as never, evidenceFor('a')).verdicts,
      ).toHaveLength(checksOf(text).length);
      const outcomes = [{ subtask: '0.0', intent: text, output: text }];
      expect(mergeByRules({ criteria: criteriaOf(text), outcomes } as never).summary).toBe(
        `the answer is ${text.toWellFormed()}`,
      );
    },
  );
});

describe('the rules as executor, whatever stands in a program and whatever was called', () => {
  const program = (operation: Json, input: Json): string =>
    JSON.stringify({
      format: 'assay/steps/2',
      steps: [{ id: 'a', tool: 'read_file', input, may_fail: false, if_any: null, each: null }],
      output: { from: 'a', do: [operation] },
    });

  it.each(HOSTILE.filter((text) => text.isWellFormed()).map((text) => [shown(text), text]))(
    '%s',
    (_, text) => {
      for (const context of [
        text,
        program([text], { path: 'a' }),
        program(['first', text], text),
        program(['count'], JSON.parse('{"__proto__":{"path":"a"}}') as Json),
        program(['__proto__', 1], text),
      ]) {
        const of = evidenceFor(text, context);
        const move = stepByRules(of, new Map(), nativeSha256);
        if (move._tag === 'Left') expect(['not_steps', 'output_gone']).toContain(move.left.code);
        else {
          expect(admit(move.right as unknown as Json)._tag).toBe('Right');
          if (move.right.t === 'done')
            expect(move.right.rests_on.every((n) => n < callsIn(of).length)).toBe(true);
        }
      }
    },
  );

  it('a step of which nothing is known is refused: no_history', async () => {
    const port = controlRulesPort({ evidence: () => NO_EVIDENCE, outputs: memoryOutputs() });
    for (const kind of ['step', 'judge']) {
      const [, body] = bodies('x').find(([of]) => of === kind) ?? [];
      const answer = await port.perform({ kind, body } as Request, {
        key: 'k',
        signal: new AbortController().signal,
      });
      expect(answer.failure).toMatchObject({ final: true, detail: { code: 'no_history' } });
    }
  });
});

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… ${text.length} units` : text);
}
