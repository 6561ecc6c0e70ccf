/**
 * The rules as ports: R1, R2, R3, R4a and R4b, without any model. Source: 003 §R1, §R2, §R3, §R4a, §R4b.
 *
 * @module
 */
import type { Digest, Json, JsonObject, Request } from '@assay/kernel';
import { nativeSha256, type Port, type PortAnswer } from '@assay/host';
import { type StepBody, readBody } from '@assay/controller';
import { callsIn, subTaskIn, type SubTaskEvidence } from '@assay/controller/evidence';
import { CONTROL_RULES, namedPlayer, type Player, type RoleContext } from '@assay/controller/shell';
import { judgeByRules, stepByRules, wholesWanted, type Wholes } from '@assay/controller/steps';
import { mergeByRules, perceiveByRules, planByRules } from './tasks/index.js';

/**
 * The rules as one port for `perceive`, `plan`, `step`, `judge` and `merge`: source `rule`, proposer `rules`,
 * the grammar's version in the provenance. What they do not understand or cannot plan, a step that has no
 * program (`not_steps`), needs an output that is gone (`output_gone`) or has no evidence (`no_history`) is the
 * final failure `denied` with {code, …} as detail; another kind of request is `not_asked`.
 */
export function controlRulesPort(context: RoleContext): Port {
  return {
    source: 'rule',
    proposer: CONTROL_RULES,
    perform: (request) => answerRequest(request, context),
  };
}

/** The rules as a player of all roles. */
export const rulesPlayer: Player = namedPlayer(CONTROL_RULES, controlRulesPort);

const PROVENANCE: JsonObject = Object.freeze({
  grammar: 'plan',
  grammar_version: '1',
});

async function answerRequest(
  { kind, body }: Pick<Request, 'kind' | 'body'>,
  context: RoleContext,
): Promise<PortAnswer> {
  switch (kind) {
    case 'perceive': {
      const asked = readBody('perceive', body);
      const task = asked === null ? null : perceiveByRules(asked);
      if (task === null) return denied({ code: 'bad_body' });
      return task._tag === 'Left' ? denied({ ...task.left }) : value({ ...task.right });
    }
    case 'plan': {
      const asked = readBody('plan', body);
      const plan = asked === null ? null : planByRules(asked);
      if (plan === null) return denied({ code: 'bad_body' });
      return plan._tag === 'Left' ? denied({ ...plan.left }) : value({ ...plan.right });
    }
    case 'step': {
      const asked = readBody('step', body);
      if (asked === null) return denied({ code: 'bad_body' });
      const of = evidenceFor(context, asked);
      if (of === null) return denied({ code: 'no_history' });
      const move = stepByRules(of, await readWholes(context, of), nativeSha256);
      return move._tag === 'Left' ? denied({ ...move.left }) : value({ ...move.right });
    }
    case 'judge': {
      const asked = readBody('judge', body);
      if (asked === null) return denied({ code: 'bad_body' });
      const of = evidenceFor(context, asked);
      if (of === null) return denied({ code: 'no_history' });
      return value({ ...judgeByRules(asked, of, await readWholes(context, of), nativeSha256) });
    }
    case 'merge': {
      const asked = readBody('merge', body);
      return asked === null ? denied({ code: 'bad_body' }) : value({ ...mergeByRules(asked) });
    }
    default:
      return denied({ code: 'not_asked', kind });
  }
}

/** What there is of the sub-task that is asked about; null where that is not all that was seen of it. */
function evidenceFor(
  { evidence }: RoleContext,
  { subtask, seen }: Pick<StepBody, 'subtask' | 'seen'>,
): SubTaskEvidence | null {
  const of = subTaskIn(evidence(), subtask);
  return of !== null && callsIn(of).length === seen.calls ? of : null;
}

async function readWholes({ outputs }: RoleContext, of: SubTaskEvidence): Promise<Wholes> {
  const wholes = new Map<Digest, string>();
  for (const digest of wholesWanted(of, nativeSha256)) {
    const whole = await outputs.find(digest);
    if (whole !== null) wholes.set(digest, whole);
  }
  return wholes;
}

function value(answer: Json): PortAnswer {
  return { value: answer, provenance: PROVENANCE };
}

function denied(detail: JsonObject): PortAnswer {
  return { failure: { code: 'denied', final: true, detail }, provenance: PROVENANCE };
}
