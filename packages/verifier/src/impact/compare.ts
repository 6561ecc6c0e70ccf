/**
 * A run beside the same run decided anew: whether every decision is equal, and what it came to.
 *
 * @module
 */
import {
  admit,
  compareText,
  isArray,
  isObject,
  field,
  type ArtifactPayload,
  type ClosePayload,
  type DecisionPayload,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type RecordedProposal,
  type Request,
  type Status,
} from '@assay/kernel';
import type { Account } from '@assay/kernel/view';
import { listDifferences, diffLedgers, type Found } from '../diff/diff.js';
import { collectLabels, listSteps } from '../diff/normalize.js';
import type { Overridden } from './change.js';
import { isFigure, isHash, isSameText, OPENING } from './parting.js';

/** How a run ends: null while it is open. */
export type RunEnd = { readonly status: Status | null; readonly reasons: readonly string[] };

/**
 * What flips. `outcome`: status or reasons; `effect`: a request to a tool or a person is no longer made, or made
 * anew; `artifact`: what an artifact says; `figures`: artifacts differ in figures, also those in a text, and hashes
 * of them, alone.
 */
export type FlipKind = 'outcome' | 'effect' | 'artifact' | 'figures';

/**
 * One flip, from what to what. `name`: of the artifact, or the kind of the request; `field`: a JSON pointer into the
 * artifact. Of a request one side is its body and the other null.
 */
export type Turn = {
  readonly kind: FlipKind;
  readonly name: string;
  readonly field: string;
  readonly was: Json;
  readonly would_be: Json;
};

/** How a run ends. */
export function readEnd(records: readonly EvidenceRecord[]): RunEnd {
  const last = records.at(-1);
  if (last?.kind !== 'close') return { status: null, reasons: [] };
  const { status, reasons } = last.payload as unknown as ClosePayload;
  return { status, reasons };
}

/**
 * The first decision that differs, null where every one is equal. What only repeats the change in events and
 * graph of the first decision, before anybody answered, is no difference. Linear.
 */
export function firstDiffering(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  changed: readonly Overridden[],
): number | null {
  if (isTwin(was, would)) return null;
  const echoes = changed.flatMap((one) => listLeaves(one.was, one.would_be));
  const diff = diffLedgers(
    was,
    would,
    ({ decision, field: at, left, right }) =>
      decision === 0 &&
      OPENING.test(at) &&
      echoes.some((echo) => echo.was === left && echo.would_be === right),
  );
  return diff.kind === 'equal' ? null : diff.decision;
}

/** The same kinds and payloads after the genesis: a decision that is equal to the byte needs no closer look. */
function isTwin(was: readonly EvidenceRecord[], would: readonly EvidenceRecord[]): boolean {
  return (
    was.length === would.length &&
    was.every((record, index) => {
      const other = would[index];
      return index === 0 || (record.kind === other?.kind && record.payload_hash === other.payload_hash);
    })
  );
}

/**
 * How the results of two runs differ: outcome, then effects, then artifacts by name; null where they are equal.
 * `account`: what tells only how a result was reached. The one classifier of `impact`, `whatif` and `blame`.
 */
export function findTurn(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  account: Account,
): Turn | null {
  const [before, after] = [readEnd(was), readEnd(would)];
  if (before.status !== after.status || before.reasons.join() !== after.reasons.join())
    return { kind: 'outcome', name: '', field: '', was: asJson(before), would_be: asJson(after) };
  return changedEffect(was, would, true) ?? changedArtifact(was, would, account);
}

/**
 * The first request to a tool or a person that one run made and the other did not, compared by kind, body and which of
 * the two may answer, each as often as it was made. One that a model or a rule may answer as well counts if a tool or a
 * person answered it. Standing invitations are made again with each decision, and do not count. `isWhole`: false where
 * the second run waits for an answer that nobody gave: what it does not request may come later.
 */
export function changedEffect(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  isWhole: boolean,
): Turn | null {
  const counts = new Map<string, number>();
  const key = ({ kind, body, accepts }: Request): string =>
    `${kind} ${ACTORS.filter((source) => accepts.includes(source)).join()} ${text(body)}`;
  const [left, right] = [effectsIn(was), effectsIn(would)];
  for (const one of left) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  for (const one of right) counts.set(key(one), (counts.get(key(one)) ?? 0) - 1);
  const odd = (sign: number) => (one: Request) => Math.sign(counts.get(key(one)) ?? 0) === sign;
  const gone = isWhole ? left.find(odd(1)) : undefined;
  if (gone !== undefined)
    return { kind: 'effect', name: gone.kind, field: '', was: gone.body, would_be: null };
  const anew = right.find(odd(-1));
  return anew === undefined
    ? null
    : { kind: 'effect', name: anew.kind, field: '', was: null, would_be: anew.body };
}

const ACTORS = ['tool', 'human'] as const;
const WORDS: ReadonlySet<string> = new Set(['live_model', 'recorded_model', 'rule']);

function effectsIn(records: readonly EvidenceRecord[]): readonly Request[] {
  const acted = new Set(
    records.flatMap(({ kind, payload }) => {
      if (kind !== 'proposal' || payload === undefined) return [];
      const { source, request_id } = payload as unknown as RecordedProposal;
      return source === 'tool' || source === 'human' ? [request_id] : [];
    }),
  );
  const isEffect = ({ id, accepts, attempts }: Request): boolean =>
    attempts > 0 &&
    ACTORS.some((source) => accepts.includes(source)) &&
    (acted.has(id) || !accepts.some((source) => WORDS.has(source)));
  return records.flatMap(({ kind, payload }) =>
    kind === 'decision' && payload !== undefined
      ? (payload as unknown as DecisionPayload).requests.filter(isEffect)
      : [],
  );
}

function text(value: Json): string {
  const admitted = admit(value);
  return admitted._tag === 'Right' ? admitted.right.text : '';
}

function changedArtifact(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  account: Account,
): Turn | null {
  const [left, right] = [collectContents(was), collectContents(would)];
  const [leftNames, rightNames] = [namesIn(was), namesIn(would)];
  const same = (a: Json, b: Json): boolean =>
    a === b ||
    (typeof a === 'string' &&
      leftNames.has(a) &&
      typeof b === 'string' &&
      leftNames.get(a) === rightNames.get(b));
  const turns = [...new Set([...left.keys(), ...right.keys()])].sort(compareText).flatMap((name) => {
    const told = account[name] ?? [];
    const found = listDifferences(left.get(name), right.get(name), same).filter(
      (one) => !told.some((part) => one.field === part || one.field.startsWith(`${part}/`)),
    );
    const words = found.find((one) => !isFigure(one) && !isHash(one) && !isSameText(one));
    const first: Found | undefined = words ?? found.find(isFigure) ?? found[0];
    if (first === undefined) return [];
    const kind: FlipKind = words === undefined ? 'figures' : 'artifact';
    return [{ kind, name, field: first.field, was: first.left, would_be: first.right }];
  });
  return turns.find(({ kind }) => kind === 'artifact') ?? turns[0] ?? null;
}

/** The latest content of each artifact. */
function collectContents(records: readonly EvidenceRecord[]): ReadonlyMap<string, Json> {
  return new Map(
    records.flatMap(({ kind, payload }) => {
      if (kind !== 'artifact' || payload === undefined) return [];
      const { name, content } = payload as unknown as ArtifactPayload;
      return [[name, content] as const];
    }),
  );
}

/** What hashes and ids stand for, whatever the decision that they belong to; a fork has a name of its own. */
function namesIn(records: readonly EvidenceRecord[]): ReadonlyMap<string, string> {
  const genesis = records[0]?.payload as unknown as Genesis | undefined;
  return new Map([
    [genesis?.run_id ?? '', 'run'],
    ...[...collectLabels(records, listSteps(records))].map(
      ([hash, label]) =>
        [
          hash,
          label.replace(/^record .*$/, 'record').replace(/^(artifact .*) of decision [0-9]+$/, '$1'),
        ] as const,
    ),
  ]);
}

function asJson({ status, reasons }: RunEnd): Json {
  return { status, reasons };
}

/** Scalars that differ, each before and after; what is missing on one side is null there. */
function listLeaves(was: Json, is: Json): readonly { readonly was: Json; readonly would_be: Json }[] {
  if (isArray(was) && isArray(is))
    return Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
      listLeaves(was[index] ?? null, is[index] ?? null),
    ).flat();
  if (isObject(was) && isObject(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
      listLeaves(field(was, key) ?? null, field(is, key) ?? null),
    );
  return was === is ? [] : [{ was, would_be: is }];
}
