/**
 * A session as a run of the gate that only watches: each call is `watched`, and what came of it answers `perform`.
 * Source: gate/G18.
 *
 * @module
 */
import {
  advance,
  compareText,
  cutText,
  hashText,
  isProposer,
  isRunId,
  nobleSha256,
  openRun,
  orThrow,
  type Digest,
  type EvidenceRecord,
  type JsonObject,
  type Sha256,
} from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { gate } from '../machine/machine.js';
import { completePolicy } from '../policy/policy.js';
import type { Call, Session } from './session.js';
import { formatDay } from './time.js';

/** A session as a ledger. `leftOut`: calls that a ledger cannot hold. */
export type ImportedRun = {
  readonly run_id: string;
  readonly records: readonly EvidenceRecord[];
  readonly leftOut: number;
};

/** No rules: the gate only watches. */
const WATCH = completePolicy({ gate: 1, mode: 'observe' });
const NAME_MAX = 256;
const RUN_ID_MAX = 100;

/**
 * Run ids of sessions, in their order: the format and the session's own id, as far as a run id may hold it; with a
 * number where two would be one.
 */
export function nameRuns(sessions: readonly Session[]): readonly string[] {
  const taken = new Set<string>();
  return sessions.map(({ format, id }) => {
    const words = `${format}-${id}`.replaceAll(/[^A-Za-z0-9._~-]/g, '_').slice(0, RUN_ID_MAX);
    const base = isRunId(words) ? words : `${words.replaceAll(/\.+$/g, '')}_`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}~${n}`;
    taken.add(name);
    return name;
  });
}

/** The hash of each file of a session, for its genesis. */
export type FileHashes = ReadonlyMap<string, Digest>;

/**
 * The ledger of a session, closed. Calls stand in order of time where all have one, else as in the trace; one that
 * nothing came of is `lost` at once. What a trace does not say is named in `provenance.unknown`.
 */
export function makeRun(
  session: Session,
  run_id: string,
  hashes: FileHashes,
  { sha256 = nobleSha256 }: { readonly sha256?: Sha256 } = {},
): ImportedRun {
  const { format, id } = session;
  const [from = null, ...more] = session.files.map((file) => ({ file, sha256: hashes.get(file) ?? null }));
  const genesis = {
    ...{ run_id, ts_base: 'import', policy: WATCH },
    input: {
      about: cutText(`${format} session ${id}`, NAME_MAX),
      from: { format, session: id, ...from, ...(more.length === 0 ? {} : { more }) },
    },
  };
  const opened = orThrow(openRun(gate, genesis, { sha256 }));
  const records: EvidenceRecord[] = [...opened.records];
  let { run } = opened;
  const answer = (given: JsonObject): readonly string[] | null => {
    const step = advance(run, { confidence: null, failure: null, spent: {}, cites: [], ...given });
    if (step._tag === 'Left') return null;
    ({ run } = step.right);
    for (const record of step.right.records) records.push(record);
    return step.right.rejection === null ? listAsked(step.right.records) : null;
  };
  const [call, close] = listAsked(opened.records);
  let invitation = call ?? '';
  let leftOut = 0;
  const open = new Map<Call, string>();
  for (const { call: one, isEnd } of orderMoments(session.calls)) {
    if (isEnd) {
      const request_id = open.get(one);
      if (request_id !== undefined) answer({ request_id, ...describeEnd(one, format) });
      continue;
    }
    const asked = answer({ request_id: invitation, ...describeCall(one, format, sha256) });
    if (asked === null) leftOut += 1;
    else {
      invitation = asked[0] ?? '';
      open.set(one, asked[1] ?? '');
    }
  }
  answer({
    request_id: close ?? '',
    at_us: null,
    ...describeImporter(format),
    source: 'synthetic',
    value: {},
  });
  return { run_id, records, leftOut };
}

/** The ids of what a decision asked for. */
function listAsked(records: readonly EvidenceRecord[]): readonly string[] {
  const decision = records.find(({ kind }) => kind === 'decision')?.payload;
  return listObjects(readField(decision, 'requests')).map((request) => readText(request, 'id'));
}

type Moment = {
  readonly call: Call;
  readonly isEnd: boolean;
  readonly at: number | null;
  readonly order: number;
};

function orderMoments(calls: readonly Call[]): readonly Moment[] {
  const moments = calls.flatMap((call, order): readonly Moment[] => [
    { call, isEnd: false, at: call.at, order },
    { call, isEnd: true, at: call.end?.at ?? call.at, order },
  ]);
  if (moments.some(({ at }) => at === null)) return moments;
  return moments.toSorted(
    (a, b) => Number(a.at) - Number(b.at) || a.order - b.order || Number(a.isEnd) - Number(b.isEnd),
  );
}

function describeImporter(format: string): JsonObject {
  return { proposer: `import/${format}`, provenance: { imported: { format } } };
}

/** Who brought a call, and where it stands. A model's word needs provider, model, day and the hash of its message. */
function describeCall(call: Call, format: string, sha256: Sha256): JsonObject {
  const { said, at, input, file, line, tool } = call;
  const isRecorded = said !== null && said.provider !== null && at !== null;
  const unknown = [
    ...(isRecorded ? [] : ['model_response']),
    ...(at === null ? ['time'] : []),
    ...(input === null ? ['input'] : []),
  ].toSorted(compareText);
  const model = said === null || !isProposer(said.model) ? `import/${format}` : said.model;
  return {
    ...{ source: isRecorded ? 'recorded_model' : 'synthetic', proposer: model, at_us: at },
    value: {
      ...{ principal: nameIt(call.principal), call_id: nameIt(call.id), tool: nameIt(tool) },
      ...{ input: input?.json ?? null, digest: input?.digest ?? hashText('null', sha256) },
    },
    provenance: {
      ...(isRecorded
        ? { provider: said.provider, model: said.model, date: formatDay(at), raw_response_hash: said.hash }
        : {}),
      imported: { format, file, line },
      unknown,
    },
  };
}

/** What came of a call. What nobody answered is lost: whether it took effect is not known. */
function describeEnd({ end }: Call, format: string): JsonObject {
  const from = { ...describeImporter(format), source: 'tool', at_us: end?.at ?? null };
  if (end === null) return { ...from, value: null, failure: { code: 'lost', final: true, detail: null } };
  if (end.by !== null)
    return { ...from, value: null, failure: { code: 'denied', final: true, detail: { by: end.by } } };
  const { json, digest, bytes } = end.result;
  return { ...from, value: { ok: end.isOk, digest, bytes, result: json } };
}

function nameIt(text: string): string {
  return cutText(text, NAME_MAX) || 'unknown';
}
