/** Whatever stands in a body: the rules answer or refuse with a code, and never raise. */
import { describe, expect, it } from 'vitest';
import { admit, type Json, type Request } from '@assay/kernel';
import { callsIn, NO_EVIDENCE, type Evidence, type SubTaskEvidence } from '@assay/controller/evidence';
import { memoryOutputs } from '../../src/shell/index.ts';
import { mergeByRules, perceiveByRules, planByRules } from '@assay/rules/tasks';
import { judgeByRules, stepByRules } from '@assay/controller/steps';
import { controlRulesPort } from '@assay/proposers/task-rules';
import { nativeSha256 } from '@assay/host';
import { called, evidenceOf } from '../lib/evidence.ts';

const UNITS = 131_072;
const LONE = [
  '\ud800',
  'a\udc00b',
  "copy '\ud800' to b.txt",
  'create the file a.txt with the text "\ud800"',
  'search the web for \ud800',
  'no that is wrong, take "\ud800"',
  'find the largest file in the folder "\ud800" and write its name to x.md',
];
const ODD = [
  '',
  ' ',
  '\0',
  '\u0001\u001b[2J',
  '__proto__',
  'constructor',
  '"',
  '1e999',
  '{"format":"assay/steps/1","tries":[],"output":{}}',
  'read_file: a → b',
  'again',
];
const LONG = ['x', 'a ', '"', '*', '/', '../', '.', '. ', 'please ', '[', '{"a":'].map((unit) =>
  unit.repeat(UNITS / unit.length),
);
const HOSTILE = [...LONE, ...ODD, ...LONG];
const SLOTS = [
  'create the file a.txt with the text "?"',
  'copy "?" to b.txt',
  'find the largest file containing the text "?" and write its name to "?"',
  'sum the column "?" in a.csv and write the sum to b.md',
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
const look = (text: string): Json => ({ tool: 'read_file', input: { path: text } });
const checksOf = (text: string): readonly Json[] => [
  text,
  { is: 'ran', look: { tool: text, input: null } },
  { is: 'claim', look: { tool: 'read_file', input: null }, do: [['lines'], [text, text]] },
  { is: 'shown', look: look(text) },
  { is: 'stands', path: text, look: look(text), want: { text, looks: [], value: { from: text, do: [] } } },
  {
    is: 'stands',
    path: text,
    look: look(text),
    want: { text: null, looks: [{ id: text, look: look(text) }], value: { from: text, do: [[text]] } },
  },
  { is: 'there', look: look(text) },
  { is: 'present', at: 0 },
  { is: 'handed_on', from: 0, to: 0, do: [[text]] },
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
  [
    'perceive',
    {
      text: `wrong, "${text}"`,
      session: [{ input: 'create the file a.txt with the text "b"', summary: '' }],
    },
  ],
  ['perceive', { text: 'again', session: [{ input: text, summary: text }] }],
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
      expect([perceiveByRules({ text, session: [] }), said(text)]).toMatchObject([
        { left: { code: 'not_understood' } },
        { left: { code: 'not_understood' } },
      ]);
      expect(perceiveByRules({ text: 'again', session: [{ input: text, summary: '' }] })).toMatchObject({
        left: { code: 'no_such_turn' },
      });
      expect(
        judgeByRules({ criteria: criteriaOf(text), claim: text } as never, evidenceFor('a')).verdicts,
      ).toHaveLength(checksOf(text).length);
      expect(
        mergeByRules({
          intent: text,
          criteria: criteriaOf(text),
          outcomes: [{ subtask: '0.0', intent: text, output: text }],
        } as never).summary,
      ).toBe(text);
    },
  );
});

describe('the rules as executor, whatever stands in a program and whatever was called', () => {
  const program = (operation: Json, input: Json): string =>
    JSON.stringify({
      format: 'assay/steps/1',
      tries: [[{ id: 'a', tool: 'read_file', input, may_fail: false, if_any: null }]],
      output: { from: 'a', do: [operation] },
    });

  it.each(HOSTILE.filter((text) => text.isWellFormed()).map((text) => [shown(text), text]))(
    '%s',
    (_, text) => {
      for (const context of [
        text,
        program([text], { path: 'a' }),
        program(['join', text], text),
        program(['lines'], JSON.parse('{"__proto__":{"path":"a"}}') as Json),
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
