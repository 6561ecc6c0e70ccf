/**
 * A machine for these tests that takes answers of tools: it asks each question of its input and ends once all
 * are answered. Policy {attempts}, input {questions}; an answer is {text}. A failure ends the run refused.
 */
import { deciding, err, isObject, ok } from '@assay/kernel';

const EMPTY = { waiting: [], answers: [] };

export const lookup = {
  name: 'lookup',
  version: 1,
  open: ({ policy, input }, context) => {
    const step = deciding(EMPTY, lookup.evolve, context);
    for (const question of input.questions)
      step.emit({
        t: 'asked',
        id: step.ask({ kind: 'lookup', body: { question }, accepts: ['tool'], attempts: policy.attempts }),
      });
    return ok({ state: EMPTY, decision: step.done({}) });
  },
  parse: (value) =>
    isObject(value) && typeof value.text === 'string'
      ? ok(value.text)
      : err({ code: 'bad_answer', detail: null }),
  decide: (state, { request, input }, context) => {
    const step = deciding(state, lookup.evolve, context);
    if (input._tag === 'Left') {
      step.emit({ t: 'failed', id: request.id });
      return ok(
        step.done({
          withdraw: step.state.waiting,
          outcome: { status: 'refused', reasons: [input.left.code] },
        }),
      );
    }
    step.emit({ t: 'answered', id: request.id, text: input.right });
    return ok(
      step.done(
        step.state.waiting.length > 0
          ? {}
          : { artifacts: { answers: step.state.answers }, outcome: { status: 'success', reasons: [] } },
      ),
    );
  },
  evolve: (state, event) => {
    const waiting =
      event.t === 'asked' ? [...state.waiting, event.id] : state.waiting.filter((id) => id !== event.id);
    return { waiting, answers: event.t === 'answered' ? [...state.answers, event.text] : state.answers };
  },
  encode: (state) => state,
  decode: (json) => ok(json),
};
