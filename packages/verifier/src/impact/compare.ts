/**
 * A run beside the same run decided anew: whether every decision is equal, and what it came to.
 *
 * @module
 */
import {
  compareText,
  isArray,
  isObject,
  field,
  type ArtifactPayload,
  type ClosePayload,
  type EvidenceRecord,
  type Json,
  type Status,
} from '@assay/kernel';
import { differencesOf, diffLedgers, type Found } from '../diff/diff.js';
import { labelsOf, stepsOf } from '../diff/normalize.js';
import type { Overridden } from './change.js';
import { isFigure, isHash, isSameText, OPENING } from './parting.js';

/** How a run ends: null while it is open. */
export type RunEnd = { readonly status: Status | null; readonly reasons: readonly string[] };

/**
 * What flips. `outcome`: status or reasons; `artifact`: what an artifact says; `figures`: artifacts differ in
 * figures, also those in a text, and hashes of them, alone. `name`: of the artifact, "" for an outcome.
 */
export type FlipKind = 'outcome' | 'artifact' | 'figures';

/** One flip, from what to what; `field`: a JSON pointer into the artifact, "" for an outcome. */
export type Turn = {
  readonly kind: FlipKind;
  readonly name: string;
  readonly field: string;
  readonly was: Json;
  readonly would_be: Json;
};

/** How a run ends. */
export function endOf(records: readonly EvidenceRecord[]): RunEnd {
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
  const echoes = changed.flatMap((one) => leavesOf(one.was, one.would_be));
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

/** How outcome and artifacts differ: the outcome first, then artifacts by name; null where they are equal. */
export function turnOf(was: readonly EvidenceRecord[], would: readonly EvidenceRecord[]): Turn | null {
  const [before, after] = [endOf(was), endOf(would)];
  if (before.status !== after.status || before.reasons.join() !== after.reasons.join())
    return { kind: 'outcome', name: '', field: '', was: asJson(before), would_be: asJson(after) };
  const [left, right] = [contentsOf(was), contentsOf(would)];
  const [leftNames, rightNames] = [namesIn(was), namesIn(would)];
  const same = (a: Json, b: Json): boolean =>
    a === b ||
    (typeof a === 'string' &&
      leftNames.has(a) &&
      typeof b === 'string' &&
      leftNames.get(a) === rightNames.get(b));
  const turns = [...new Set([...left.keys(), ...right.keys()])].sort(compareText).flatMap((name) => {
    const found = differencesOf(left.get(name), right.get(name), same);
    const words = found.find((one) => !isFigure(one) && !isHash(one) && !isSameText(one));
    const first: Found | undefined = words ?? found.find(isFigure) ?? found[0];
    if (first === undefined) return [];
    const kind: FlipKind = words === undefined ? 'figures' : 'artifact';
    return [{ kind, name, field: first.field, was: first.left, would_be: first.right }];
  });
  return turns.find(({ kind }) => kind === 'artifact') ?? turns[0] ?? null;
}

/** The latest content of each artifact. */
function contentsOf(records: readonly EvidenceRecord[]): ReadonlyMap<string, Json> {
  return new Map(
    records.flatMap(({ kind, payload }) => {
      if (kind !== 'artifact' || payload === undefined) return [];
      const { name, content } = payload as unknown as ArtifactPayload;
      return [[name, content] as const];
    }),
  );
}

/** What hashes and ids stand for, whatever the decision that they belong to. */
function namesIn(records: readonly EvidenceRecord[]): ReadonlyMap<string, string> {
  return new Map(
    [...labelsOf(records, stepsOf(records))].map(([hash, label]) => [
      hash,
      label.replace(/^record .*$/, 'record').replace(/^(artifact .*) of decision [0-9]+$/, '$1'),
    ]),
  );
}

function asJson({ status, reasons }: RunEnd): Json {
  return { status, reasons };
}

/** Scalars that differ, each before and after; what is missing on one side is null there. */
function leavesOf(was: Json, is: Json): readonly { readonly was: Json; readonly would_be: Json }[] {
  if (isArray(was) && isArray(is))
    return Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
      leavesOf(was[index] ?? null, is[index] ?? null),
    ).flat();
  if (isObject(was) && isObject(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
      leavesOf(field(was, key) ?? null, field(is, key) ?? null),
    );
  return was === is ? [] : [{ was, would_be: is }];
}
