/** Opening a run. Source: machine interface, `openRun`; ledger format, "Base". */
import { admit } from '../canonical/admit.js';
import { ARTIFACT_NAMES_MAX, OUTSIDE_LIMITS } from '../canonical/limits.js';
import { PersistentMap } from '../collections/persistent-map.js';
import { Graph } from '../graph/graph.js';
import type { Json } from '../json.js';
import { RECORDS_MAX } from '../ledger/head.js';
import { isName, logicalTime } from '../ledger/names.js';
import { FORMAT, PAYLOADS, type Genesis } from '../ledger/payloads.js';
import { fitsLine, makeRecord } from '../ledger/record.js';
import { parseShape } from '../ledger/shape.js';
import { isIntegral, locateTokenFault } from '../ledger/values.js';
import { err, ok, type Result } from '../result.js';
import { admitRejection, makeContext } from './derived.js';
import { deriveGroup } from './group.js';
import type { MachineName } from './named.js';
import { makeTable } from './request-table.js';
import { chooseDigest, type GenesisInput, type KernelOptions, type Step } from './run.js';
import type { Machine, Rejection } from './types.js';

/**
 * Opens a run: records its genesis and its first decision.
 *
 * Errors (nothing is recorded): `inadmissible` {reason, path} for policy, input or base outside the
 * limits; `genesis_shape` {path}; `limit_bytes` where the first group would not fit; and the machine's own
 * codes for a policy or input it does not take. A fault of the machine is thrown ({@link InvariantError}).
 *
 * Source: 001 §1, §2.6; machine interface.
 */
export function openRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: GenesisInput,
  options?: KernelOptions,
): Result<Rejection, Step<S, I, E, A>> {
  const sha256 = chooseDigest(options);
  requireMachine(machine);
  const read = readGenesis(machine, given);
  if (read._tag === 'Left') return read;
  const genesis = read.right;
  const payload = admit(genesis);
  if (payload._tag === 'Left')
    return err({ code: 'inadmissible', detail: { reason: payload.left.code, path: payload.left.path } });
  const first = genesis.base !== null && genesis.base.snapshot !== null ? genesis.base.count : 0;
  const place = { ts: logicalTime(genesis.ts_base, first), kind: 'genesis', parent: null };
  if (!fitsLine(place, payload.right)) return err({ code: 'limit_bytes', detail: null });
  const genesisRecord = makeRecord(place, payload.right, sha256);
  const opening = machine.open(
    genesis,
    makeContext(genesis.run_id, first + 1, genesisRecord.record_hash, sha256),
  );
  if (opening._tag === 'Left') {
    const { code, detail } = admitRejection(opening.left, 'open');
    return err({ code, detail: detail.value });
  }
  const base = genesis.base?.snapshot ?? null;
  const group = deriveGroup(
    {
      machine,
      genesis,
      genesisRecord,
      state: opening.right.state,
      open: makeTable(base),
      artifacts: PersistentMap.from(Object.entries(base?.artifacts ?? {})),
      graph: Graph.empty(),
      count: first + 1,
      hash: genesisRecord.record_hash,
      outcome: null,
      pace: { stateBytes: 0, payloadBytes: 0, isAnchored: false },
      sha256,
      isFirst: true,
    },
    opening.right.decision,
  );
  if (group._tag === 'Left') return err({ code: 'limit_bytes', detail: null });
  return ok({
    run: group.right.run,
    records: Object.freeze([genesisRecord, ...group.right.records]),
    rejection: null,
  });
}

function requireMachine(machine: MachineName): void {
  if (!isName(machine.name))
    throw new RangeError(
      `machine.name: expected [a-z][a-z0-9_.-]{0,63}, got ${JSON.stringify(machine.name)}`,
    );
  if (!Number.isSafeInteger(machine.version) || machine.version < 0)
    throw new RangeError(
      `machine.version: expected an integer of at least 0, got ${String(machine.version)}`,
    );
}

/**
 * The genesis payload, owned and frozen. {policy, input} are measured whole, as what comes from outside is.
 */
function readGenesis(
  { name, version, engine }: MachineName,
  given: GenesisInput,
): Result<Rejection, Genesis> {
  const outside = admit({ policy: given.policy, input: given.input }, OUTSIDE_LIMITS);
  if (outside._tag === 'Left') return inadmissible(outside.left.code, outside.left.path);
  const whole = admit({
    format: FORMAT,
    run_id: given.run_id,
    machine: { name, version, engine: (engine === undefined ? given.engine : engine) ?? null },
    ts_base: given.ts_base,
    policy: given.policy,
    input: given.input,
    base: given.base ?? null,
  });
  if (whole._tag === 'Left') return inadmissible(whole.left.code, whole.left.path);
  const shaped = parseShape<Genesis>(PAYLOADS.genesis, whole.right.value);
  if (shaped._tag === 'Left') return err({ code: 'genesis_shape', detail: { path: shaped.left.path } });
  const genesis = shaped.right;
  if (genesis.base !== null) {
    if (Object.keys(genesis.base.snapshot?.artifacts ?? {}).length > ARTIFACT_NAMES_MAX)
      return err({ code: 'limit_bytes', detail: null });
    if (genesis.base.run_id === genesis.run_id)
      return err({ code: 'genesis_shape', detail: { path: '/base/run_id' } });
    if (genesis.base.snapshot !== null && genesis.base.count > RECORDS_MAX - 2)
      return err({ code: 'genesis_shape', detail: { path: '/base/count' } });
    if (!isIntegral(genesis.base)) return err({ code: 'genesis_shape', detail: { path: '/base/snapshot' } });
  }
  const token = locateTokenFault(genesis);
  return token === null ? ok(genesis) : inadmissible(token.code, token.path);
}

function inadmissible(reason: string, path: string): Result<Rejection, never> {
  return err({ code: 'inadmissible', detail: { reason, path } });
}
