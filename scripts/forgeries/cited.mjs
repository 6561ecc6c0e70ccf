/**
 * Answers that another ledger gave, and answers invented under its true head: what a controller recalls, what a
 * planner reads in a library and is told by a leaf. Every hash and head is right, so that only who has the other
 * ledger and its machine can tell.
 *
 * @module
 */
import { advance, openRequests, openRun, orThrow } from '@assay/kernel';
import { controller } from '@assay/controller';
import { answerFromMemory, defaultMemoryPolicy, memory, recallAnswer } from '@assay/controller/memory';
import { defaultPolicy, planner } from '@assay/planner';
import { answerFromLibrary, derivePlannerAnswer, library } from '@assay/planner/library';
import { fileOf, linesOf } from './forge.mjs';
import { readRecords } from '../lib/goldens.mjs';

const KEPT = 'kept';
const ANSWER = {
  source: 'run',
  proposer: 'fixture:run',
  confidence: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/** The honest runs, each with the ledger that it cites. */
export function citedTwins() {
  return cases().map(({ name, what, told, honest, cited }) => ({
    name: `twin-${name}`,
    what,
    bytes: fileOf(linesOf(told(honest))),
    others: kept(cited),
    brought: { folder: KEPT },
  }));
}

/** The same with another answer each. */
export function citedForgeries() {
  return cases().map(({ name, forged, told, honest, invent, cited }) => {
    const records = told(invent(structuredClone(honest)));
    return {
      name: `${name}-invented`,
      forged,
      twin: `twin-${name}`,
      bytes: fileOf(linesOf(records)),
      others: kept(cited),
      brought: { folder: KEPT },
      caught: {
        check: 'completeness',
        verdict: 'failed',
        code: 'answer_mismatch',
        record: records.findLastIndex(({ kind }) => kind === 'proposal'),
      },
      off: { argument: 'folder' },
      exit: 3,
    };
  });
}

/** A run is told `honest`, which `cited` gives; `invent` makes another answer of it. */
function cases() {
  return [recall(), reading(), leaf()];
}

function recall() {
  const asking = replayed(controller, readRecords('controller-memory-second'), 'recall');
  const { body } = open(asking, 'recall');
  const kept = opened(memory, { run_id: 'memory', policy: defaultMemoryPolicy });
  const asked = tell(kept, open(kept, 'recall'), recallAnswer(body, 5), asking.records);
  return {
    name: 'recall',
    what: 'a controller that recalls what its memory holds, which is nothing',
    forged: 'a controller told of a failure that its memory never held',
    told: (value) => tell(asking, open(asking, 'recall'), value, asked.records).records,
    honest: answerFromMemory([], asked.run.state, body, 5),
    invent: (value) => ({ ...value, failures: ['it never worked'] }),
    cited: asked.records,
  };
}

function reading() {
  const policy = { ...defaultPolicy, mode: 'solve', extract: false, library: true };
  const input = { goal: 'ship a page', modality: 'text', constraints: [], suggestions: [], strikes: [] };
  const asking = opened(planner, { run_id: 'planned', policy, input });
  const books = opened(library, { run_id: 'library', policy: {} });
  return {
    name: 'library-reading',
    what: 'a planner that reads in a library, which is empty',
    forged: 'a planner told of forty attempts that its library never held',
    told: (value) => tell(asking, open(asking, 'library'), value, books.records).records,
    honest: answerFromLibrary(books.run.state, 'library', open(asking, 'library').body),
    invent: (value) => ({ ...value, history: 'Similar goals attempted: 40' }),
    cited: books.records,
  };
}

function leaf() {
  const asking = replayed(planner, readRecords('planner-e7-actuals'), 'resolve');
  const { body } = open(asking, 'resolve');
  const recorded = readRecords('controller-e2e-success');
  const genesis = recorded[0].payload;
  const task = { ...genesis, run_id: 'leaf', input: { ...genesis.input, text: body.goal } };
  const worked = replayed(controller, [{ ...recorded[0], payload: task }, ...recorded.slice(1)]);
  return {
    name: 'leaf-output',
    what: 'a planner told by a leaf what its run made',
    forged: 'a planner told of a file that the run of a leaf never wrote',
    told: (value) => tell(asking, open(asking, 'resolve'), value, worked.records).records,
    honest: derivePlannerAnswer(worked.records, { kind: 'resolve', body }, null, {}),
    invent: (value) => {
      value.artifact.content.files.pop();
      return value;
    },
    cited: worked.records,
  };
}

function opened(machine, given) {
  return orThrow(openRun(machine, { ts_base: '2026-11-28', input: {}, ...given }));
}

function open({ run }, kind) {
  return openRequests(run).find((request) => request.kind === kind);
}

/** A recorded run anew, up to the first request of a kind. */
function replayed(machine, [genesis, ...records], kind = null) {
  const { run_id, ts_base, policy, input } = genesis.payload;
  let at = opened(machine, { run_id, ts_base, policy, input });
  for (const { kind: of, payload } of records) {
    if (of !== 'proposal') continue;
    if (kind !== null && open(at, kind) !== undefined) break;
    const { proposal_hash: _, ...answer } = payload;
    at = next(at, answer);
  }
  return at;
}

function tell(at, { id }, value, cited) {
  const cites = [{ run_id: cited[0].payload.run_id, count: cited.length, hash: cited.at(-1).record_hash }];
  return next(at, { ...ANSWER, request_id: id, value, cites });
}

function next({ run, records }, answer) {
  const step = orThrow(advance(run, answer));
  return { run: step.run, records: [...records, ...step.records] };
}

function kept(records) {
  return { [`${KEPT}/${records[0].payload.run_id}.ledger.jsonl`]: fileOf(linesOf(records)) };
}
