/**
 * Why a controller run ended as it did: every round with its figures and its rationale, what is unmet, and
 * the role that answers for it. Source: 002 "Accountability Map", §R7 `rationale`; planner-controller B.3
 * item 1.
 *
 * @module
 */
import { field, isArray, isObject, replayable, replayWith, type EvidenceRecord } from '@assay/kernel';
import {
  controller,
  ROLE_NAMES,
  rederived,
  type FinalResult,
  type GgsEvaluation,
  type RoundSeen,
} from '@assay/controller';
import type { ControlExplanation } from '@assay/controller/schemas';
import { nativeSha256 } from '@assay/host';
import { endedTask } from '@assay/agent';
import { finalLines, roundLine, stoppedLines } from '../control/lines.js';
import { eitherLines } from '../run/either.js';
import { whatIfCommand } from '../control/what-if-command.js';
import { nameOf } from '../../files/read.js';
import { misuse } from '../../problems/problem.js';
import { cut } from '../../terminal/cut.js';
import { show, styled, type Shown } from '../../terminal/shown.js';
import { underivable } from './derived.js';

const TEXT_POINTS = 200;

/** An explanation as `--json` gives it, and as lines. */
export type ControlExplained = { readonly document: ControlExplanation; readonly lines: readonly Shown[] };

/**
 * Explains a controller run whose records hold. Raises `Stop` where it does not re-derive, and `run_open`
 * where it is not over.
 */
export function explainControl(recorded: readonly EvidenceRecord[], path: string): ControlExplained {
  const file = nameOf(path);
  const derived = replayWith([replayable(controller, { sha256: nativeSha256 })], recorded, {
    sha256: nativeSha256,
  });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file);
  const { artifacts, head, outcome } = derived.right;
  const result = artifacts['final_result'] as unknown as FinalResult | undefined;
  if (outcome === null || result === undefined)
    throw misuse(
      'run_open',
      'this run is not over: nothing is decided yet',
      file,
      'explain it when it has ended; assay show prints what there is',
    );
  const records = rederived(recorded, { sha256: nativeSha256 });
  const { rounds, cause, stopped_at } = endedTask(
    records,
    { status: outcome, artifacts: new Map(Object.entries(artifacts)) },
    [],
  );
  const evaluations = [...evaluationsIn(records), artifacts['evaluation'] as unknown as GgsEvaluation];
  const document: ControlExplanation = {
    run_id: head.run_id,
    file,
    outcome,
    rounds: evaluations,
    final_result: result,
    accountable: result.accountable.map((one) => ({ ...one, role_name: ROLE_NAMES[one.role] })),
  };
  const whatIf = whatIfCommand(records, path);
  const lines = [
    show`${styled('strong', show`${head.run_id}`)}   ${outcome === 'success' ? 'done' : 'not done'}   ${file}, derived again`,
    ...rounds.flatMap((round, index) => roundLines(round, evaluations[index])),
    ...finalLines(result, [], cause),
    ...stoppedLines(stopped_at),
    ...eitherLines(records),
    ...result.accountable.map(
      ({ role, failure }) => show`${role.padEnd(12)}${ROLE_NAMES[role]}: answers for ${failure}`,
    ),
    ...(whatIf === null ? [] : [show`ask         ${whatIf}`]),
  ];
  return { document, lines };
}

/** One round: its line, the steps of the cascade in words, and what it blocked. */
function roundLines(round: RoundSeen, evaluation: GgsEvaluation | undefined): readonly Shown[] {
  if (evaluation === undefined) return [roundLine(round)];
  const { rationale, unmet, blocked_tools, blocked_targets_added } = evaluation;
  const blocked = [...blocked_tools, ...blocked_targets_added.map(({ tool, target }) => `${tool} ${target}`)];
  return [
    roundLine(round),
    show`  because   ${cut(rationale, 2 * TEXT_POINTS)}`,
    ...unmet
      .slice(0, 4)
      .map(
        ({ text, failure_class }) =>
          show`  unmet     ${cut(text ?? '(a sub-task without verdicts)', TEXT_POINTS)}${failure_class === null ? ', not run' : `, ${failure_class}`}`,
      ),
    ...(blocked.length === 0 ? [] : [show`  blocks    ${cut(blocked.join(', '), TEXT_POINTS)}`]),
  ];
}

function evaluationsIn(records: readonly EvidenceRecord[]): readonly GgsEvaluation[] {
  return records.flatMap(({ kind, payload }) => {
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    return (isArray(events) ? events : []).flatMap((event) => {
      const body =
        isObject(event) && field(event, 'kind') === 'PlanDirective' ? (field(event, 'body') ?? null) : null;
      return isObject(body) ? [field(body, 'evaluation') as unknown as GgsEvaluation] : [];
    });
  });
}
