/**
 * Putting content into the store: sizes, quotas, versions, and code that must compile.
 *
 * Source: specs/ecology.md B2, B7.
 */
import { findCode, GLUE } from '../contracts/code.js';
import { permit, makeRefusal } from '../contracts/permit.js';
import { measureSize, type Draft, type Size } from '../world/draft.js';
import { done, refused, type Frame, type Outcome, type Physics } from '../world/outcome.js';
import { getAccount, isContract, findLive, type Artifact } from '../world/state.js';
import type { Made } from '../world/events.js';
import type { Action } from '../protocol/action.js';

/** What decides what an artifact may hold. */
export type Shape = Pick<Artifact, 'content' | 'interface' | 'can_execute'>;

/** Bytes and hash of what is stored: content and interface together. */
export function measured(
  { context }: Pick<Draft, 'context'>,
  { content, interface: described }: Pick<Artifact, 'content' | 'interface'>,
): { readonly hash: string; readonly size: Size } {
  const [body, promise] = [measureSize(content), measureSize(described)];
  const size = { bytes: body.bytes + promise.bytes, marks: body.marks + promise.marks };
  return { hash: context.hash(content), size };
}

/** What an agent thinks with: 32 digits over content, contract and owner; "" without standing. */
export function configHash(
  { context }: Pick<Draft, 'context'>,
  {
    content_hash,
    access_contract_id,
    owner,
    has_standing,
  }: Pick<Artifact, 'content_hash' | 'access_contract_id' | 'owner' | 'has_standing'>,
): string {
  return has_standing ? context.hash([content_hash, access_contract_id, owner]).slice(0, 32) : '';
}

/** The creation of an artifact that was measured, by whom, and who stores it. */
export function makeMade(
  draft: Pick<Draft, 'context'>,
  thing: Shape & Pick<Artifact, 'id' | 'owner' | 'access_contract_id' | 'has_standing'>,
  { hash, size }: ReturnType<typeof measured>,
  by: string,
  payer: string,
): Made {
  const { id: i, owner: o, content: c, interface: n, access_contract_id: k } = thing;
  const g = configHash(draft, { ...thing, content_hash: hash });
  const [s, e] = [thing.has_standing, thing.can_execute];
  return { t: 'made', i, by, o, c, n, k, s, e, h: hash, g, z: size.bytes, p: payer };
}

/** Why something of a size cannot be stored, whoever pays; null where it can. */
export function faultOfShape(draft: Draft, shape: Shape, size: Size): Outcome | null {
  const { store } = draft.config;
  if (!draft.hasRoom(size)) return refused('LIMIT_EXCEEDED', 'one answer leads to too much');
  if (size.bytes > store.content_bytes)
    return refused('LIMIT_EXCEEDED', 'the content is too large', { limit: store.content_bytes });
  if (!shape.can_execute) return null;
  if (shape.interface === null) return refused('INVALID_ARGS', 'what executes has an interface');
  const code = findCode(shape);
  const mustCheck = isContract({ ...shape } as Artifact);
  if (code === null) return mustCheck ? refused('INVALID_CONTRACT', 'a contract has code') : null;
  if (measureSize(code).bytes > store.code_bytes)
    return refused('LIMIT_EXCEEDED', 'the code is too large', { limit: store.code_bytes });
  if (draft.engine === null) return refused('INVALID_CONTRACT', 'this world runs no custom code');
  draft.compile(GLUE + code, mustCheck ? 'check_permission' : 'run');
  if (draft.context.meter.isSpent) return refused('INSUFFICIENT_COMPUTE', 'one answer computes too much');
  const ended = draft.engine.check(GLUE + code, mustCheck ? 'check_permission' : 'run');
  if (ended === null) return null;
  const why =
    ended.outcome === 'threw' ? ended.text.toWellFormed().slice(0, 300).toWellFormed() : ended.outcome;
  return refused('INVALID_CONTRACT', 'the code does not load', { why });
}

/** Why a payer cannot store so many bytes more; `freed` are its own that go. */
export function faultOfQuota(
  { state, config }: Draft,
  payer: string,
  bytes: number,
  freed: { readonly bytes: number; readonly count: number },
): Outcome | null {
  const { amounts, disk_used, stored } = getAccount(state, payer);
  if (stored - freed.count + 1 > config.store.per_agent)
    return refused('LIMIT_EXCEEDED', 'too many artifacts', { limit: config.store.per_agent });
  return disk_used - freed.bytes + bytes > amounts.disk
    ? refused('QUOTA_EXCEEDED', 'the disk of the payer is full', { needed: bytes })
    : null;
}

/** True for a contract that may guard something. */
export function isGuard({ state }: Pick<Draft, 'state'>, id: string): boolean {
  const contract = findLive(state, id);
  return contract !== undefined && isContract(contract);
}

/** Writes over an artifact that the requester may write; another contract needs the word of the present one. */
export function writeOver(
  physics: Physics,
  frame: Frame,
  before: Artifact,
  action: Extract<Action, { readonly op: 'write' }>,
): Outcome {
  const { draft } = physics;
  const { content, access_contract_id: contract, expected_version } = action;
  const described = action.interface === undefined ? before.interface : action.interface;
  const isRebound = contract !== null && contract !== before.access_contract_id;
  if (isRebound) {
    const refusal = makeRefusal(permit(physics, frame, before, { action: 'change_contract' }));
    if (refusal !== null) return refusal;
    if (!isGuard(draft, contract)) return refused('INVALID_CONTRACT', 'the new contract is none');
  }
  if (expected_version !== null && expected_version !== before.version)
    return refused('CONFLICT', 'the artifact has another version', { version: before.version });
  const shape: Shape = { content, interface: described, can_execute: before.can_execute };
  const { size, hash } = measured(draft, shape);
  const isOwn = before.storage_payer === frame.payer;
  const fault =
    faultOfShape(draft, shape, size) ??
    faultOfQuota(draft, frame.payer, size.bytes, {
      bytes: isOwn ? before.size_bytes : 0,
      count: isOwn ? 1 : 0,
    });
  if (fault !== null) return fault;
  const access_contract_id = contract ?? before.access_contract_id;
  draft.emit(
    {
      t: 'wrote',
      i: before.id,
      c: content,
      h: hash,
      g: configHash(draft, { ...before, content_hash: hash, access_contract_id }),
      z: size.bytes,
      p: frame.payer,
      ...(action.interface === undefined ? {} : { n: described }),
      ...(isRebound ? { k: contract } : {}),
    },
    size,
  );
  return done({ id: before.id, version: before.version + 1, content_hash: hash });
}

/** Gives an artifact to somebody, with the contract that guards it then and who stores it: `QUOTA_EXCEEDED`. */
export function handOver(
  draft: Draft,
  artifact: Artifact,
  { to, contract, payer }: { readonly to: string; readonly contract: string; readonly payer: string },
): Outcome | null {
  if (payer !== artifact.storage_payer) {
    const fault = faultOfQuota(draft, payer, artifact.size_bytes, { bytes: 0, count: 0 });
    if (fault !== null) return fault;
  }
  const after = { ...artifact, owner: to, access_contract_id: contract };
  draft.emit({ t: 'own', i: artifact.id, o: to, k: contract, g: configHash(draft, after), p: payer });
  return null;
}
