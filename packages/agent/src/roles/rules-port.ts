/**
 * The rules as ports: R1, R2, R4a and R4b, without any model. Source: 003 §R1, §R2, §R4a, §R4b.
 *
 * @module
 */
import type { Json, JsonObject, Request } from '@assay/kernel';
import { nativeSha256, type Port, type PortAnswer } from '@assay/host';
import { parseJudgeBody, parseMergeBody, parsePerceiveBody, parsePlanBody } from '@assay/controller';
import { CONTROL_GRAMMAR_VERSION, mergeByRules, perceiveByRules, planByRules } from '@assay/rules/tasks';
import { judgeByRules } from '@assay/controller/steps';

/** Name under which the rules' answers are recorded. */
export const CONTROL_RULES = 'rules';

/**
 * The rules as one port for `perceive`, `plan`, `judge` and `merge`: source `rule`, proposer `rules`, the
 * grammar's version in the provenance. What they do not understand or cannot plan is the final failure
 * `denied` with {code, …} as detail; another kind of request is `not_asked`.
 */
export const controlRulesPort: Port = {
  source: 'rule',
  proposer: CONTROL_RULES,
  perform: (request) => Promise.resolve(answerOf(request)),
};

const PROVENANCE: JsonObject = Object.freeze({
  grammar: 'control',
  grammar_version: CONTROL_GRAMMAR_VERSION,
});

function answerOf({ kind, body }: Pick<Request, 'kind' | 'body'>): PortAnswer {
  switch (kind) {
    case 'perceive': {
      const asked = parsePerceiveBody(body);
      const task = asked === null ? null : perceiveByRules(asked);
      if (task === null) return denied({ code: 'bad_body' });
      return task._tag === 'Left' ? denied({ ...task.left }) : value({ ...task.right });
    }
    case 'plan': {
      const asked = parsePlanBody(body);
      const plan = asked === null ? null : planByRules(asked);
      if (plan === null) return denied({ code: 'bad_body' });
      return plan._tag === 'Left' ? denied({ ...plan.left }) : value({ ...plan.right });
    }
    case 'judge': {
      const asked = parseJudgeBody(body);
      return asked === null ? denied({ code: 'bad_body' }) : value({ ...judgeByRules(asked, nativeSha256) });
    }
    case 'merge': {
      const asked = parseMergeBody(body);
      return asked === null ? denied({ code: 'bad_body' }) : value({ ...mergeByRules(asked, nativeSha256) });
    }
    default:
      return denied({ code: 'not_asked', kind });
  }
}

function value(answer: Json): PortAnswer {
  return { value: answer, provenance: PROVENANCE };
}

function denied(detail: JsonObject): PortAnswer {
  return { failure: { code: 'denied', final: true, detail }, provenance: PROVENANCE };
}
