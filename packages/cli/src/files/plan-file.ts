/**
 * Plan files: JSON, YAML, or a file of PSPLIB or MMLIB.
 *
 * @module
 */
import { admit, isObject, OUTSIDE_LIMITS, type Json, type JsonObject } from '@assay/kernel';
import { parsePlan, readPsplib, type Plan, type PlanFault } from '@assay/planner/schedule';
import { misuse, type Stop } from '../problems/problem.js';
import { parseJson } from './json-file.js';
import { nameOf, readText } from './read.js';

const FORMAT = 'see docs/formats/plan.md';

/** A plan, and the value it was read from. */
export type ReadPlan = { readonly file: JsonObject; readonly plan: Plan };

/** A plan from a file. Raises `Stop`: `bad_plan` with the code and the element, and those of reading a file. */
export async function readPlan(path: string): Promise<ReadPlan> {
  const text = (await readText(path)).replace(/^\ufeff/, '');
  return readPlanValue(await valueIn(text, path), nameOf(path));
}

/** The same of a value at hand. */
export function readPlanValue(value: Json, place: string): ReadPlan {
  const plan = planOf(value, place);
  return { file: isObject(value) ? value : {}, plan };
}

/** A plan from a value. `place`: how messages name it. */
export function planOf(value: Json, place: string): Plan {
  const plan = parsePlan(value);
  if (plan._tag === 'Left') throw badPlan(plan.left, place);
  return plan.right;
}

function badPlan({ code, name, path, detail }: PlanFault, place: string): Stop {
  return misuse(
    'bad_plan',
    `${name}: ${code}${detail === '' ? '' : ` (${detail})`}${path === '' ? '' : ` at ${path}`}`,
    place,
    FORMAT,
  );
}

async function valueIn(text: string, path: string): Promise<Json> {
  if (/^PRECEDENCE RELATIONS/m.test(text)) {
    const read = readPsplib(text);
    if (read._tag === 'Right') return read.right.plan;
    const { code, line, wanted } = read.left;
    throw misuse('bad_plan', `${code}: line ${line} is not ${wanted}`, nameOf(path), FORMAT);
  }
  if (/^\s*[{[]/.test(text)) return parseJson(text, nameOf(path));
  const { yamlPlan } = await import('@assay/rules/plans');
  const read = yamlPlan(text);
  if (read._tag === 'Left') {
    const { code, line, detail } = read.left;
    throw misuse(
      'bad_plan',
      `YAML: ${code}${detail === '' ? '' : ` (${detail})`} in line ${line}`,
      nameOf(path),
      FORMAT,
    );
  }
  const admitted = admit(read.right, OUTSIDE_LIMITS);
  if (admitted._tag === 'Right') return admitted.right.value;
  throw misuse(
    'bad_plan',
    `invalid value: ${admitted.left.code} at ${admitted.left.path}`,
    nameOf(path),
    FORMAT,
  );
}
