/**
 * `node scripts/fixtures-controller.mjs`: writes the golden runs of the controller anew.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { prepareGoldens, writeGoldens } from './lib/goldens.mjs';

prepareGoldens();
const { advance, openRequests, openRun, orThrow } = await import('@assay/kernel');
const { controller } = await import('@assay/controller');
const { filesOfRun } = await import('./fixtures/files.mjs');
const { CONTROLLER } = await import('./fixtures/controller.mjs');

const STEPS_MAX = 500;
writeGoldens('controller fixtures', CONTROLLER, filesOf);

function filesOf({ name, about, policy, cast }) {
  const genesis = {
    run_id: name,
    ts_base: '2026-01-01T00:00:00Z',
    policy,
    input: { text: 'write the report of the week', session: [] },
  };
  const records = recordsOf(genesis, cast);
  const fixture = { name, about, machine: { name: controller.name, version: controller.version } };
  const chosen = { artifact: 'final_result', path: '/reason' };
  return filesOfRun(fixture, records, chosen);
}

/** Answers every request in turn, the lowest id first; `attempt` counts the answers to one request. */
function recordsOf(genesis, cast) {
  const opened = orThrow(openRun(controller, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const attempts = new Map();
  for (let step = 0; run.outcome === null && step < STEPS_MAX; step += 1) {
    const [request] = openRequests(run);
    const attempt = attempts.get(request.id) ?? 0;
    attempts.set(request.id, attempt + 1);
    const said = cast[request.kind]({ ...request, attempt });
    const isFailure = said.failure !== undefined;
    const source = request.kind === 'confirm' ? 'human' : 'synthetic';
    const proposal = {
      request_id: request.id,
      source,
      proposer: 'fixture:hand',
      confidence: null,
      value: isFailure ? null : said,
      failure: isFailure ? said.failure : null,
      at_us: cast.stamp(request),
      spent: { tokens: 10 },
      cites: [],
      provenance: {},
    };
    const next = orThrow(advance(run, proposal));
    records.push(...next.records);
    run = next.run;
  }
  if (run.outcome === null) throw new Error(`${genesis.run_id} does not end`);
  return records;
}
