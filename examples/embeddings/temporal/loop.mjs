/**
 * The loop of a run as a workflow has it: whatever is not derived is an activity's result, and so in the
 * history.
 */
import { advance, makeHead, openRequests, openRun, orThrow } from '@assay/kernel';

const EMPTY = {
  confidence: null,
  value: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/** Evidence before effect: each group is appended before what it asks for is performed. Gives the head. */
export async function loop(machine, genesis, performs) {
  let step = orThrow(openRun(machine, genesis));
  await performs.append(genesis.run_id, null, step.records);
  for (let [request] = openRequests(step.run); request !== undefined; [request] = openRequests(step.run)) {
    const said = await performs[request.kind](request, step.rejection);
    const before = makeHead(step.run);
    step = orThrow(advance(step.run, { ...EMPTY, ...said, request_id: request.id }));
    await performs.append(genesis.run_id, before, step.records);
  }
  return makeHead(step.run);
}
