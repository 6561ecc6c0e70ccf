/**
 * Forgeries of what the controller decides: directives, losses, verdicts counted, confirmations, results.
 * Every hash is computed again, so that only running the machine on the recorded answers tells.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advance, openRequests, openRun, orThrow } from '@assay/kernel';
import { controller } from '@assay/controller';
import { differs } from './decisions.mjs';
import { chain, changed, draftsOf, fileOf, linesOf, made, proposed, reclosed } from './forge.mjs';
import { headLine } from './rewrites.mjs';
import { root } from '../lib/run.mjs';

const TWIN = 'twin-controller';
const PERSON = 'twin-controller-person';
const UNDECLARED = 'twin-controller-undeclared';

/** The records of a golden run. */
function golden(name) {
  return readFileSync(join(root, 'golden-fixtures', name, 'ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Position of the first record of which this holds, from `start`. */
function at(records, holds, start = 0) {
  const found = records.findIndex((record, index) => index >= start && holds(record));
  if (found === -1) throw new Error('the golden run has no such record');
  return found;
}

const says = (kind) => (record) =>
  record.kind === 'decision' && record.payload.events.some((event) => event.kind === kind);
const body = (payload, kind) => payload.events.find((event) => event.kind === kind).body;

/** Forgeries of a controller run. */
export function controllerForgeries() {
  return [...directiveForgeries(), ...personForgeries(), ...undeclaredForgeries()];
}

function directiveForgeries() {
  const records = golden('controller-refine');
  const drafts = draftsOf(records);
  const directive = at(records, says('PlanDirective'));
  const outcome = at(records, says('SubTaskOutcome'));
  const final = at(records, says('FinalResult'));
  const artifact = at(records, ({ kind, payload }) => kind === 'artifact' && payload.name === 'final_result');
  const judged = at(
    records,
    ({ kind, payload }) => kind === 'proposal' && payload.value?.verdicts !== undefined,
  );
  const forged = (name, what, position, change, record = position) =>
    differs(name, what, fileOf(chain(reclosed(changed(drafts, position, change)))), record, TWIN);
  return [
    forged(
      'controller-directive-changed',
      'refine shown where change_path was decided',
      directive,
      (payload) => void (body(payload, 'PlanDirective').evaluation.directive = 'refine'),
    ),
    forged(
      'controller-loss-lowered',
      'the loss of a round lowered by a millionth',
      directive,
      (payload) => void (body(payload, 'PlanDirective').evaluation.L.ppm -= 1),
    ),
    forged(
      'controller-distance-hidden',
      'the distance of a round shown as nothing',
      directive,
      (payload) => void (body(payload, 'PlanDirective').evaluation.D = { ppm: 0, exact: '0/1' }),
    ),
    forged(
      'controller-target-unblocked',
      'an input that failed left out of what the next plan must not use',
      directive,
      (payload) => void (body(payload, 'PlanDirective').evaluation.blocked_targets = []),
    ),
    forged(
      'controller-prev-rewritten',
      'another directive shown as the one before',
      final,
      (payload) => void (body(payload, 'FinalResult').prev_directive = 'init'),
    ),
    forged(
      'controller-outcome-turned',
      'a sub-task that failed shown as matched',
      outcome,
      (payload) => void (body(payload, 'SubTaskOutcome').status = 'matched'),
    ),
    forged(
      'controller-replans-forgotten',
      'a result that says fewer replans',
      final,
      (payload) => void (body(payload, 'FinalResult').replans = 0),
    ),
    forged('controller-result-polished', 'another summary in the result', artifact, ({ name, content }) =>
      made(name, { ...content, summary: 'all went well at once' }),
    ),
    forged(
      'controller-verdict-turned',
      'a failed criterion recorded as passed, its decision left as it was',
      judged,
      (payload) =>
        proposed({
          ...payload,
          value: {
            ...payload.value,
            verdicts: payload.value.verdicts.map((verdict) => ({
              ...verdict,
              verdict: 'pass',
              failure_class: null,
            })),
          },
        }),
      judged + 1,
    ),
    forged(
      'controller-memory-credited',
      'R7 tells memory of a success at the tool that failed',
      at(records, says('Megram')),
      (payload) => void (body(payload, 'Megram').megrams[0].state = 'success'),
    ),
  ];
}

function personForgeries() {
  const records = golden('controller-unconfirmed');
  const drafts = draftsOf(records);
  const confirmation = at(records, says('Confirmation'));
  const answered = confirmation - 1;
  const forged = (name, what, position, change, record = position) =>
    differs(name, what, fileOf(chain(reclosed(changed(drafts, position, change)))), record, PERSON);
  return [
    forged(
      'controller-approval-invented',
      'a person said no, and the decision says yes',
      confirmation,
      (payload) => void (body(payload, 'Confirmation').approved = true),
    ),
    forged(
      'controller-approval-by-rule',
      'a confirmation that a rule gave, shown as accepted',
      answered,
      (payload) => proposed({ ...payload, source: 'rule' }),
      confirmation,
    ),
  ];
}

/** The work writes a file that its plan did not name. */
function undeclaredForgeries() {
  const records = golden('controller-undeclared');
  const plan = at(
    records,
    ({ kind, payload }) => kind === 'proposal' && payload.value?.subtasks !== undefined,
  );
  const work = at(
    records,
    ({ kind, payload }) => kind === 'proposal' && payload.value?.tool_calls !== undefined,
  );
  const anything = (value) => ({
    ...value,
    subtasks: value.subtasks.map((subtask) => ({
      ...subtask,
      uses: subtask.uses.map(({ tool }) => ({ tool, target: '*' })),
    })),
  });
  // What the machine makes of the same work under a plan that let it write anywhere, behind the plan that did
  // not.
  const passed = [
    ...records.slice(0, work + 1),
    ...runOf(
      records
        .slice(0, work + 1)
        .map((record, index) =>
          index === plan
            ? { ...record, payload: { ...record.payload, value: anything(record.payload.value) } }
            : record,
        ),
    ).slice(work + 1),
  ];
  const forged = (name, what, drafts, record) =>
    differs(name, what, fileOf(chain(reclosed(drafts))), record, UNDECLARED);
  return [
    forged(
      'controller-undeclared-passed',
      'a file written that the plan did not name, passed over: the work is judged, and the task is accepted',
      draftsOf(passed),
      work + 1,
    ),
    forged(
      'controller-declared-afterwards',
      'the plan changed so that it named whatever was written, what was decided left as it was',
      changed(draftsOf(records), plan, (payload) => proposed({ ...payload, value: anything(payload.value) })),
      plan + 1,
    ),
  ];
}

/** A run on the answers of these records, and behind them on a judge who is content with everything. */
function runOf(records) {
  const [{ payload: genesis }] = records;
  const { run_id, ts_base, policy, input } = genesis;
  const first = orThrow(openRun(controller, { run_id, ts_base, policy, input }));
  const made = [...first.records];
  let { run } = first;
  const step = ({
    request_id,
    source,
    proposer,
    confidence,
    value,
    failure,
    at_us,
    spent,
    cites,
    provenance,
  }) => {
    const next = orThrow(
      advance(run, {
        request_id,
        source,
        proposer,
        confidence,
        value,
        failure,
        at_us,
        spent,
        cites,
        provenance,
      }),
    );
    made.push(...next.records);
    run = next.run;
  };
  const answers = records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);
  for (const answer of answers) step(answer);
  while (run.outcome === null) {
    const [{ id, kind, body: asked }] = openRequests(run);
    const verdicts = asked.criteria.map((criterion) => ({
      criterion: criterion.id,
      verdict: 'pass',
      failure_class: null,
      evidence: 'seen in the output of the tool',
    }));
    const value =
      kind === 'judge'
        ? { verdicts, what_was_wrong: null, what_to_do: null }
        : { merged_output: 'the report', summary: 'the report is written', verdicts };
    step({ ...answers[0], request_id: id, value });
  }
  return made;
}

/** The honest runs. */
export function controllerTwins() {
  return [
    [TWIN, 'controller-refine', 'a task of three rounds: change_path, refine, accept'],
    [PERSON, 'controller-unconfirmed', 'a task whose removal a person does not allow'],
    [UNDECLARED, 'controller-undeclared', 'a task whose work writes what its plan did not name'],
  ].map(([name, from, what]) => {
    const honest = golden(from);
    return { name, what, bytes: fileOf(linesOf(honest)), head: headLine(honest) };
  });
}
