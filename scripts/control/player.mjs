/**
 * A scripted model in every role: it reads what it is sent, as a model does, and answers by a script for each
 * task. A judge passes a criterion by the calls that the claim rests on, where each of them ended well.
 *
 * @module
 */
import { callsIn, moveOf } from './moves.mjs';

const ROLES = {
  perceive: 'You read what a user wants',
  plan: 'You plan how',
  step: 'You do one sub-task',
  judge: 'You judge whether the criteria of a sub-task',
  merge: 'You put the outputs',
};

/** The script of a server. `scripts`: by the user's words, what the executor does. */
export function playing(scripts) {
  return (_, { body }) => {
    const role = roleIn(body);
    return makeStep(
      role,
      dataIn(body),
      scripts,
      (body.tools ?? []).map((tool) => tool.name ?? tool.function.name),
    );
  };
}

/** Which role a call speaks to, by its instructions. */
export function roleIn(body) {
  const text = instructionsIn(body);
  const role = Object.keys(ROLES).find((one) => text.startsWith(ROLES[one]));
  if (role === undefined) throw new Error(`no role begins like ${text.slice(0, 40)}`);
  return role;
}

/** The instructions of a call. */
export function instructionsIn(body) {
  return textIn(
    body.system ??
      messagesIn(body).find(({ role }) => role === 'system' || role === 'developer')?.content ??
      '',
  );
}

/** The data of a call, between its marks: JSON, or a text. */
export function dataIn(body) {
  const text = textIn(messagesIn(body).find(({ role }) => role === 'user')?.content ?? '');
  const [, , data] = /^BEGIN ([0-9a-f]{16})\n([^]*)\nEND \1$/.exec(text);
  return data.startsWith('{') ? JSON.parse(data) : data;
}

function makeStep(role, data, scripts, tools) {
  switch (role) {
    case 'perceive':
      return said({
        task: { label: 'task', intent: data.text, scope: null, deadline: null, refers_to: null },
        why: null,
      });
    case 'plan':
      return said(planFor(data));
    case 'step':
      return moved(scripts, data, tools);
    case 'judge':
      return said(judgementOf(data));
    default:
      return said(mergeOf(data));
  }
}

function said(answer) {
  return { text: JSON.stringify(answer) };
}

/** One sub-task with every tool: the script knows what to do. */
function planFor({ text, tools, keep }) {
  const criteria = [{ text: `done as it was said: ${text.slice(0, 200)}`, mode: 'verifiable', hard: true }];
  const kept = keep.map((one) => ({ text: one.text, mode: 'verifiable', hard: true }));
  return {
    plan: {
      follows: [],
      task_criteria: kept,
      subtasks: [
        {
          label: 'all',
          sequence: 1,
          intent: text,
          context: '',
          tools: tools.map(({ name }) => name),
          words: false,
          criteria,
        },
      ],
    },
    why: null,
  };
}

/** The executor's move; where it has no tools, as JSON. */
function moved(scripts, data, tools) {
  const transcript = typeof data === 'string' ? data : data.data;
  const intent = /^TASK\n([^]*?)\n\n/.exec(transcript)[1];
  const calls = moveOf(scripts.get(intent), transcript);
  return tools.length > 0 ? { calls } : said({ why: '', calls });
}

function judgementOf({ criteria, rests_on, calls }) {
  const shown = callsIn(`UNTIL NOW\n${calls}\n\nCALLS LEFT\n0`);
  // A call that is shown in one line alone is not read here.
  const failed = shown.filter(
    ({ n, tool, status }) => rests_on.includes(n) && status !== 'ok' && tool !== 'read_file',
  );
  const isPassed = rests_on.length > 0 && failed.length === 0;
  return {
    verdicts: criteria.map(({ id }) => ({
      criterion: id,
      verdict: isPassed ? 'pass' : 'fail',
      calls: isPassed ? rests_on : failed.map(({ n }) => n),
      failure_class: isPassed ? null : 'environmental',
      why: isPassed ? 'the calls show it' : 'a call did not end well',
    })),
    what_was_wrong: isPassed ? null : 'a call did not end well',
    what_to_do: isPassed ? null : 'take another way',
  };
}

function mergeOf({ criteria, outcomes }) {
  const last = outcomes.at(-1);
  return {
    merged_output: last.output,
    summary: last.output,
    verdicts: criteria.map(({ id }) => ({
      criterion: id,
      verdict: 'pass',
      subtask: last.subtask,
      failure_class: null,
      why: null,
    })),
  };
}

function messagesIn(body) {
  return body.messages ?? body.input ?? [];
}

function textIn(content) {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}
