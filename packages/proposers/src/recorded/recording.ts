/**
 * Recordings: answers kept in a file, found again by what was asked.
 *
 * Format `assay-recorded/0`: {format, entries: [{ask_hash, ask: {kind, body}, proposal}]}, ask_hash = H({t:
 * "ask", kind, body}). A proposal holds {source, proposer, confidence, value, failure, provenance}.
 *
 * What the provenance of a recorded answer must be to fit itself. It shows what was changed in a file by
 * hand and forgotten elsewhere; whoever changes all of it to fit is not found out. Source: machine
 * interface; `Ask`; design §2.
 */
import {
  err,
  FAILURE_CODES,
  hashCanonical,
  isArray,
  isObject,
  isProposer,
  ok,
  SOURCES,
  type Digest,
  type Failure,
  type FailureCode,
  type Json,
  type JsonObject,
  type Result,
  type Source,
  isDigest,
} from '@assay/kernel';
import { nativeSha256 } from '@assay/host';

/** Version of the file's shape. */
export const RECORDING_FORMAT = 'assay-recorded/0';

/** What was asked: no run id, so it is the same in every run. */
export type RecordedAsk = { readonly kind: string; readonly body: Json };

/**
 * A recorded answer, with the source it will be given under: of a live model `recorded_model`, any other its
 * own; the provenance of a person's says `recorded`.
 */
export type RecordedAnswer = {
  readonly source: Source;
  readonly proposer: string;
  readonly confidence: number | null;
  readonly value: Json;
  readonly failure: Failure | null;
  readonly provenance: JsonObject;
};

/** One entry of a recording. */
type RecordedEntry = {
  readonly askHash: Digest;
  readonly ask: RecordedAsk;
  readonly answer: RecordedAnswer;
};

/** A recording, read and checked. */
export type Recording = { readonly entries: readonly RecordedEntry[] };

/**
 * Why a file is no recording. `shape`: not the closed form, at `path`. `ask_hash`: not the hash of its ask.
 * `duplicate`: asked twice. `provenance`: an answer of a model without provider, model, date (a day) or
 * raw_response_hash (a SHA-256), or any answer whose raw_response is whole and has another hash or length
 * than it says. `source`: a source that cannot be recorded, or a person with the provenance of a model.
 * `proposer`: source `synthetic` (written by hand) without a proposer `fixture:NAME`, or that name with
 * another source: nothing written by hand passes for an answer.
 */
export type RecordingError = {
  readonly code: 'shape' | 'ask_hash' | 'duplicate' | 'provenance' | 'source' | 'proposer';
  readonly path: string;
};

/** How the proposer of an answer written by hand begins. Source: design §2. */
const FIXTURE = 'fixture:';

/** H({t: "ask", kind, body}), or null for a body that is no admitted JSON. */
export function askHash({ kind, body }: RecordedAsk): Digest | null {
  const hashed = hashCanonical({ t: 'ask', kind, body }, nativeSha256);
  return hashed._tag === 'Right' ? hashed.right : null;
}

/** Reads a recording from parsed JSON. Total; the first fault in file order is named. */
export function parseRecording(value: Json): Result<RecordingError, Recording> {
  if (
    !isObject(value) ||
    value['format'] !== RECORDING_FORMAT ||
    !isArray(value['entries']) ||
    Object.keys(value).length !== 2
  )
    return fault('shape', '');
  const entries: RecordedEntry[] = [];
  const known = new Set<string>();
  for (const [index, given] of value['entries'].entries()) {
    const entry = readEntry(given, `/entries/${index}`);
    if (entry._tag === 'Left') return entry;
    if (known.has(entry.right.askHash)) return fault('duplicate', `/entries/${index}/ask_hash`);
    known.add(entry.right.askHash);
    entries.push(entry.right);
  }
  return ok({ entries });
}

function readEntry(given: Json, path: string): Result<RecordingError, RecordedEntry> {
  if (!isObject(given) || Object.keys(given).length !== 3) return fault('shape', path);
  const ask = given['ask'];
  if (
    !isObject(ask) ||
    typeof ask['kind'] !== 'string' ||
    ask['body'] === undefined ||
    Object.keys(ask).length !== 2
  )
    return fault('shape', `${path}/ask`);
  const asked: RecordedAsk = { kind: ask['kind'], body: ask['body'] };
  const hash = askHash(asked);
  if (hash === null || given['ask_hash'] !== hash) return fault('ask_hash', `${path}/ask_hash`);
  const answer = readAnswer(given['proposal'] ?? null, `${path}/proposal`);
  return answer._tag === 'Left' ? answer : ok({ askHash: hash, ask: asked, answer: answer.right });
}

function readAnswer(given: Json, path: string): Result<RecordingError, RecordedAnswer> {
  if (!isObject(given)) return fault('shape', path);
  const other = Object.keys(given).find((key) => !ANSWER_KEYS.has(key));
  if (other !== undefined) return fault('shape', `${path}/${pointerPart(other)}`);
  const { source, proposer, confidence = null, value = null, failure = null, provenance = {} } = given;
  if (typeof proposer !== 'string' || !isProposer(proposer)) return fault('shape', `${path}/proposer`);
  const known = SOURCES.find((one) => one === source);
  // A clock or another run speaks now or not at all.
  if (known === undefined || known === 'clock' || known === 'run') return fault('source', `${path}/source`);
  if ((known === 'synthetic') !== proposer.startsWith(FIXTURE)) return fault('proposer', `${path}/proposer`);
  if (confidence !== null && typeof confidence !== 'number') return fault('shape', `${path}/confidence`);
  if (!isObject(provenance)) return fault('shape', `${path}/provenance`);
  const failed = readFailure(failure);
  if (failed === undefined) return fault('shape', `${path}/failure`);
  const isModel = known === 'live_model' || known === 'recorded_model';
  const unsound = isModel && failed === null ? unsoundIn(provenance) : null;
  if (unsound !== null) return fault('provenance', `${path}/provenance/${unsound}`);
  if (isMisfit(provenance)) return fault('provenance', `${path}/provenance/raw_response_hash`);
  if (known === 'human' && isOfModel(provenance)) return fault('source', `${path}/source`);
  // There is no source for what a person said once: the record says it here.
  return ok({
    source: isModel ? 'recorded_model' : known,
    proposer,
    confidence,
    value,
    failure: failed,
    provenance: known === 'human' ? { ...provenance, recorded: true } : provenance,
  });
}

const ANSWER_KEYS: ReadonlySet<string> = new Set([
  'source',
  'proposer',
  'confidence',
  'value',
  'failure',
  'provenance',
]);

function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function readFailure(failure: Json): Failure | null | undefined {
  if (failure === null) return null;
  if (!isObject(failure) || typeof failure['final'] !== 'boolean') return undefined;
  const code: FailureCode | undefined = FAILURE_CODES.find((known) => known === failure['code']);
  return code === undefined
    ? undefined
    : { code, final: failure['final'], detail: failure['detail'] ?? null };
}

function fault(code: RecordingError['code'], path: string): Result<RecordingError, never> {
  return err({ code, path });
}

/** Provenance an answer of a model must have. Source: design §2. */
export const MODEL_PROVENANCE = ['provider', 'model', 'date', 'raw_response_hash'] as const;

/**
 * The key of an answer of a model whose value is missing or none: `date` is a day as YYYY-MM-DD,
 * `raw_response_hash` a SHA-256 in hexadecimal. Null where all are sound.
 */
export function unsoundIn(provenance: JsonObject): string | null {
  const { date, raw_response_hash: hash } = provenance;
  const missing = MODEL_PROVENANCE.find(
    (key) => typeof provenance[key] !== 'string' || provenance[key] === '',
  );
  if (missing !== undefined) return missing;
  if (typeof date !== 'string' || !isDay(date)) return 'date';
  return isDigest(hash) ? null : 'raw_response_hash';
}

/**
 * True where `raw_response` is all that came, and `raw_response_hash` or `raw_response_units` is of another
 * text.
 */
export function isMisfit({
  raw_response: raw,
  raw_response_hash: hash,
  raw_response_units: units,
}: JsonObject): boolean {
  if (typeof raw !== 'string' || typeof hash !== 'string') return false;
  // Of a text that was cut only the beginning is there, and the hash is of the whole.
  if (typeof units === 'number' && units > raw.length && raw.length >= CUT_UNITS) return false;
  return (
    (typeof units === 'number' && units !== raw.length) || nativeSha256(Buffer.from(raw, 'utf8')) !== hash
  );
}

/** Ports keep 262,144 units of a text, or one less where that would part a surrogate pair. */
const CUT_UNITS = 262_143;

/** True for the provenance that a model's answer has, and a person's has not. */
export function isOfModel({ provider, model }: JsonObject): boolean {
  return typeof provider === 'string' && typeof model === 'string';
}

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
