/** Whatever stands in a body: the rules answer or refuse with a code, and never raise. */
import { describe, expect, it } from 'vitest';
import { admit, type Json, type Request } from '@assay/kernel';
import { controlRulesPort, executorPort } from '../src/index.ts';
import type { StepCall } from '../src/executor/step-tools.js';
import { mergeByRules, perceiveByRules, planByRules } from '@assay/rules/tasks';
import { judgeByRules } from '@assay/controller/steps';

const MEGABYTE = 1_048_576;
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
  unit.repeat(MEGABYTE / unit.length),
);
const HOSTILE = [...LONE, ...ODD, ...LONG];
const SLOTS = [
  'create the file a.txt with the text "?"',
  'copy "?" to b.txt',
  'find the largest file containing the text "?" and write its name to "?"',
  'sum the column "?" in a.csv and write the sum to b.md',
];

const tools = ['find_files', 'read_file', 'write_file', 'move_file', 'remove_file', 'shell'].map(
  (name) => ({ name, class: 'read', reversible: true, available: true }) as const,
);
const planBody = (text: string, intent: string): Json => ({
  round: 0,
  task: { label: text, intent, constraints: { scope: null, deadline_us: null } },
  text,
  directive: null,
  must_not: { tools: [], targets: [], rules: [text] },
  prefer: { tools: [], practices: [text] },
  caution: [],
  tools,
  limits: { subtasks: 8, criteria: 8 },
});
const look = (text: string): Json => ({ tool: 'read_file', inputs: [text] });
const checksOf = (text: string): readonly Json[] => [
  text,
  { is: 'ran', look: { tool: text, inputs: [] } },
  { is: 'claim', look: { tool: 'read_file', inputs: [] }, do: [['lines'], [text, text]], part: true },
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
  checksOf(text).map((check, index) => ({ id: `c${index}`, text, mode: 'verifiable', hard: true, check }));
const linesOf = (text: string): readonly string[] => [
  text,
  `read_file: a → ${text}`,
  `write_file: ${text} → wrote ${text}: 1 bytes, sha256 ${'a'.repeat(64)}\n`,
  `read_file: ${text} → ${text}`,
];
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
      subtask: 's',
      intent: text,
      criteria: criteriaOf(text),
      attempt: 0,
      claim: text,
      tool_calls: linesOf(text),
    },
  ],
  [
    'merge',
    { intent: text, criteria: criteriaOf(text), outcomes: [{ subtask: 's', intent: text, output: text }] },
  ],
  [text, text],
];

describe('the rules, whatever stands in a body', () => {
  it.each(HOSTILE.map((text) => [shown(text), text]))('%s', async (_, text) => {
    for (const [kind, body] of bodies(text)) {
      const answer = await controlRulesPort.perform(
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
        judgeByRules({
          subtask: 's',
          intent: text,
          criteria: criteriaOf(text),
          attempt: 0,
          claim: text,
          tool_calls: linesOf(text),
        } as never).verdicts,
      ).toHaveLength(checksOf(text).length);
      expect(
        mergeByRules({
          intent: text,
          criteria: criteriaOf(text),
          outcomes: [{ subtask: 's', intent: text, output: text }],
        } as never).summary,
      ).toBe(text);
    },
  );
});

describe('the executor, whatever stands in a program', () => {
  const made: StepCall = {
    tool: 'read_file',
    input: 'a',
    output: 'a',
    status: 'ok',
    output_bytes: 1,
    digest: null,
    irreversible: false,
  };
  const port = executorPort({ run: () => Promise.resolve(made) });
  const program = (operation: Json, input: Json): string =>
    JSON.stringify({
      format: 'assay/steps/1',
      tries: [[{ id: 'a', tool: 'read_file', input, may_fail: false, if_any: null }]],
      output: { from: 'a', do: [operation] },
    });

  it.each(HOSTILE.map((text) => [shown(text), text]))('%s', async (_, text) => {
    for (const context of [
      text,
      program([text], { path: text }),
      program(['join', text], text),
      program(['lines'], JSON.parse('{"__proto__":{"path":"a"}}') as Json),
      program(['__proto__', 1], text),
    ]) {
      const body = {
        subtask: 's',
        intent: text,
        context,
        criteria: [],
        uses: [{ tool: 'read_file', target: '*' }],
        attempt: 0,
        correction: null,
        prior: [{ subtask: 's', output: text }],
        must_not: { tools: [], targets: [] },
        confirmed: [],
      };
      const answer = await port.perform(
        { kind: 'execute', body } as unknown as Request,
        { key: 'k', signal: new AbortController().signal } as never,
      );
      if ('failure' in answer && answer.failure !== undefined)
        expect(answer.failure).toMatchObject({ code: 'denied', final: true });
      else
        expect(answer).toMatchObject({ value: { status: expect.stringMatching(/^(?:completed|failed)$/) } });
      if (text.isWellFormed())
        expect(admit('value' in answer ? (answer.value as Json) : null)._tag).toBe('Right');
    }
  });
});

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… ${text.length} units` : text);
}
