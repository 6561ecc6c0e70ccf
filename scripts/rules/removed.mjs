/**
 * Each rule of docs/guides/control.md as it stands in the code, and how the code looks without it. `rule`: how its row in that page begins;
 * `from`, `to`: the text that holds it, once in its file, and what is left when it is taken away; `test`: the file that must fail then,
 * `only`: the tests of it that are run, by their names.
 *
 * @module
 */
const SRC = 'packages/controller/src';
const TEST = 'packages/controller/test';
const GOLDENS = `${TEST}/loop/goldens.test.ts`;
const ROUNDS = `${TEST}/loop/rounds.test.ts`;
const POLICY = `${TEST}/loop/policy.test.ts`;
const LAWS = `${TEST}/laws/four-laws.test.ts`;
const RULES = `${TEST}/loop/rules.test.ts`;
const FAST = `${SRC}/loop/fast.ts`;

export const REMOVED = [
  { rule: 'ids are the machine', path: `${SRC}/protocol/plan.ts`, from: '({ id: `${round}.${index}`, ...subtask,', to: '({ id: subtask.label, ...subtask,', test: ROUNDS },
  { rule: 'prose is a claim', path: FAST, from: "breach ?? (status === 'failed' ? null : contradictionOf(tool_calls, policy.tools))", to: 'breach', test: LAWS, only: 'shows no tool' },
  { rule: 'prose is a claim', path: FAST, from: "breach ?? (status === 'failed' ? null : contradictionOf(tool_calls, policy.tools))", to: 'breach', test: GOLDENS, only: 'controller-correction' },
  { rule: 'prose is a claim', path: `${SRC}/protocol/evidence.ts`, from: 'acts.length > 0 ? acts : calls', to: 'calls', test: `${TEST}/evidence.test.ts` },
  { rule: 'prose is a claim', path: `${SRC}/protocol/evidence.ts`, from: "callKind(primary, tools) === 'act' ? { code: 'cut_without_completion', line } : null", to: 'null', test: `${TEST}/evidence.test.ts` },
  { rule: 'prose is a claim', path: `${SRC}/protocol/evidence.ts`, from: ' && later.tool === tool && later.input === input', to: ' && later.tool === tool', test: `${TEST}/evidence.test.ts` },
  { rule: 'prose is a claim', path: `${SRC}/protocol/evidence.ts`, from: ' && later.tool === tool && later.input === input', to: ' && later.input === input', test: `${TEST}/evidence.test.ts` },
  { rule: 'a failure, a status', path: FAST, from: "  if (status === 'failed') return { reason: 'executor_failed', infrastructure: true, verdicts: [] };\n", to: '', test: RULES },
  { rule: 'a failure, a status', path: FAST, from: "primary !== null && (primary.status === 'timeout' || primary.status === 'interrupted')", to: 'false', test: RULES },
  { rule: 'a failure, a status', path: `${SRC}/loop/decide.ts`, from: "      abandonSubTask(step, subtask ?? '', `executor_${code}`);\n", to: '', test: GOLDENS, only: 'c6' },
  { rule: 'at most two corrections', path: FAST, from: 'const isLast = body.attempt >= policy.limits.retries', to: 'const isLast = false', test: RULES, only: 'at most' },
  { rule: 'at most two corrections', path: FAST, from: '  if (body.attempt >= policy.limits.retries) return close(', to: '  if (body.attempt > 1_000) return close(', test: RULES, only: 'at most' },
  { rule: 'R4b is not asked', path: `${SRC}/loop/fan-in.ts`, from: 'if (failed.length > 0) {', to: 'if (failed.length > 1_000) {', test: GOLDENS, only: 'c4-hard' },
  { rule: 'R4b is not asked', path: `${SRC}/loop/fan-in.ts`, from: "verdicts.filter(({ verdict }) => verdict !== 'pass')", to: "verdicts.filter(({ verdict }) => verdict === 'ambiguous')", test: GOLDENS, only: 'c5-rejected' },
  { rule: 'R4b is not asked', path: `${SRC}/loop/fan-in.ts`, from: "verdicts.filter(({ verdict }) => verdict !== 'pass')", to: "verdicts.filter(({ verdict }) => verdict === 'fail')", test: LAWS, only: 'praises itself' },
  { rule: 'a plan that names no criterion', path: `${SRC}/protocol/plan.ts`, from: 'task_criteria.length > 0 ? task_criteria : [', to: 'task_criteria.length > -1 ? task_criteria : [', test: ROUNDS },
  { rule: 'R4b is not asked', path: `${SRC}/loop/fan-in.ts`, from: 'rejected: true, gap_summary: `the meta', to: 'rejected: false, gap_summary: `the meta', test: RULES, only: 'ran out of time' },
  { rule: 'R4b judges by', path: `${SRC}/loop/fan-in.ts`, from: 'criteria: wholeCriteria(plan, task.intent)', to: 'criteria: wholeCriteria({ ...plan, task_criteria: [] }, task.intent)', test: RULES, only: 'as the plan names them' },
  { rule: 'a hard criterion of the task stays', path: `${SRC}/loop/planning.ts`, from: "  if (dropped !== undefined) return err({ code: 'criterion_dropped', detail: { text: dropped.text } });\n", to: '', test: RULES, only: 'plans anew' },
  { rule: 'a hard criterion of the task stays', path: `${SRC}/loop/planning.ts`, from: 'keep: keptOf(state.plan).map(({ id, text }) => ({ id, text })),', to: 'keep: [],', test: RULES, only: 'plans anew' },
  { rule: 'R4b tells R7', path: `${SRC}/protocol/roles.ts`, from: "  { from: 'R4b', to: 'R7', kind: 'ReplanRequest' },\n", to: "  { from: 'R4b', to: 'R7', kind: 'ReplanRequest' },\n  { from: 'R4b', to: 'R2', kind: 'ReplanRequest' },\n", test: `${TEST}/roles.test.ts` },
  { rule: 'R4b tells R7', path: `${SRC}/loop/fan-in.ts`, from: "message('R4b', 'R7', 'ReplanRequest', { round: plan.round, failed: [], rejected: true, gap_summary, ", to: "message('R4b', 'R2', 'ReplanRequest', { round: plan.round, failed: [], rejected: true, gap_summary, ", test: RULES, only: 'told to R7 alone' },
  { rule: 'a task carries no criteria', path: `${SRC}/protocol/answers.ts`, from: "perceive: { shape: TASK_SPEC,", to: "perceive: { shape: (value) => TASK_SPEC(isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'success_criteria')) : value),", test: RULES, only: 'carries no criteria' },
  { rule: 'R4b is not weaker', path: `${SRC}/policy/policy.ts`, from: "validator < planner ? bad('/roles/R4b', 'weaker_than_planner') : ok(", to: 'ok(', test: POLICY },
  { rule: 'a role that is bound', path: `${SRC}/loop/decide.ts`, from: 'bound !== null && proposal.proposer !== bound.proposer', to: 'bound === undefined', test: POLICY },
  { rule: 'a plan with a blocked tool', path: `${SRC}/loop/planning.ts`, from: "    if (must_not.tools.includes(tool)) return { code: 'blocked_tool', detail: { tool } };\n", to: '', test: ROUNDS },
  { rule: 'a plan with a blocked tool', path: `${SRC}/loop/planning.ts`, from: "    if (target !== ANY_TARGET && isBlocked({ tool, target }, must_not.targets)) return { code: 'blocked_target', detail: { tool, target } };\n", to: '', test: RULES },
  { rule: 'a plan with a blocked tool', path: `${SRC}/memory/must-not.ts`, from: "[...blocked.tools, ...toolsThat('avoid')]", to: '[...blocked.tools]', test: RULES },
  { rule: 'a plan with a blocked tool', path: FAST, from: "    if (body.must_not.tools.includes(tool)) return { code: 'blocked_tool_used', line };\n", to: '', test: RULES },
  { rule: 'a plan with a blocked tool', path: FAST, from: "    if (isBlocked({ tool, target: input }, body.must_not.targets)) return { code: 'blocked_target_used', line };\n", to: '', test: RULES },
  { rule: 'a plan with a blocked tool', path: `${SRC}/ggs/blocking.ts`, from: 'tools: namesOf([...failing, ...alike])', to: 'tools: namesOf(failing)', test: GOLDENS, only: 'break-symmetry' },
  { rule: 'work acts on what', path: FAST, from: "    if (!body.uses.some((use) => use.tool === tool)) return { code: 'undeclared_tool_used', line };\n", to: '', test: RULES },
  { rule: 'work acts on what', path: FAST, from: "    if (callKind(call, tools) === 'act' && !isDeclared({ tool, target: input }, body.uses)) return { code: 'undeclared_target_used', line };\n", to: '', test: RULES, only: 'what a plan declared' },
  { rule: 'work acts on what', path: `${SRC}/protocol/declared.ts`, from: 'declared === said || declared === about', to: 'declared !== null', test: `${TEST}/protocol/declared.test.ts` },
  { rule: 'inputs that were blocked', path: `${SRC}/ggs/blocking.ts`, from: 'targets: merge(targets, added, byTarget)', to: 'targets: added', test: `${TEST}/ggs/laws.test.ts`, only: 'law-G11' },
  { rule: 'inputs that were blocked', path: `${SRC}/ggs/evaluate.ts`, from: 'chosen.blocked.added.length === 0 ? input.history.blocked_targets : chosen.blocked.targets', to: 'chosen.blocked.added', test: `${TEST}/ggs/laws.test.ts`, only: 'law-G11' },
  { rule: 'the directive before', path: `${SRC}/ggs/history.ts`, from: "  prev_directive: 'init',\n", to: "  prev_directive: 'refine',\n", test: `${TEST}/ggs/laws.test.ts`, only: 'law-G13' },
  { rule: 'the directive before', path: `${SRC}/ggs/evaluate.ts`, from: '      prev_directive: chosen.directive,\n', to: '      prev_directive: input.history.prev_directive,\n', test: `${TEST}/ggs/laws.test.ts`, only: 'law-G13' },
  { rule: 'what cannot be undone', path: FAST, from: '  if (breach === null && held.length > 0) return askToConfirm(', to: '  if (breach === undefined) return askToConfirm(', test: ROUNDS, only: 'held back' },
  { rule: 'what cannot be undone', path: `${SRC}/loop/dispatch.ts`, from: 'name === tool && !reversible', to: 'name === tool && reversible === null', test: GOLDENS, only: 'controller-unconfirmed' },
  { rule: 'what cannot be undone', path: FAST, from: "(call.irreversible || !known.reversible) && !isConfirmed(body, call)) return { code: 'unconfirmed_action', line };", to: "false) return { code: 'unconfirmed_action', line };", test: LAWS, only: 'Law 1' },
  { rule: 'what cannot be undone', path: FAST, from: 'action.tool === tool && (action.target === input || plainPath(action.target) === plain)', to: 'action.tool === tool && plain !== null', test: LAWS, only: 'Law 1' },
  { rule: 'what cannot be undone', path: `${SRC}/protocol/asks.ts`, from: "confirm: ['human'],", to: "confirm: ['human', 'rule'],", test: LAWS, only: 'Law 1' },
  { rule: 'Ω, then D', path: `${SRC}/ggs/table.ts`, from: "  if (spent) return 'abandon';\n  if (!far) return 'success';", to: "  if (!far) return 'success';\n  if (spent) return 'abandon';", test: `${TEST}/ggs/table.test.ts` },
  { rule: 'Ω, then D', path: `${SRC}/ggs/evaluate.ts`, from: "  if (worsening >= policy.law2_rounds) return end('abandon', 'law2', input);\n  if (input.guard !== null) return end('abandon', input.guard.code, input);", to: "  if (input.guard !== null) return end('abandon', input.guard.code, input);\n  if (worsening >= policy.law2_rounds) return end('abandon', 'law2', input);", test: `${TEST}/ggs/cascade.test.ts` },
  { rule: 'Ω, then D', path: `${SRC}/ggs/evaluate.ts`, from: "unmet.some(({ hard }) => hard) ? 'hard_criterion' : null", to: 'unmet.length < 0 ? \'hard_criterion\' : null', test: GOLDENS, only: 'c4-hard' },
  { rule: 'Ω, then D', path: `${SRC}/ggs/evaluate.ts`, from: "  if (input.r4b_rejected) return 'r4b_rejected';\n", to: '', test: `${TEST}/ggs/cascade.test.ts` },
  { rule: 'Ω, then D', path: `${SRC}/ggs/evaluate.ts`, from: "  if (input.r4b_rejected) return 'r4b_rejected';\n", to: '', test: RULES, only: 'a rejection' },
  { rule: 'Ω, then D', path: `${SRC}/ggs/evaluate.ts`, from: "  if (worsening >= policy.law2_rounds) return end('abandon', 'law2', input);\n", to: '', test: LAWS, only: 'two worsening rounds' },
  { rule: 'one FinalResult', path: `${SRC}/loop/final.ts`, from: '  return unmet.flatMap(({ id, text, hard }): readonly Unmet[] => {', to: '  return unmet.slice(1).flatMap(({ id, text, hard }): readonly Unmet[] => {', test: LAWS, only: 'Law 0' },
  { rule: 'one FinalResult', path: `${SRC}/protocol/roles.ts`, from: "  { from: 'R7', to: 'user', kind: 'FinalResult' },\n", to: "  { from: 'R7', to: 'user', kind: 'FinalResult' },\n  { from: 'R4b', to: 'user', kind: 'FinalResult' },\n", test: `${TEST}/roles.test.ts` },
  { rule: 'R7 alone tells memory', path: `${SRC}/protocol/roles.ts`, from: "  { from: 'R7', to: 'R5', kind: 'Megram' },\n", to: "  { from: 'R7', to: 'R5', kind: 'Megram' },\n  { from: 'R4b', to: 'R5', kind: 'Megram' },\n", test: `${TEST}/roles.test.ts` },
  { rule: 'one Megram for each', path: `${SRC}/memory/drafts.ts`, from: 'drafts(directive, blocked_targets.map(', to: 'drafts(directive, blocked_targets.slice(0, 1).map(', test: RULES, only: 'each by itself' },
  { rule: 'one Megram for each', path: `${SRC}/memory/drafts.ts`, from: '[pathTag(tool, target), toolTag(tool)]', to: '[toolTag(tool)]', test: `${TEST}/memory/holes.test.ts` },
  { rule: 'a rule in memory', path: `${SRC}/memory/distilling.ts`, from: 'k_ppm_per_day: 0,', to: 'k_ppm_per_day: 50_000,', test: `${TEST}/memory/machine.test.ts`, only: 'does not fade' },
  { rule: 'a rule in memory', path: `${SRC}/memory/dreaming.ts`, from: 'k_ppm_per_day: DEMOTED_RATE', to: 'k_ppm_per_day: 0', test: `${TEST}/memory/machine.test.ts`, only: 'demotes' },
  { rule: 'a rule that is recalled', path: `${SRC}/memory/state.ts`, from: '{ ...megram, last_recalled_at_us: at_us }', to: 'megram', test: `${TEST}/memory/machine.test.ts`, only: 'marks the rules' },
  { rule: 'criteria of work that never ran', path: `${SRC}/loop/evaluating.ts`, from: "verdict: outcome === null ? 'not_run' : 'none'", to: "verdict: 'none'", test: ROUNDS },
  { rule: 'criteria of work that never ran', path: `${SRC}/loop/evaluating.ts`, from: "  if (plan === null) return [];\n", to: "  if (plan === null) return [];\n  plan = { ...plan, subtasks: plan.subtasks.filter(({ id }) => (progress.get(id)?.outcome ?? null) !== null) };\n", test: ROUNDS },
  { rule: 'a tool that memory is of two minds', path: `${SRC}/loop/dispatch.ts`, from: "(of === 'read' || of === 'search')", to: 'of === null', test: `${TEST}/loop/caution.test.ts` },
  { rule: 'a tool that memory is of two minds', path: `${SRC}/loop/dispatch.ts`, from: 'permanent.includes(use) || doubtful.includes(use)', to: 'permanent.includes(use)', test: `${TEST}/loop/caution.test.ts` },
  { rule: 'a tool that memory is of two minds', path: `${SRC}/loop/to-memory.ts`, from: '!withheld.some(isMeant) || used.some(isMeant)', to: 'true || withheld.concat(used).some(isMeant)', test: `${TEST}/loop/caution.test.ts` },
  { rule: 'what repeats', path: `${SRC}/loop/evaluating.ts`, from: 'guard: guard === null ? null : { code: guard }', to: 'guard: null', test: GOLDENS, only: 'c10' },
  { rule: 'what repeats', path: `${SRC}/loop/evolve.ts`, from: "gap_trend === 'improving' ? { ...state.trail, calls: [], same_rounds: 0 } : state.trail", to: 'state.trail', test: RULES, only: 'came closer' },
  { rule: 'what repeats', path: `${SRC}/guard/trail.ts`, from: "policy.same_rounds > 0 && trail.same_rounds >= policy.same_rounds ? 'no_op_loop' : null", to: 'null', test: `${TEST}/guard/trail.test.ts` },
  { rule: 'what repeats', path: `${SRC}/guard/trail.ts`, from: "policy.same_rounds > 0 && trail.same_rounds >= policy.same_rounds ? 'no_op_loop' : null", to: 'null', test: RULES, only: 'rounds that do the same' },
  { rule: 'what repeats', path: `${SRC}/guard/trail.ts`, from: "  if (alternates(trail.calls, policy)) return 'oscillation';\n", to: '', test: GOLDENS, only: 'c10' },
  { rule: 'what repeats', path: `${SRC}/guard/trail.ts`, from: "  if (policy.triples > 0 && mostRepeated(trail.calls) >= policy.triples && !alternates(trail.calls, policy)) return 'repeated_triple';\n", to: '', test: RULES, only: 'came closer' },
];
