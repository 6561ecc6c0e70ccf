/**
 * A plan file as a goal for the planner: what it holds itself to becomes constraints, and its tasks with all
 * their approaches answer the request for them. YAML 1.2 (core schema) as JSON, one document: no aliases, no
 * tags, no key twice, no number that would be rounded. Source: dec-K72; dec-K87.
 */
import { field, isArray, isObject, type Json, type JsonObject, err, ok, type Result } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import type { ConstraintDraft } from '../../index.js';
import { DAY_HOURS } from '../../plan/plan.js';
import type { Held, Plan } from '../../schedule/index.js';
import { Composer, isMap, isScalar, isSeq, Lexer, Parser, type CST, type Document, type Node } from 'yaml';

/** A plan file as what a run is asked, and as what answers it. */
export type PlanGoal = { readonly constraints: readonly ConstraintDraft[]; readonly split: JsonObject };

/** Reads a plan file that parses to this plan. Bounds are those of the plan, so that other caps count. */
export function planGoal(file: JsonObject, plan: Plan): PlanGoal {
  const { rows, deadline, metrics, couplings, tasks } = plan;
  const name = (at: number): string => tasks[at]?.id ?? '';
  const defaults = new Map(listObjects(file['rows']).map((row) => [row['id'], row['default']] as const));
  const cap = (row: Held): ConstraintDraft => {
    const otherwise = defaults.get(row.id);
    return constraint(row, 'cost', {
      t: 'cap',
      ...bounded(row),
      unit: row.unit,
      otherwise: typeof otherwise === 'number' ? otherwise : null,
    });
  };
  const figure = (held: Held): ConstraintDraft =>
    constraint(held, 'quality', { t: 'figure', ...bounded(held), unit: held.unit });
  return {
    constraints: [
      ...rows.map(cap),
      ...(deadline === null
        ? []
        : [constraint(deadline, 'schedule', { t: 'deadline', ...bounded(deadline) })]),
      ...[...metrics, ...couplings].map(figure),
    ],
    split: {
      tasks: listObjects(file['tasks']),
      ...(plan.renewable.length === 0 ? {} : { renewable: Object.fromEntries(plan.renewable) }),
      carries: [],
      needs: [],
      ...(plan.start === null ? {} : { start: plan.start }),
      ...(plan.hoursPerDay === DAY_HOURS ? {} : { hours_per_day: plan.hoursPerDay }),
      measures: metrics.map(({ id, task }) => [id, name(task)]),
      couples: listObjects(file['couplings']).map((each) => ({
        constraint: each['id'] ?? '',
        tasks: each['tasks'] ?? [],
        values: each['values'] ?? [],
      })),
      questions: [],
    },
  };
}

/**
 * What a plan answers: `resolve` of the goal with its tasks, `survey` with nothing more, and where others
 * would judge, all that is there in the order in which it is there; no contradiction. Null for what it knows
 * nothing of.
 */
export function planAnswer(kind: string, body: Json, split: JsonObject): Json | null {
  const given = isObject(body) ? body : {};
  switch (kind) {
    case 'resolve':
      return field(given, 'node') === 'goal' ? split : null;
    case 'survey':
      return { approaches: [], figures: [], values: [] };
    case 'identify':
      return { apply: listIds(given['candidates']), constraints: [] };
    case 'select':
      return { selected: listIds(given['candidates']) };
    case 'route':
      return { steps: listIds(given['candidates']).slice(0, 1) };
    case 'rank':
      return { order: (isArray(given['repairs']) ? given['repairs'] : []).map((_, place) => place) };
    case 'consistency':
      return { conflicts: [] };
    default:
      return null;
  }
}

type Bounded = Pick<Extract<ConstraintDraft['payload'], { readonly t: 'figure' }>, 'op' | 'bound' | 'margin'>;

function bounded({ op, bound, margin }: Held): Bounded {
  return { op, bound, margin };
}

function constraint(
  { id, isHard }: Held,
  domain: string,
  payload: ConstraintDraft['payload'],
): ConstraintDraft {
  const scope = payload.t === 'figure' ? 'local' : 'aggregate';
  return { id, type: 'logic', domain, title: id, scope, hard: isHard, removal: null, payload };
}

function listIds(value: Json | undefined): readonly string[] {
  return listObjects(value).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** Why a text is not taken, and the line (from 1). `detail`: the limit, the key, or what the parser calls it. */
export type YamlFault = {
  readonly code: 'syntax' | 'too_large' | 'too_deep' | 'documents' | 'alias' | 'tag' | 'key' | 'number';
  readonly line: number;
  readonly detail: string;
};

const UNITS_MAX = 4_194_304;
/** Levels of nesting; the composer calls itself for each. */
const DEPTH_MAX = 32;

/** Reads a text as one value. Linear in its length. */
export function yamlPlan(text: string): Result<YamlFault, Json> {
  if (text.length > UNITS_MAX) return err({ code: 'too_large', line: 1, detail: String(UNITS_MAX) });
  const fault = (code: YamlFault['code'], at: number, detail: string): Result<YamlFault, never> =>
    err({ code, line: text.slice(0, at).split('\n').length, detail });
  const tokens = splitTokens(text);
  if (typeof tokens === 'number') return fault('too_deep', tokens, String(DEPTH_MAX));
  // Keys are compared below: the composer would compare each with each.
  const options = { version: '1.2', schema: 'core', intAsBigInt: true, uniqueKeys: false } as const;
  const documents: readonly Document.Parsed[] = [
    ...new Composer({ ...options, stringKeys: true, logLevel: 'silent' }).compose(tokens),
  ];
  const [document, second] = documents;
  if (document === undefined || second !== undefined)
    return fault('documents', second?.range[0] ?? 0, String(documents.length));
  const tagged = document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
  if (tagged !== undefined) return fault('tag', tagged.pos[0], '');
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) return fault('syntax', wrong.pos[0], wrong.code);
  const found: Found[] = [];
  const value = readNode(document.contents, found);
  const [first] = found;
  return first === undefined ? ok(value) : fault(first.code, first.at, first.detail);
}

/** The tokens of a text, or where they are nested too deep. */
function splitTokens(text: string): readonly CST.Token[] | number {
  const parser = new Parser();
  const { stack: open } = parser;
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (open.length > DEPTH_MAX) return parser.offset;
  }
  return [...tokens, ...parser.end()];
}

type Found = { readonly code: YamlFault['code']; readonly at: number; readonly detail: string };

function readNode(node: Node | null, found: Found[]): Json {
  const at = node?.range?.[0] ?? 0;
  const wrong = (code: YamlFault['code'], detail: string): Json => {
    found.push({ code, at, detail });
    return null;
  };
  if (node === null) return null;
  if (node.tag !== undefined) return wrong('tag', node.tag);
  if (isSeq<Node>(node)) return node.items.map((item) => readNode(item, found));
  if (isMap<Node, Node | null>(node)) {
    const keys = new Set<string>();
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : '';
        if (keys.has(name) || !isScalar(key)) wrong('key', name);
        if (isScalar(key) && key.tag !== undefined) wrong('tag', key.tag);
        keys.add(name);
        return [name, readNode(value, found)] as const;
      }),
    );
  }
  if (!isScalar(node)) return wrong('alias', '');
  const { value } = node;
  if (typeof value === 'bigint' || typeof value === 'number') {
    const number = Number(value);
    return Number.isFinite(number) && (typeof value === 'number' || BigInt(number) === value)
      ? number
      : wrong('number', String(value));
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
