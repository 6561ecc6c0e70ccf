/**
 * The person of a plan: asked for money, tools and contradictions, and with `--proposer human` for the constraints
 * of the goal and whether a plan keeps to them. Source: 000 §1 Steps 1 and 11; dec-K31, dec-K66.
 *
 * @module
 */
import { Later, type Dialogue, type Port } from '@assay/host';
import { field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { countDecimals } from '@assay/kernel/intent';
import { misuse, Stop, badValue } from '../../problems/problem.js';
import type { Shell } from '../../start/kit.js';
import { amountIn, boundDraft, capIn, spellAmount } from './goal.js';
import { readChecks } from './policy.js';

/** The person as a port: source `human`. `commands` takes what they name. The dialogue's end puts the answer off. */
export function planPerson(person: Dialogue, commands: Map<string, readonly string[]>): Port {
  return {
    source: 'human',
    proposer: 'human',
    perform: async ({ kind, body }) => {
      const asked = isObject(body) ? body : {};
      if (kind === 'hire') return { value: await hired(person, asked, commands) };
      if (kind === 'verify') return { value: await judged(person, asked) };
      return { value: await extracted(person, asked) };
    },
  };
}

/** A line of the person; without one the question stays open. */
async function typed(person: Dialogue, prompt: string): Promise<string> {
  const line = await person.ask(prompt);
  if (line === null) throw new Later();
  return line.trim();
}

/** What a person is asked for, in a line. */
export function hireText(body: JsonObject): string {
  const goal = renderText(body['goal']);
  if (body['reason'] !== 'over_budget') {
    const why = failedIn(body).map((each) => `${each}; `);
    return `${why.join('')}no tool is left that does ${renderText(body['capability'])}, for: ${goal}`;
  }
  const short = isObject(body['short']) ? body['short'] : {};
  const missing = Object.entries(short).map(([unit, amount]) => `${JSON.stringify(amount)} ${unit}`);
  return `the budget is ${missing.length === 0 ? 'used up' : `${missing.join(', ')} short`}, for: ${goal}`;
}

/** What the last try failed by: checks that were declared by their names, with how each ended. */
function failedIn(body: JsonObject): readonly string[] {
  const constraints = listObjects(body['constraints']);
  return listObjects(listObjects(body['tried']).at(-1)?.['failed']).map((failed) => {
    const id = renderText(failed['constraint']);
    const held = constraints.find((each) => each['id'] === id);
    const [how = ''] = renderText(failed['detail']).split('\n');
    return fieldText(held?.['payload'] ?? null, 't') === 'check'
      ? `the check ${fieldText(held?.['payload'] ?? null, 'name')} failed: ${how}`
      : `${renderText(held?.['title']) || id} does not hold: ${how}`;
  });
}

const WORDS_MAX = 4_000;

/** What a task was to come to, as it may be typed: a part for each row, and one for the time. */
function estimatesIn({ rows, minutes = null }: JsonObject): readonly string[] {
  const parts = listObjects(rows).map(
    ({ id, unit, estimate }) => `${renderText(id)} ${spellAmount(midOf(estimate), renderText(unit))}`,
  );
  return minutes === null ? parts : [...parts, spellAmount(midOf(minutes), 'minutes')];
}

/** What a person may type: all as it was estimated. */
export function doneLine(body: JsonObject): readonly string[] {
  return [fieldText(body, 'task'), estimatesIn(body).join(', ') || 'as estimated'];
}

function midOf(estimate: Json | undefined): number {
  return isArray(estimate) ? Number(estimate[1]) : 0;
}

const NOTE = '(?:: *(?<note>.+))?';

/** What a person says that a task came to. */
const DONE: NonNullable<Shell['answers']>[string] = {
  asks: (body) => `${fieldText(body, 'task')} is to be done: ${fieldText(body, 'goal')}`,
  named: (body) => fieldText(body, 'task'),
  line: doneLine,
  shows: (body) => ({
    approach: fieldText(body['approach'] ?? null, 'id'),
    estimated: estimatesIn(body),
  }),
  absent: sayAbsent,
  words: [
    {
      usage: 'as estimated',
      form: new RegExp(`^(?:as estimated|done)${NOTE}$`, 'is'),
      value: ({ note = '' }, { rows, minutes }) => ({
        amounts: listObjects(rows).map(({ id, estimate }) => [id ?? '', midOf(estimate)]),
        minutes: minutes === null ? null : midOf(minutes),
        note: note.slice(0, WORDS_MAX),
      }),
    },
    {
      usage: 'ROW AMOUNT, and how long it took, such as "cost 7000 EUR, 5 hours"; the rest is as estimated',
      form: new RegExp(`^(?<said>[^{[:][^:]*)${NOTE}$`, 's'),
      value: ({ said = '', note = '' }, { rows }, state) => ({
        ...takeAmounts(said, listObjects(rows), hoursIn(state)),
        note: note.slice(0, WORDS_MAX),
      }),
    },
  ],
};

/** Amounts by row and a duration, apart by commas. Raises `Stop`. */
function takeAmounts(
  said: string,
  rows: readonly JsonObject[],
  hours: number,
): { readonly amounts: Json; readonly minutes: Json } {
  const amounts = new Map<string, number>();
  let minutes: number | null = null;
  for (const part of said
    .replaceAll(/(?<=\d ?(?:days?|hours?|[dh])) and (?=\d)/g, ' ')
    .split(/,\s+|;\s*|\s+and\s+/)) {
    const amount = part.trim();
    const [, typed = '', text = amount] = /^([A-Za-z][A-Za-z0-9_-]*)[\s=]+(\S.*)$/.exec(amount) ?? [];
    const name = typed === '' ? rowOfMoney(amount, rows) : typed;
    const isTwice = name === '' ? minutes !== null : amounts.has(name);
    if (isTwice) throw badValue('this is said twice; nothing was recorded', part, 'say each once');
    if (/^[\d.,]+$/.test(amount))
      throw badValue(
        'an amount has a unit; nothing was recorded',
        part,
        'write a time such as 5 hours, or a row and its amount such as cost 7000 EUR',
      );
    if (name === '') {
      minutes = amountIn(amount, 'minutes', 'how long it took', hours);
      continue;
    }
    const row = rows.find(({ id }) => id === name);
    if (row === undefined)
      throw misuse(
        'unknown_row',
        `this plan has no row ${name}; nothing was recorded`,
        part,
        rows.length === 0
          ? 'it has no rows'
          : `its rows are ${rows.map(({ id }) => renderText(id)).join(', ')}`,
      );
    amounts.set(name, amountIn(text, renderText(row['unit']), name, hours));
  }
  return { amounts: [...amounts], minutes };
}

/** The row that money without a name is of: the only one that counts money; none of what is no money. */
function rowOfMoney(amount: string, rows: readonly JsonObject[]): string {
  const isMoney = (text: string): boolean => {
    const [, code = ''] = /(?<![a-z])([a-z]{3})(?: cents)?$/i.exec(text) ?? [];
    return /[€$£¥]/.test(text) || countDecimals(code.toUpperCase()) !== null;
  };
  const found = isMoney(amount) ? rows.filter(({ unit }) => isMoney(renderText(unit))) : [];
  return found.length === 1 ? renderText(found[0]?.['id']) : '';
}

/** Hours of a day of the plans in a state. */
function hoursIn(state: Json): number {
  const plans = isObject(state) && isArray(state['plans']) ? state['plans'] : [];
  const [hours = 24] = plans
    .flatMap((pair) => (isArray(pair) ? listObjects([pair[1] ?? null]) : []))
    .flatMap(({ file }) => listObjects([file ?? null]))
    .flatMap(({ hours_per_day: each }) => (typeof each === 'number' ? [each] : []));
  return hours;
}

/** Why a task is not asked for: it is done, it waits for others, or it is no longer planned. */
function sayAbsent(name: string, state: Json): string | null {
  const nodes = isObject(state) && isArray(state['nodes']) ? state['nodes'] : [];
  const found = nodes.flatMap((pair) =>
    isArray(pair) && isObject(pair[1] ?? null) ? [pair[1] as JsonObject] : [],
  );
  const node = found.findLast(({ task }) => task === name);
  if (node === undefined) return null;
  if (node['status'] === 'resolved') return `${name} is done already: each task is answered once`;
  const before = found.filter(
    ({ dependents, status }) =>
      status !== 'resolved' && isArray(dependents) && dependents.includes(node['key'] ?? ''),
  );
  return before.length === 0
    ? `${name} is not open: it is ${renderText(node['status']).replaceAll('_', ' ')}`
    : `${name} is not open: it waits for ${before.map(({ task }) => renderText(task)).join(', ')}`;
}

/** What a person says of a plan that stands still. */
export const PLAN_ANSWERS: NonNullable<Shell['answers']> = {
  done: DONE,
  hire: {
    asks: hireText,
    words: [
      {
        usage: 'more (as much as is missing), or more: UNIT AMOUNT',
        form: /^more(?:: *(?<grants>[A-Za-z0-9_-]+ \d{1,15}(?:, *[A-Za-z0-9_-]+ \d{1,15})*))?$/i,
        value: ({ grants }, { short }) => ({
          kind: 'increase_budget',
          grants:
            grants === undefined
              ? (short ?? {})
              : Object.fromEntries(
                  grants.split(/, */).map((one) => {
                    const [unit = '', amount = ''] = one.split(' ');
                    return [unit, Number(amount)];
                  }),
                ),
        }),
      },
      {
        usage: 'command NAME: PROGRAM AND WORDS, run in the workspace without a shell',
        form: /^command +(?<name>[A-Za-z0-9][A-Za-z0-9_-]{0,63}): *(?<words>\S.*)$/is,
        value: ({ name = '', words = '' }) => {
          const [{ command } = { command: [] }] = readChecks([`${name}=${words}`]);
          return { kind: 'command', name, command };
        },
      },
      {
        usage: 'I do it',
        form: /^(?:I|we)(?: do(?: it)?)?$/i,
        value: () => ({ kind: 'person' }),
      },
      {
        usage: 'no: REASON',
        form: /^no?(?:: *(?<why>.*))?$/is,
        value: ({ why = '' }) => ({ kind: 'decline', why: why.slice(0, WORDS_MAX) }),
      },
    ],
  },
};

/** A line of the person that is an answer to the request. */
async function hired(
  person: Dialogue,
  body: JsonObject,
  commands: Map<string, readonly string[]>,
): Promise<Json> {
  const { words = [] } = PLAN_ANSWERS['hire'] ?? {};
  person.say(hireText(body));
  for (;;) {
    const line = await typed(person, words.map(({ usage }) => usage).join(' · '));
    for (const { form, value } of words) {
      const said = form.exec(line);
      const answer = said === null ? null : told(person, () => value(said.groups ?? {}, body, null));
      if (!isObject(answer)) continue;
      const { name, command } = answer;
      if (isArray(command)) commands.set(renderText(name), command as readonly string[]);
      return answer;
    }
  }
}

async function judged(person: Dialogue, body: JsonObject): Promise<Json> {
  person.say(`The plan: ${listObjects(body['tasks']).map(taskText).join(', ')}`);
  const checks: Json[] = [];
  for (const constraint of listObjects(body['constraints'])) {
    person.say(`  ${renderText(constraint['title'])}`);
    const passed = /^y(?:es)?$/i.test(await typed(person, 'does the plan keep to it? yes or no'));
    checks.push({
      constraint: renderText(constraint['id']),
      passed,
      sigma_ppm: passed ? SURE : 0,
      detail: 'a person was asked',
      repair: null,
    });
  }
  return { verdict: null, checks };
}

const SURE = 1_000_000;

async function extracted(person: Dialogue, body: JsonObject): Promise<Json> {
  const conflicts = isArray(body['conflicts']) ? body['conflicts'] : [];
  const known = listObjects(body['constraints']);
  const drop: string[] = [];
  if (conflicts.length > 0) person.say('These cannot hold together:');
  for (const each of known) person.say(`  ${renderText(each['id'])}: ${renderText(each['title'])}`);
  while (conflicts.length > 0 && drop.length === 0) {
    const named = (await typed(person, 'which are not to hold? their names')).split(/[\s,]+/);
    drop.push(...named.filter((name) => known.some(({ id }) => id === name)));
  }
  const constraints: Json[] = [];
  for (;;) {
    const line = await typed(
      person,
      'a constraint, such as cost<500usd, deadline<=24h or a sentence; nothing ends',
    );
    if (line === '') return { constraints, drop, questions: [] };
    const draft = await drafted(person, line, `said-${constraints.length + 1}`);
    if (draft !== null) constraints.push(draft);
  }
}

/** What a line comes to; null where it is none, which the person is told. */
function told<T>(person: Dialogue, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    person.say(`${error.problem.message}; ${error.problem.remedy}`);
    return null;
  }
}

async function drafted(person: Dialogue, line: string, id: string): Promise<Json> {
  if (/^[A-Za-z0-9_-]+\s*[<=]/.test(line))
    return told(person, () => boundDraft(capIn(line)) as unknown as Json);
  const removal = await typed(person, 'what goes wrong without it? nothing if the goal says it');
  return {
    id,
    type: 'semantic',
    domain: 'goal',
    title: line.slice(0, WORDS_MAX),
    scope: 'local',
    hard: true,
    removal: removal === '' ? null : removal.slice(0, WORDS_MAX),
    payload: { t: 'rubric', text: line.slice(0, WORDS_MAX) },
  };
}

function taskText(task: JsonObject): string {
  return `${renderText(task['id'])} (${renderText(task['approach'])})`;
}

function renderText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listObjects(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

/** A field of a body as text; a body is what the machine wrote. */
export function fieldText(body: Json, key: string): string {
  return isObject(body) ? renderText(field(body, key)) : '';
}
