/**
 * Four plans of software goals, by a size and a rate. No English is read; the figures are rules of thumb for
 * one person, to be changed. Source: dec-K87.
 */
import { err, ok, type Json, type Result } from '@assay/kernel';
import { NO_CAP } from '../../plan/plan.js';

/**
 * The templates: a goal, then a task a line: kind, id, title, the tasks before it, minutes of the whole and of each of
 * SIZE things, confidence in percent. `-`: another way: id, method, percent of the minutes, confidence.
 */
const TABLES = {
  cli: `
a command line tool with SIZE commands
research | scope | agree on commands, options and exit codes | | 30 60 120 | 5 10 20 | 70
build | options | read options and print help | scope | 60 120 240 | 5 10 20 | 70
- published | a published parser of options | 40 | 80
build | commands | write what each command does | scope | 30 60 120 | 60 120 240 | 50
- libraries | existing libraries behind each command | 60 | 40
${makeEnding('options commands', 'command')}`,
  'web-service': `
a web service with SIZE endpoints
research | contract | agree on requests, answers and errors | | 60 120 240 | 10 15 30 | 70
build | storage | design and write the storage | contract | 120 240 480 | 10 20 40 | 60
- hosted | a hosted database with its own interface | 50 | 60
build | endpoints | write the endpoints | contract | 60 120 240 | 45 90 180 | 50
- generated | handlers generated from the contract | 60 | 45
build | access | sign in, rights and limits | contract | 120 240 480 | 0 0 0 | 50
- provider | an identity provider | 40 | 65
build | operation | deploy, watch and restore | storage endpoints access | 120 240 480 | 0 0 0 | 50
- platform | a managed platform | 50 | 60
${makeEnding('operation', 'endpoint')}`,
  library: `
a library with SIZE functions
research | interface | agree on names, types and errors | | 60 120 240 | 5 10 20 | 70
build | functions | write the functions | interface | 0 0 0 | 45 90 180 | 60
- wrapped | wrap an existing library | 50 | 45
build | packaging | build, types and package | interface | 60 120 240 | 0 0 0 | 70
- template | a package template | 40 | 70
${makeEnding('functions packaging', 'function')}`,
  'data-pipeline': `
a data pipeline from SIZE sources
research | sources | look at the sources and their faults | | 60 120 240 | 30 60 120 | 50
build | schema | agree on the schema that comes out | sources | 60 120 240 | 10 15 30 | 60
build | readers | read each source | schema | 30 60 120 | 60 120 240 | 50
- connectors | published connectors | 40 | 50
build | steps | clean, join and store | schema | 120 240 480 | 30 60 120 | 40
- queries | queries inside the database | 60 | 50
build | schedule | run it on a schedule and report what fails | readers steps | 60 120 240 | 0 0 0 | 60
- scheduler | a hosted scheduler | 50 | 65
${makeEnding('schedule', 'source')}`,
};

/** Tests, a manual and a release, as every template ends. The last one waits for all. */
function makeEnding(built: string, thing: string): string {
  return `evaluation | tests | test each ${thing} | ${built} | 30 60 120 | 15 30 60 | 60
- examples | examples of the main paths only | 50 | 45
- properties | properties over generated inputs | 80 | 50
build | manual | describe each ${thing} | ${built} | 30 60 90 | 5 10 20 | 80
- generated | reference generated from the code | 40 | 60
evaluation | release | release it and try it on a clean machine | tests manual | 30 60 120 | 0 0 0 | 70`;
}

/** The names of the templates. */
export const TEMPLATES: readonly string[] = Object.freeze(Object.keys(TABLES));

/**
 * What a template is filled with. `size`: how many commands, endpoints, functions or sources; `people`: how many work
 * at a time, one at a task; `rate`: what an hour costs, in the `unit` of the row `cost`, which is empty where there is
 * no such row; `cap` and `deadline`: what the plan is held against, if anything.
 */
export type TemplateParameters = {
  readonly size: number;
  readonly people: number;
  readonly rate: number;
  readonly unit: string;
  readonly cap: { readonly op: '<' | '<='; readonly amount: number } | null;
  readonly deadline: { readonly op: '<' | '<='; readonly minutes: number } | null;
};

/** Why there is no plan: the parameter, and its limits or the names there are. */
export type TemplateFault = {
  readonly code: 'unknown_template' | 'out_of_range';
  readonly name: string;
  readonly detail: string;
};

const SIZE_MAX = 1_000;
const PEOPLE_MAX = 1_000;
const RATE_MAX = 1_000_000_000;
const HOUR = 60;
/** What a task needs of the people. */
const ONE = { people: 1 };
const PERCENT = 100;
const PPM_OF_PERCENT = 10_000;

/** The plan of a template, as a plan file has it. */
export function templatePlan(name: string, parameters: TemplateParameters): Result<TemplateFault, Json> {
  if (!Object.hasOwn(TABLES, name))
    return err({ code: 'unknown_template', name, detail: TEMPLATES.join(' ') });
  const { size, people, rate, unit, cap, deadline } = parameters;
  if (!isWithin(size, 1, SIZE_MAX))
    return err({ code: 'out_of_range', name: 'size', detail: `1 to ${SIZE_MAX}` });
  if (!isWithin(people, 1, PEOPLE_MAX))
    return err({ code: 'out_of_range', name: 'people', detail: `1 to ${PEOPLE_MAX}` });
  if (!isWithin(rate, 0, RATE_MAX))
    return err({ code: 'out_of_range', name: 'rate', detail: `0 to ${RATE_MAX}` });
  const [goal = '', ...tasks] = TABLES[name as keyof typeof TABLES].trim().split(/\n(?!- )/);
  const cost = (minutes: readonly number[]): object =>
    unit === '' ? {} : { amounts: { cost: minutes.map((each) => Math.ceil((each * rate) / HOUR)) } };
  return ok({
    plan: 1,
    goal: goal.replace('SIZE', String(size)),
    ...(unit === ''
      ? {}
      : { rows: [{ id: 'cost', unit, ...(cap === null ? NO_CAP : { op: cap.op, cap: cap.amount }) }] }),
    ...(deadline === null ? {} : { deadline: { op: deadline.op, minutes: deadline.minutes } }),
    renewable: { people },
    tasks: tasks.map((lines) => makeTask(lines, size, cost)),
  } as Json);
}

function makeTask(lines: string, size: number, cost: (minutes: readonly number[]) => object): object {
  const [own = [], ...others] = lines.split('\n- ').map((line) => line.split('|').map((cell) => cell.trim()));
  const [kind, id, title, after = '', once = '', each = '', confidence] = own;
  const more = readMinutes(each);
  const minutes = readMinutes(once).map((time, end) => time + size * (more[end] ?? 0));
  return {
    ...{ id, title, kind, after: after === '' ? [] : after.split(' '), minutes },
    ...{ confidence: Number(confidence) * PPM_OF_PERCENT, ...cost(minutes), uses: ONE },
    alternatives: others.map(([name, method, percent, sure]) => {
      const less = minutes.map((time) => Math.ceil((time * Number(percent)) / PERCENT));
      const figures = { minutes: less, confidence: Number(sure) * PPM_OF_PERCENT, ...cost(less) };
      return { id: name, method, ...figures, uses: ONE };
    }),
  };
}

function readMinutes(cell: string): readonly number[] {
  return cell.split(' ').map(Number);
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
