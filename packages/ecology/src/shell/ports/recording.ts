/**
 * Recorded minds: what agents answered, in the order in which they were asked, served again. Written by hand, or taken
 * from the ledger of a run that models played.
 *
 * Format `assay-mind/0`: {format, by, answers: {NAME: [{value, at_us?, spent?, provenance?}, …]}}. NAME is what was
 * asked: `act AGENT`, `score ARTIFACT`, `effect TARGET`, `clock`. `by`: who answered, `fixture:NAME` for what was written by hand;
 * of a model its answers have provenance {provider, model, date, raw_response_hash}.
 *
 * @module
 */
import { Later, type Port, type PortAnswer, type Ports } from '@assay/host';
import {
  err,
  field,
  isArray,
  isObject,
  isProposer,
  ok,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type Proposal,
  type Result,
} from '@assay/kernel';
import { nameAsked, type Watched } from './watch.js';

/** Version of the file's shape. */
export const MIND_FORMAT = 'assay-mind/0';

type Answer = Pick<Proposal, 'value' | 'spent' | 'provenance' | 'at_us'>;

/** A recording, read and checked. */
export type MindRecording = {
  readonly by: string;
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
};

const MODEL_KEYS = ['provider', 'model', 'date', 'raw_response_hash'];

/** Reads a recording from JSON. Error `bad_recording` at a path. */
export function parseMindRecording(
  value: Json,
): Result<{ readonly code: 'bad_recording'; readonly path: string }, MindRecording> {
  const bad = (path: string) => err({ code: 'bad_recording', path } as const);
  if (!isObject(value) || field(value, 'format') !== MIND_FORMAT) return bad('/format');
  const [by, answers] = [field(value, 'by'), field(value, 'answers')];
  if (typeof by !== 'string' || !isProposer(by)) return bad('/by');
  if (answers === undefined || !isObject(answers)) return bad('/answers');
  const read = new Map<string, readonly Answer[]>();
  for (const [name, list] of Object.entries(answers)) {
    if (!isArray(list)) return bad(`/answers/${name}`);
    const own: Answer[] = [];
    for (const [at, one] of list.entries()) {
      const path = `/answers/${name}/${at}`;
      if (!isObject(one) || field(one, 'value') === undefined) return bad(path);
      const { value: said = null, at_us = null, spent = {}, provenance = {} } = one;
      const isTime = at_us === null || (typeof at_us === 'number' && Number.isSafeInteger(at_us));
      if (!isTime || !isObject(spent) || !isObject(provenance)) return bad(path);
      // Nothing written by hand passes for an answer of a model.
      const isModel = MODEL_KEYS.every((key) => typeof field(provenance, key) === 'string');
      if (isModel === by.startsWith('fixture:')) return bad(`${path}/provenance`);
      own.push({ value: said, at_us, spent: spent as Proposal['spent'], provenance });
    }
    read.set(name, own);
  }
  return ok({ by, answers: read });
}

/** What models answered in a run, as a recording: its accepted answers to `act`, `score` and `effect`. */
export function makeMindRecording(records: readonly EvidenceRecord[], by: string): JsonObject {
  const asked = new Map<string, string>();
  const answers: { [name: string]: Json[] } = {};
  for (const [at, { kind, payload }] of records.entries()) {
    if (kind === 'decision')
      for (const { id, kind: of, body } of (payload as never as { requests: readonly Asked[] }).requests)
        asked.set(id, nameAsked(of, body));
    if (kind !== 'proposal' || records[at + 1]?.kind !== 'decision') continue;
    const { request_id, source, value, at_us, spent, provenance, failure } = payload as never as Proposal;
    const name = asked.get(request_id);
    if (name === undefined || failure !== null || !source.endsWith('_model')) continue;
    (answers[name] ??= []).push({ value, at_us, spent, provenance });
  }
  return { format: MIND_FORMAT, by, answers };
}

type Asked = { readonly id: string; readonly kind: string; readonly body: Json };

/** A recording as ports. A name that is not in it is null; one whose answers are served waits. */
export function recordedMind({ by, answers }: MindRecording, { count }: Pick<Watched, 'count'>): Ports {
  const source = by.startsWith('fixture:') ? 'synthetic' : 'recorded_model';
  return ({ kind, body }) => {
    const name = nameAsked(kind, body);
    const list = answers.get(name);
    if (list === undefined) return null;
    const perform = (): Promise<PortAnswer> => {
      const next = list[count(name)];
      return next === undefined ? Promise.reject(new Later()) : Promise.resolve(next);
    };
    return { source, proposer: by, perform } satisfies Port;
  };
}
