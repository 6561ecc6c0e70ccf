/**
 * Runs made anew without `@assay/verifier/impact`: a slow driver that looks for the recorded answer of each
 * request, and classes told by comparing plain text. What the library says is held against it.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { advance, hashCanonical, openRequests, openRun, orThrow } from '@assay/kernel';

/** The runtime's own digest. */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The records of a ledger file's text. */
export function recordsIn(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Drives a run under another policy with the recorded answers, each given to who asks the same.
 *
 * @param {(answer: { source: string }, request: { kind: string }) => boolean} isOut
 */
export function madeAnew(machine, recorded, policy, isOut = () => false) {
  const genesis = recorded[0]?.payload;
  const { run_id, ts_base, input, base } = genesis;
  const asked = new Map();
  const opened = orThrow(
    openRun(machine, { run_id, ts_base, policy, input, base, engine: genesis.machine.engine }, { sha256 }),
  );
  let { run } = opened;
  const leftOver = new Set();
  const records = [...opened.records];
  for (const { request } of Object.values(base?.snapshot?.open ?? {})) asked.set(request.id, request);
  for (const [index, { kind, payload }] of recorded.entries()) {
    if (kind === 'decision') for (const request of payload.requests) asked.set(request.id, request);
    const next = recorded[index + 1];
    const isLate = next?.kind === 'rejection' && next.payload.code === 'not_open';
    if (kind !== 'proposal' || isLate || run.outcome !== null) continue;
    const { proposal_hash: _, ...answer } = payload;
    const from = asked.get(answer.request_id);
    const to = openRequests(run).find((open) => question(open) === question(from));
    if (to === undefined) {
      leftOver.add(index);
      continue;
    }
    const given = isOut(answer, from) ? silence(answer) : answer;
    const step = orThrow(advance(run, { ...given, request_id: to.id }));
    run = step.run;
    records.push(...step.records);
  }
  return { records, leftOver, waits: run.outcome === null ? openRequests(run) : [] };
}

/** The class of a run made anew beside the recorded one; `own`: it made anew under its own policy. */
export function classAnew(recorded, { records, leftOver, waits }, own) {
  const known = own.waits.map(question);
  const missing = waits.map(question).filter((one) => {
    const at = known.indexOf(one);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
  const isActing = actsOtherwise(recorded, records, leftOver);
  if (missing.length > 0) return isActing ? 'flipped' : 'cannot_be_known';
  if (isActing || endText(recorded) !== endText(records)) return 'flipped';
  return decisions(recorded) === decisions(records) ? 'same' : 'same_end';
}

/** Whether a tool or a person is asked what they were not, or no longer (of answers that were given, or in the end). */
function actsOtherwise(recorded, records, leftOver) {
  const [before, after] = [actsIn(recorded), actsIn(records)];
  const isEnded = records.at(-1)?.kind === 'close';
  return (
    beyond(after, before).length > 0 ||
    beyond(before, after).some(({ answer }) => isEnded || !leftOver.has(answer))
  );
}

function beyond(acts, others) {
  const left = others.map(({ key }) => key);
  return acts.filter(({ key }) => {
    const at = left.indexOf(key);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** What tools and people are asked; where words could answer too, only what they did answer. */
function actsIn(records) {
  const acted = records.flatMap(({ kind, payload }) =>
    kind === 'proposal' && ['tool', 'human'].includes(payload.source) ? [payload.request_id] : [],
  );
  return records.flatMap(({ kind, payload }, index) =>
    (kind === 'decision' ? payload.requests : []).flatMap(({ id, kind: name, accepts, body, attempts }) => {
      const by = ['tool', 'human'].filter((source) => accepts.includes(source));
      const isWords = ['live_model', 'recorded_model', 'rule'].some((source) => accepts.includes(source));
      const isAct = attempts > 0 && by.length > 0 && (!isWords || acted.includes(id));
      return isAct ? [{ key: canonicalText([name, by, body]), answer: index - 1 }] : [];
    }),
  );
}

function question({ kind, body }) {
  return orThrow(hashCanonical([kind, body], sha256));
}

function silence({ request_id, at_us }) {
  return {
    request_id,
    source: 'synthetic',
    proposer: 'fixture:what-if',
    confidence: null,
    value: null,
    failure: { code: 'unavailable', final: true, detail: { code: 'left_out' } },
    at_us,
    spent: {},
    cites: [],
    provenance: {},
  };
}

/** Without hashes, and without the request numbers that a rejection more or less shifts. */
function plain(text) {
  return text.replaceAll(/"[0-9a-f]{64}"/g, '"#"').replaceAll(/"[0-9]+\.[0-9]+"/g, '"#"');
}

function endText(records) {
  const close = records.at(-1)?.kind === 'close' ? records.at(-1)?.payload : null;
  const artifacts = new Map(
    records.flatMap(({ kind, payload }) => (kind === 'artifact' ? [[payload.name, payload.content]] : [])),
  );
  return plain(canonicalText([close?.status ?? null, close?.reasons ?? [], Object.fromEntries(artifacts)]));
}

/** Every decision but the first, which repeats the policy, and what the first one asks. */
function decisions(records) {
  const all = records.filter(({ kind }) => kind === 'decision').map(({ payload }) => payload);
  const said = all.map(({ events, graph, requests, withdrawn }, index) =>
    index === 0 ? [requests, withdrawn] : [events, graph, requests, withdrawn],
  );
  return plain(canonicalText(said));
}

/** JSON text with the keys of each object in order. */
function canonicalText(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
