/**
 * From a plan in the notation to the controller's: steps, and the criteria that show that they did what they say; and
 * what came of it. Source: 003 §R1, §R2, §R4b; language/P1.
 */
import { cutText, err, ok, type Json, type Result } from '@assay/kernel';
import {
  EVIDENCE_MAX,
  type CriterionDraft,
  type Merge,
  type MergeBody,
  type PerceiveBody,
  type PlanBody,
  type PlanDraft,
  type TaskSpec,
  type TaskVerdict,
} from '@assay/controller';
import {
  canonicalText,
  parseCheck,
  renderText,
  STEPS_FORMAT,
  type CallStep,
  type Check,
  type Derivation,
  type Holds,
  type Operation,
  type Step,
} from '@assay/controller/steps';
import type { Search } from './forms.js';
import { readPlan, type Line, type Plan, type Value } from './read.js';

/** Why there is no task or no plan. */
export type NotDone = {
  readonly code: 'not_understood' | 'tool_unavailable' | 'no_way_left' | 'plan_failed';
  readonly detail: string;
};

/** The task of a plan. Words that are no plan are not guessed at. */
export function perceiveByRules({ text }: Pick<PerceiveBody, 'text'>): Result<NotDone, TaskSpec> {
  const plan = readPlan(text);
  if (plan._tag === 'Left') {
    const { code, line, said, fits } = plan.left;
    return err({ code, detail: `line ${line}, ${said === '' ? 'which is empty' : said}: ${fits}` });
  }
  const intent = cutText(plan.right.lines.map(({ says }) => says).join('; '), INTENT_UNITS);
  return ok({ label: 'plan', intent, constraints: { scope: null, deadline_us: null }, refers_to: null });
}

const INTENT_UNITS = 2_000;

/**
 * The plan of a task: one sub-task, which is carried out once. It is read from the user's words, or from the
 * intent where another perceiver wrote a plan there. Codes: `not_understood`; `tool_unavailable`, `no_way_left`
 * where a tool is not there or must not be used; `plan_failed` after the first round.
 */
export function planByRules({
  round,
  text,
  task,
  tools,
  must_not,
  limits,
}: Pick<PlanBody, 'round' | 'text' | 'task' | 'tools' | 'must_not' | 'limits'>): Result<NotDone, PlanDraft> {
  const own = readPlan(text);
  const plan = own._tag === 'Right' ? own : readPlan(task.intent);
  if (plan._tag === 'Left') return err({ code: 'not_understood', detail: plan.left.fits });
  if (round > 0) return err({ code: 'plan_failed', detail: 'a plan is carried out once' });
  const { steps, criteria, output, isAnswer } = new Building(plan.right).build();
  const used = [...new Set(steps.flatMap((step) => ('tool' in step ? [step.tool] : [])))];
  const absent = used.find((tool) => !tools.some(({ name }) => name === tool));
  if (absent !== undefined) return err({ code: 'tool_unavailable', detail: absent });
  const blocked = used.find((tool) => must_not.tools.includes(tool));
  if (blocked !== undefined) return err({ code: 'no_way_left', detail: `${blocked} must not be used` });
  if (criteria.length > limits.criteria)
    return err({
      code: 'no_way_left',
      detail: `${criteria.length} things to check, and ${limits.criteria} are allowed`,
    });
  return ok({
    follows: [],
    task_criteria: [
      criterion('the outcome is handed on', { is: 'present', as: isAnswer ? 'answer' : 'word' }),
    ],
    subtasks: [
      {
        label: 'plan',
        sequence: 1,
        intent: task.intent,
        context: canonicalText({
          format: STEPS_FORMAT,
          steps: steps.map((step) => ({ ...step })),
          output: { ...output },
        }),
        success_criteria: criteria,
        tools: used,
        words: false,
      },
    ],
  });
}

/** Judges that there is an outcome, and hands it on: the answer, or what the last call said. */
export function mergeByRules({ criteria, outcomes }: Pick<MergeBody, 'criteria' | 'outcomes'>): Merge {
  const output = outcomes[0]?.output ?? null;
  const checks = criteria.map(({ id, check }) => ({ id, check: parseCheck(check) }));
  const verdicts = checks.map(({ id, check }): TaskVerdict => {
    const isMet = check?.is === 'present' && output !== null;
    const evidence = cutText(output ?? 'nothing was handed on', EVIDENCE_MAX);
    return {
      criterion: id,
      verdict: isMet ? 'pass' : 'ambiguous',
      failure_class: isMet ? null : 'logical',
      evidence,
    };
  });
  const isAnswer = checks.some(({ check }) => check?.is === 'present' && check.as === 'answer');
  const said = cutText((output ?? '').trimEnd(), SUMMARY_UNITS);
  return { merged_output: output, summary: isAnswer ? `the answer is ${said}` : said, verdicts };
}

const SUMMARY_UNITS = 500;

function criterion(text: string, check: Check): CriterionDraft {
  return { text, mode: 'verifiable', hard: true, check: { ...check } };
}

/** What a name stands for. `searches`: the steps that found its files. */
type Named = { readonly value: Derivation; readonly searches: readonly CallStep[] };
type Built = {
  readonly steps: readonly Step[];
  readonly criteria: readonly CriterionDraft[];
  readonly output: Derivation;
  readonly isAnswer: boolean;
};

const NOTHING: Derivation = { from: 'empty', do: [] };
const ITEM = (...ops: readonly Operation[]): Json => ({ from: 'item', do: ops });

function then(
  { from, do: done }: Derivation,
  ...ops: readonly Operation[]
): Derivation & { readonly [key: string]: Json } {
  return { from, do: [...done, ...ops] };
}

class Building {
  private readonly steps: Step[] = [];
  private readonly criteria: CriterionDraft[] = [];
  private readonly named = new Map<string, Named>();
  private readonly plan: Plan;
  private readonly needsDigests: boolean;
  private answer: Derivation | null = null;
  private word: Derivation = NOTHING;

  constructor(plan: Plan) {
    this.plan = plan;
    this.needsDigests = plan.lines.some(
      (line) => 'ops' in line && line.ops.some(([name]) => name === 'same_content'),
    );
  }

  build(): Built {
    for (const line of this.plan.lines) this.add(line);
    if (this.answer !== null) this.check('the answer is what was found', { is: 'claim', value: this.answer });
    // What changes nothing has nothing to be judged by but what it hands on.
    else if (this.criteria.length === 0)
      this.check('what was found is handed on', { is: 'claim', value: this.word });
    const { steps, criteria } = this;
    return { steps, criteria, output: this.answer ?? this.word, isAnswer: this.answer !== null };
  }

  private check(text: string, check: Check): void {
    this.criteria.push(criterion(text, check));
  }

  private call(id: string, tool: string, input: Json, more: Partial<CallStep> = {}): CallStep {
    const step: CallStep = { id, tool, input, may_fail: false, if_any: null, each: null, ...more };
    this.steps.push(step);
    return step;
  }

  /** A look at what an effect left, and the effect's word. */
  private look(
    id: string,
    path: string,
    more: { readonly [key: string]: Json } = {},
    may_fail = false,
  ): string {
    return this.call(id, 'read_file', { path, ...more }, { may_fail }).id;
  }

  private add(line: Line): void {
    const n = line.line;
    switch (line.t) {
      case 'find':
        return this.name(line, this.find(line, n));
      case 'read': {
        const path = 'path' in line.from ? line.from.path : null;
        const paths = 'name' in line.from ? then(this.files(line.from.name).value, ['paths']) : null;
        const input: Json = paths === null ? { path } : { paths };
        const { id } = this.call(`r${n}`, 'read_file', input, { if_any: paths });
        return this.name(line, { value: { from: id, do: [] }, searches: [] });
      }
      case 'let': {
        const { from } = line;
        const own =
          typeof from === 'string'
            ? { value: then(NOTHING, ['add', from]), searches: [] }
            : this.files(from.name);
        return this.name(line, own);
      }
      case 'write':
      case 'append': {
        const content = this.content(line.value);
        const tool = line.t === 'write' ? 'write_file' : 'append_file';
        const { id } = this.call(`w${n}`, tool, { content, path: line.path });
        const by = this.look(`l${n}`, line.path);
        this.word = { from: id, do: [] };
        if (line.t === 'write') return this.check(line.says, { is: 'stands', step: id, by, want: content });
        const that = { value: { from: by, do: [] }, op: 'ends', than: content } as const;
        return this.checkAll(line, [
          { is: 'ran', step: id },
          { is: 'holds', that },
        ]);
      }
      case 'copy': {
        const want = { from: this.look(`r${n}`, line.from), do: [] };
        const { id } = this.call(`w${n}`, 'write_file', { content: want, path: line.to });
        this.word = { from: id, do: [] };
        return this.check(line.says, { is: 'stands', step: id, by: this.look(`l${n}`, line.to), want });
      }
      case 'move':
        return 'name' in line.from ? this.moveAll(line, line.from.name) : this.moveOne(line, line.from.path);
      case 'delete':
        return 'name' in line.from
          ? this.deleteAll(line, line.from.name)
          : this.deleteOne(line, line.from.path);
      case 'expect': {
        const { value } = this.files(line.of);
        const kind = this.plan.kinds.get(line.of);
        const counted = kind === 'files' ? then(value, ['count']) : then(value, ['measure', 'lines']);
        const isText = kind === 'text' && !line.isCount;
        const op: Holds['op'] = isText ? (line.op === '=' ? 'is' : 'is_not') : line.op;
        const than: Json = typeof line.than === 'string' ? line.than : then(this.files(line.than.name).value);
        const that = { value: line.isCount ? counted : value, op, than };
        this.steps.push({ guard: that, says: `line ${n}, ${line.says}` });
        return this.check(line.says, { is: 'holds', that });
      }
      case 'answer':
        this.answer = this.said(line.of);
    }
  }

  private checkAll({ says }: Line, of: readonly Check[]): void {
    this.check(says, { is: 'all', of });
  }

  private find({ patterns, input, under, isDirect, except, rank }: Search, n: number): Named {
    const about = {
      ...input,
      ...(under === '' ? {} : { under }),
      ...(this.needsDigests ? { digests: true } : {}),
    };
    const searches = patterns.map((name, at) => this.call(`f${n}.${at}`, 'find_files', { ...about, name }));
    const [first = NOTHING, ...others] = searches.map(({ id }, at) =>
      then({ from: id, do: [] }, ['json_lines'], ['visible', under, (patterns[at] ?? '').startsWith('.')]),
    );
    const dropped = except.map((given, at): Operation => {
      if (typeof given !== 'string') return ['except', given.path];
      const { id } = this.call(`x${n}.${at}`, 'find_files', {
        ...(under === '' ? {} : { under }),
        name: given,
      });
      return ['minus', then({ from: id, do: [] }, ['json_lines'])];
    });
    const direct: readonly Operation[] = isDirect ? [['directly', under === '' ? '' : `${under}/`]] : [];
    const united = others.map((other): Operation => ['union', other]);
    return { value: then(first, ...united, ...direct, ...dropped, ...rank), searches };
  }

  /** Gives a value its name, or takes it as the answer. */
  private name(line: Extract<Line, { readonly name: string | null }>, { value, searches }: Named): void {
    const ops = line.ops.map((op) => op.map((arg) => this.argument(arg)));
    const made = { value: this.keep(`v${line.line}`, then(value, ...ops)), searches };
    this.word = line.kind === 'files' ? then(made.value, ['names']) : made.value;
    if (line.name === null) this.answer = this.word;
    else this.named.set(line.name, made);
  }

  /** Makes a value once, under a name of its own, however often it is used. */
  private keep(id: string, value: Derivation): Derivation {
    if (value.do.length === 0) return value;
    this.steps.push({ id, value });
    return { from: id, do: [] };
  }

  private argument(arg: Json): Json {
    const isNamed = typeof arg === 'object' && arg !== null && 'name' in arg;
    return isNamed ? then(this.files(renderText(arg['name'] ?? '')).value) : arg;
  }

  private files(name: string): Named {
    return this.named.get(name) ?? { value: NOTHING, searches: [] };
  }

  /** What is written of a value: of a number its line. */
  private content(value: Value): Json {
    if (typeof value === 'string') return value;
    const { value: made } = this.files(value.name);
    return this.plan.kinds.get(value.name) === 'number' ? then(made, ['add', '\n']) : then(made);
  }

  private said(name: string): Derivation {
    const { value } = this.files(name);
    return this.plan.kinds.get(name) === 'files' ? then(value, ['names']) : value;
  }

  private moveOne(line: Extract<Line, { readonly t: 'move' }>, from: string): void {
    const { line: n, to } = line;
    const { id } = this.call(`m${n}`, 'move_file', { from, to });
    const [there, gone] = [this.look(`t${n}`, to, { to_line: 1 }, true), this.look(`g${n}`, from, {}, true)];
    this.word = { from: id, do: [] };
    this.checkAll(line, [
      { is: 'ran', step: id },
      { is: 'there', step: there },
      { is: 'gone', step: gone },
    ]);
  }

  private moveAll(line: Line & { readonly to: string }, name: string): void {
    const moves = this.keep(`v${line.line}`, then(this.files(name).value, ['into', line.to]));
    const input = { from: ITEM(['pluck', 'from']), to: ITEM(['pluck', 'path']) };
    const { id } = this.call(`m${line.line}`, 'move_file', input, { each: moves });
    const found = this.call(`s${line.line}`, 'find_files', { under: line.to }, { if_any: moves }).id;
    this.word = then(moves, ['names']);
    const missing = then(moves, ['minus', then({ from: found, do: [] }, ['json_lines'])], ['count']);
    this.checkAll(line, [
      { is: 'ran', step: id },
      { is: 'holds', that: { value: missing, op: '=', than: '0' } },
    ]);
  }

  private deleteOne(line: Line, path: string): void {
    const { id } = this.call(`d${line.line}`, 'remove_file', { path });
    const step = this.look(`g${line.line}`, path, {}, true);
    this.word = { from: id, do: [] };
    this.checkAll(line, [
      { is: 'ran', step: id },
      { is: 'gone', step },
    ]);
  }

  /** The same searches again show that none of the files is left. */
  private deleteAll(line: Line, name: string): void {
    const { value, searches } = this.files(name);
    const { id } = this.call(
      `d${line.line}`,
      'remove_file',
      { path: ITEM() },
      { each: then(value, ['paths']) },
    );
    const left = searches.map(({ input }, at): Check => {
      const again = this.call(`s${line.line}.${at}`, 'find_files', input, { if_any: value });
      const common = then(value, ['common', then({ from: again.id, do: [] }, ['json_lines'])], ['count']);
      return { is: 'holds', that: { value: common, op: '=', than: '0' } };
    });
    this.word = then(value, ['names']);
    this.checkAll(line, [{ is: 'ran', step: id }, ...left]);
  }
}
