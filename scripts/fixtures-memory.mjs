/**
 * `node scripts/fixtures-memory.mjs`: writes the golden fixtures of the memory machine anew.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { prepareGoldens, writeGoldens } from './lib/goldens.mjs';

prepareGoldens();
const { advance, openRequests, openRun, orThrow } = await import('@assay/kernel');
const { memory, rawOf, tagOn, tagsOf } = await import('@assay/controller/memory');
const { filesOfRun } = await import('./fixtures/files.mjs');
const { MEMORY } = await import('./fixtures/memory.mjs');
/** What each lock shows of the end: how many rules there are. */
const CHOSEN = { artifact: 'memory', path: '/rules' };

writeGoldens('memory fixtures', MEMORY, filesOf);

function filesOf({ name, about, genesis, proposals }) {
  const { answers, records } = played(genesis, proposals);
  const fixture = {
    name,
    about,
    machine: { name: memory.name, version: memory.version },
    genesis,
    proposals: answers,
  };
  return filesOfRun(fixture, records, CHOSEN);
}

/** Brings the answers in order; one that names a Megram is a function of what is remembered by then. */
function played(genesis, proposals) {
  const opened = orThrow(openRun(memory, genesis));
  const records = [...opened.records];
  let { run } = opened;
  const answers = proposals.map((given) => {
    const { shelf } = run.state;
    const answer =
      typeof given === 'function'
        ? given(
            tagsOf(shelf).flatMap(({ rules }) => rules),
            (tag) => rawOf(tagOn(shelf, tag)),
          )
        : given;
    const { kind, ...written } = answer;
    const request = openRequests(run).find((open) => open.kind === kind);
    const step = orThrow(
      advance(run, { request_id: request.id, at_us: null, spent: {}, provenance: {}, ...written }),
    );
    records.push(...step.records);
    run = step.run;
    return answer;
  });
  return { answers, records };
}
