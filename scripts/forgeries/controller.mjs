/**
 * Forgeries of what the controller decides: directives, losses, verdicts counted, confirmations, results.
 * Every hash is computed again, so that only running the machine on the recorded answers tells.
 *
 * @module
 */
import { differs } from './decisions.mjs';
import { chain, changed, draftsOf, fileOf, linesOf, made, proposed, reclosed, renumbered } from './forge.mjs';
import { readRecords } from '../lib/goldens.mjs';
import { headLine } from './rewrites.mjs';

const TWIN = 'twin-controller';
const PERSON = 'twin-controller-person';
const CALLS = 'twin-controller-calls';
const HELD = 'twin-controller-held';

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
  return [...directiveForgeries(), ...personForgeries(), ...callForgeries()];
}

function directiveForgeries() {
  const records = readRecords('controller-refine');
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
      'controller-target-blocked',
      'a target that never failed among what the next plan must not use',
      directive,
      (payload) =>
        void body(payload, 'PlanDirective').evaluation.blocked_targets.push({
          tool: 'write_file',
          target: 'report.md',
        }),
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
      'R7 tells memory of less than was reached',
      at(records, says('Megram')),
      (payload) => void (body(payload, 'Megram').megrams[0].state = 'success'),
    ),
  ];
}

function personForgeries() {
  const records = readRecords('controller-unconfirmed');
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

/** Calls that were not decided, not made so, or not turned away. */
function callForgeries() {
  const records = readRecords('controller-turned-away');
  const drafts = draftsOf(records);
  const isCall = (record) => record.kind === 'proposal' && record.payload.value?.output_bytes !== undefined;
  const made = at(records, isCall);
  const asks = (kind) => (record) =>
    record.kind === 'decision' && record.payload.requests.some((request) => request.kind === kind);
  const asked = at(records, asks('call'));
  const rejected = at(records, ({ kind }) => kind === 'rejection');
  const forged = (name, what, changedDrafts, record, twin = CALLS) =>
    differs(name, what, fileOf(chain(reclosed(changedDrafts))), record, twin);
  const held = readRecords('controller-held');
  const confirmed = at(
    held,
    (record) => asks('call')(record) && record.payload.requests[0].body.confirmed !== null,
  );
  return [
    forged(
      'controller-call-inserted',
      'a call that no decision asked for, beside the one that was',
      changed(drafts, asked, (payload) => {
        const [request] = payload.requests;
        const id = request.id.replace(/\.0$/, '.1');
        payload.requests.push({ ...request, id, body: { ...request.body, tool: 'write_file' } });
      }),
      asked,
    ),
    forged(
      'controller-call-output-swapped',
      'another output of a call than the one that was decided on',
      changed(drafts, made, (payload) =>
        proposed({ ...payload, value: { ...payload.value, output: 'said by somebody' } }),
      ),
      made + 1,
    ),
    forged(
      'controller-call-output-rewritten',
      'another output of a call, as long as the one that was decided on, under the digest of that',
      changed(drafts, made, (payload) => {
        const { output } = payload.value;
        return proposed({
          ...payload,
          value: { ...payload.value, output: output.replaceAll(/./gs, 'x') },
        });
      }),
      made + 1,
    ),
    {
      ...forged(
        'controller-rejection-erased',
        'a move that was turned away, shown as if nobody had made it: requests bear the place of their decision',
        renumbered([...drafts.slice(0, rejected - 1), ...drafts.slice(rejected + 1)]),
        rejected,
      ),
      caught: { check: 'integrity', verdict: 'failed', code: 'request_id', record: rejected + 2 },
      off: { rules: ['request_id'] },
    },
    forged(
      'controller-confirmed-input-changed',
      'another input than the one that a person allowed',
      changed(draftsOf(held), confirmed, (payload) => {
        payload.requests[0].body.input = { path: 'precious.md' };
      }),
      confirmed,
      HELD,
    ),
  ];
}

/** The honest runs. */
export function controllerTwins() {
  return [
    [TWIN, 'controller-refine', 'a task of three rounds: change_path, refine, accept'],
    [PERSON, 'controller-unconfirmed', 'a task whose removal a person does not allow'],
    [CALLS, 'controller-turned-away', 'a task three of whose moves are turned away'],
    [HELD, 'controller-held', 'a task that waits for a person twice over one call'],
  ].map(([name, from, what]) => {
    const honest = readRecords(from);
    return { name, what, bytes: fileOf(linesOf(honest)), head: headLine(honest) };
  });
}
