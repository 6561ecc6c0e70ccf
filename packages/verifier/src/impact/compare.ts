/** A run beside the same run decided anew: whether every decision is equal, and what it came to. */
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
 * One flip, from what to what. `name`: of the artifact, or the kind of the request and the tool its body names;
 * `field`: a JSON pointer into the artifact. Of a request one side is its body and the other null.
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
 * The first decision that differs, null if every one is equal. What only repeats the change in events and
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
 * How the results of two runs differ: outcome, then effects, then artifacts by name; null if they are equal.
 * `account`: what tells only how a result was reached; `isGiven`: as in `changedEffect`. The one classifier of
 * `impact`, `whatif` and `blame`.
 */
export function findTurn(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  account: Account,
  isGiven?: (answer: number) => boolean,
): Turn | null {
  const [before, after] = [readEnd(was), readEnd(would)];
  if (before.status !== after.status || before.reasons.join() !== after.reasons.join())
    return { kind: 'outcome', name: '', field: '', was: asJson(before), would_be: asJson(after) };
  return changedEffect(was, would, isGiven) ?? changedArtifact(was, would, account);
}

/**
 * The first request to a tool or a person that one run made and the other did not, compared by kind, body and which of
 * the two may answer, each as often as it was made. One that a model or a rule may answer as well counts if a tool or a
 * person answered it. Standing invitations are made again with each decision, and do not count. `isGiven`: whether the
 * second run, where it is still open, was given the answer at this position of the first: what followed from any other
 * may come later. Source: gate/G19.
 */
export function changedEffect(
  was: readonly EvidenceRecord[],
  would: readonly EvidenceRecord[],
  isGiven: (answer: number) => boolean = () => true,
): Turn | null {
  const [before, after] = [listEffects(was), listEffects(would)];
  const isEnded = would.at(-1)?.kind === 'close';
  const lost = beyond(before, after).find(({ answer }) => isEnded || isGiven(answer));
  const [anew] = beyond(after, before);
  const found = lost ?? anew;
  if (found === undefined) return null;
  const { kind, body } = found.request;
  const tool = isObject(body) ? field(body, 'tool') : undefined;
  return {
    kind: 'effect',
    name: typeof tool === 'string' ? `${kind} ${tool}` : kind,
    field: '',
    was: lost === undefined ? null : body,
    would_be: lost === undefined ? body : null,
  };
}

/** A request to a tool or a person. `key`: what it is compared by; `answer`: the position of what it followed from. */
type Effect = { readonly request: Request; readonly key: string; readonly answer: number };

const ACTORS = ['tool', 'human'] as const;
const WORDS: ReadonlySet<string> = new Set(['live_model', 'recorded_model', 'rule']);

function listEffects(records: readonly EvidenceRecord[]): readonly Effect[] {
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
  return records.flatMap(({ kind, payload }, index) =>
    kind === 'decision' && payload !== undefined
      ? (payload as unknown as DecisionPayload).requests.filter(isEffect).map((request) => {
          const { kind: name, body, accepts } = request;
          const by = ACTORS.filter((source) => accepts.includes(source)).join();
          return { request, key: `${name} ${by} ${text(body)}`, answer: index - 1 };
        })
      : [],
  );
}

/** Those of the first that the second does not have as often. */
function beyond(effects: readonly Effect[], others: readonly Effect[]): readonly Effect[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return effects.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
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
