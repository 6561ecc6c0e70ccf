/**
 * `node scripts/fixtures-intent.mjs`: writes the golden fixtures of the intent machine anew.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { prepareGoldens, writeGoldens } from './lib/goldens.mjs';

prepareGoldens();
const { advance, openRequests, openRun, orThrow } = await import('@assay/kernel');
const { intent } = await import('@assay/kernel/intent');
const { filesOfRun } = await import('./fixtures/files.mjs');
const { answerByRules, INTENT } = await import('./fixtures/intent.mjs');

writeGoldens('intent fixtures', INTENT, filesOf);

function filesOf({ name, about, genesis, proposals, chosen }) {
  const records = recordsOf(genesis, proposals);
  const fixture = {
    name,
    about,
    machine: { name: intent.name, version: intent.version },
    genesis,
    ...(proposals === null ? {} : { proposals }),
  };
  return filesOfRun(fixture, records, chosen);
}

function recordsOf(genesis, proposals) {
  const opened = orThrow(openRun(intent, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const slots = proposals ?? openRequests(run).map(({ body }) => ({ slot: body.slot, by: 'rules' }));
  for (const { slot, by, ...written } of slots) {
    const request = openRequests(run).find(({ body }) => body.slot === slot);
    const answer = by === 'rules' ? answerByRules(request.body) : written;
    const step = orThrow(
      advance(run, { request_id: request.id, at_us: null, spent: {}, cites: [], ...answer }),
    );
    records.push(...step.records);
    run = step.run;
  }
  return records;
}
