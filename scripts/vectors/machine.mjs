/**
 * The language-neutral vectors of runs: `vectors/requests.json`, `state-hash.json`, `heads.json`.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import {
  advance,
  compareRequestIds,
  makeContinuation,
  encodeLine,
  formatHeadLine,
  hashCanonical,
  makeHead,
  isRequestId,
  openRun,
  orThrow,
  parseHeadLine,
  snapshot,
  summaryHash,
} from '../../packages/kernel/dist/index.js';
import { tally } from '../../packages/testing/dist/index.js';
import { answersIn, readRecords } from '../lib/goldens.mjs';

const ANSWER = {
  source: 'synthetic',
  proposer: 'fixture:vector',
  confidence: null,
  value: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

const committed = (name) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8'));

/** A ledger with the run as it stands after each whole group. */
function play(genesis, answers) {
  const opened = orThrow(openRun(tally, genesis));
  const records = [...opened.records];
  const stops = [{ run: opened.run, count: records.length }];
  for (const answer of answers) {
    const step = orThrow(advance(stops.at(-1).run, { ...ANSWER, ...answer }));
    records.push(...step.records);
    stops.push({ run: step.run, count: records.length });
  }
  return { records, stops, lines: records.map(encodeLine) };
}

/** Genesis and answers of a golden run; those that a fixture gave are given by a vector here. */
function byName(name, file) {
  const records = readRecords(name, file);
  const { run_id, ts_base, policy, input } = records[0].payload;
  const answers = answersIn(records).map(({ proposer, ...answer }) => ({
    ...answer,
    proposer: proposer === 'fixture:tally' ? ANSWER.proposer : proposer,
  }));
  return { genesis: { run_id, ts_base, policy, input }, answers };
}

const short = (name, count) => ({ ...byName(name), answers: byName(name).answers.slice(0, count) });

function ledgers() {
  const of = ({ genesis, answers }) => play(genesis, answers);
  const { genesis, answers } = byName('tally-continuation');
  const parent = of(byName('tally-continuation', 'base.ledger.jsonl'));
  const carried = makeContinuation(snapshot(parent.stops.at(-1).run));
  return {
    'rejections, failures and spend': of(byName('tally-spend-and-failures')),
    'open requests withdrawn at the end': of(byName('tally-refused')),
    'a growing state': of(short('tally-growing', 12)),
    'a base that is continued': parent,
    'its continuation': play({ ...genesis, base: carried }, answers),
    'ids past nine': of({
      genesis: { ...byName('tally-refused').genesis, policy: { voters: 11, quorum: 1, attempts: 1 } },
      answers: [
        { request_id: '1.10', value: { option: 'ridge' } },
        { request_id: '1.11', value: { note: 'later' } },
      ],
    }),
  };
}

function requestVectors(all) {
  const { about, ids, order } = committed('requests');
  return {
    about,
    tables: Object.entries(all).map(([name, { lines, stops }]) => ({
      name,
      lines,
      tables: stops.map(({ run, count }) => ({
        after: count,
        open: Object.fromEntries(run.open.sorted(compareRequestIds)),
      })),
    })),
    ids: ids.map(({ id }) => ({ id, is_request_id: isRequestId(id) })),
    order: { given: order.given, sorted: order.given.toSorted(compareRequestIds) },
  };
}

/** A last proposal padded so that n is exactly L, and one byte less. */
function exact() {
  const { genesis } = byName('tally-refused');
  const opened = orThrow(openRun(tally, genesis));
  const ballot = (fill) => ({
    request_id: '1.0',
    value: { option: 'ridge' },
    provenance: { fill: 'x'.repeat(fill) },
  });
  const empty = Buffer.byteLength(
    canonical(orThrow(advance(opened.run, { ...ANSWER, ...ballot(0) })).records[0].payload),
  );
  const fill = opened.run.pace.stateBytes - empty;
  return {
    'n equals L': play(genesis, [ballot(fill)]),
    'n is one below L': play(genesis, [ballot(fill - 1)]),
  };
}

function canonical(value) {
  const line = encodeLine({
    kind: '',
    parent: null,
    payload: value,
    payload_hash: '',
    record_hash: '',
    ts: '',
    v: 1,
  });
  return line.slice(
    '{"kind":"","parent":null,"payload":'.length,
    -',"payload_hash":"","record_hash":"","ts":"","v":1}'.length,
  );
}

function stateVectors(all) {
  return {
    about: committed('state-hash').about,
    ledgers: Object.entries({ ...exact(), ...all }).map(([name, { lines, records, stops }]) => {
      const decisions = records.flatMap(({ kind }, index) => (kind === 'decision' ? [index] : []));
      let since = null;
      let length = null;
      let counted = 0;
      const states = decisions.map((at) => {
        const { run } = stops.find(({ count }) => count > at);
        const state = {
          artifacts: Object.fromEntries(run.artifacts),
          machine: tally.encode(run.state),
          open: Object.fromEntries(run.open),
          t: 'state',
        };
        const text = canonical(state);
        if (length !== null)
          since = records
            .slice(counted, at)
            .reduce((sum, { payload }) => sum + Buffer.byteLength(canonical(payload)), 0);
        const carried = records[at].payload.state_hash;
        const item = { record: at, state: text, length: Buffer.byteLength(text), since, state_hash: carried };
        if ((length === null || since >= length) !== (carried !== null))
          throw new Error(`${name}: record ${at} is against the rule`);
        if (carried !== null && carried !== orThrow(hashCanonical(state)))
          throw new Error(`${name}: record ${at} carries another hash`);
        if (carried !== null) {
          length = item.length;
          const next = records.findIndex(
            ({ kind }, index) => index > at && kind !== 'artifact' && kind !== 'close',
          );
          counted = next === -1 ? records.length : next;
        }
        return item;
      });
      const last = records.at(-1);
      return { name, lines, states, close: last.kind === 'close' ? last.payload.state_hash : null };
    }),
  };
}

function headVectors(all) {
  const { about, lines: texts } = committed('heads');
  return {
    about,
    ledgers: ['open requests withdrawn at the end', 'a base that is continued', 'its continuation'].map(
      (name) => {
        const { lines, records, stops } = all[name];
        const { run } = stops.at(-1);
        const { run_id, count } = makeHead(run);
        const first = count - records.length;
        const heads = records.map(({ record_hash }, index) => ({
          run_id,
          count: first + index + 1,
          hash: record_hash,
        }));
        return {
          name,
          lines,
          heads: heads.map((head) => ({ ...head, line: formatHeadLine(head) })),
          summary_hash: run.outcome === null ? null : summaryHash(run),
        };
      },
    ),
    lines: texts.map(({ line }) => {
      const read = parseHeadLine(line);
      return { line, head: read._tag === 'Right' ? read.right : null };
    }),
  };
}

/** The content of each file, by its name. */
export function machineVectors() {
  const all = ledgers();
  return { requests: requestVectors(all), 'state-hash': stateVectors(all), heads: headVectors(all) };
}
