/**
 * Whether a requester may act on an artifact that an action names: its contract is asked, and nobody else. Fails
 * closed. Source: specs/ecology.md B3, B7, B8; 004 L2302, L3576–3735.
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import { isId } from '../config/config.js';
import { perWindow } from '../config/resolve.js';
import { expire } from '../mechanisms/window.js';
import { nextCheckAfter } from '../world/holding.js';
import { refusal, type Frame, type Physics, type Wanted, refused, type Outcome } from '../world/outcome.js';
import { findLive, getAccount, isContract, isLive, type Artifact } from '../world/state.js';
import { findOwner, isHeld } from '../world/owned.js';
import { isAmount, isStorable } from '../protocol/action.js';
import type { Code, Refusal } from '../protocol/response.js';
import { answersFor } from './ask.js';
import { findCode, runCode } from './code.js';
import { GENESIS_CONTRACTS, type Question } from './genesis.js';
import type { Draft } from '../world/draft.js';

/** Milli-scrip to somebody with standing. `from` null: the requester's payer. */
type Charge = { readonly to: string; readonly amount: number; readonly from: string | null };

/**
 * Applies all charges of a contract or none: the requester up to what it said, another payer under a mandate of its
 * own, else nothing at all (specs/ecology.md B3, "Who pays").
 * Refused: `NO_STANDING`, `ACCESS_DENIED` without a mandate, `INSUFFICIENT_FUNDS`.
 */
function applyCharges(
  draft: Draft,
  { purse }: Frame,
  contract: string,
  charges: readonly Charge[],
): Refusal | null {
  const savepoint = draft.save();
  const before = { left: purse.left, paid: purse.paid };
  for (const { to, amount, from } of charges) {
    const payer = from ?? purse.payer;
    const fault = charge(draft, purse, contract, { to, amount, from: payer });
    if (fault !== null) {
      const has = (): number => getAccount(draft.state, payer).amounts.scrip;
      draft.tell('charge', () => ({ contract, payer, to, amount, has: has(), why: fault.message }));
      draft.undo(savepoint);
      Object.assign(purse, before);
      return fault;
    }
    draft.tell('charge', () => ({ contract, payer, to, amount, mandate: payer !== purse.payer }));
  }
  return null;
}

function charge(
  draft: Draft,
  purse: Frame['purse'],
  contract: string,
  { to, amount, from }: { readonly to: string; readonly amount: number; readonly from: string },
): Refusal | null {
  const { state } = draft;
  if (findLive(state, to)?.has_standing !== true) return refusal('NO_STANDING', 'a charge goes to nobody');
  const isMandate = from !== purse.payer;
  const tooLittle = refusal('INSUFFICIENT_FUNDS', 'there is too little scrip', { charge: amount });
  if (!isMandate) {
    if (!draft.canPay(from, amount)) return tooLittle;
    if (amount > purse.left)
      return refusal('INSUFFICIENT_FUNDS', 'the contract charges more than max_charge', { charge: amount });
    purse.left -= amount;
    purse.paid += amount;
  } else {
    const mandate = state.mandates.get(`${from} ${contract}`);
    if (mandate === undefined || mandate.expires_us <= state.now_us || mandate.cap < amount)
      return refusal('ACCESS_DENIED', 'the contract charges somebody without a mandate');
    draft.emit({ t: 'mandate', p: from, k: contract, x: mandate.cap - amount, us: mandate.expires_us });
  }
  if (!draft.canPay(from, amount)) return tooLittle;
  draft.pay({ from, to, amount, contract, isMandate });
  if (from !== to) draft.emit({ t: 'mv', f: from, o: to, x: amount });
  return null;
}

/** Refusals of a run for want of CPU: its payer learns them, whoever asked. */
const NO_CPU: readonly Code[] = ['INSUFFICIENT_COMPUTE', 'LIMIT_EXCEEDED'];

/** Null where it is allowed; else why not, or what the contract needs first. */
type Permission = null | { readonly refusal: Refusal } | { readonly need: Wanted };

type Asked = { readonly action: Question['action']; readonly method?: string; readonly content?: Json };

/**
 * Asks the contract of an artifact. What it charges is applied whole, or the action is refused. An absent,
 * deleted, broken, throwing or endless contract refuses; so does one more than ten deep. What an offer holds is
 * read and invoked, nothing else: `CONFLICT`.
 */
export function permit(physics: Physics, frame: Frame, target: Artifact, asked: Asked): Permission {
  const isOpen = asked.action === 'read' || asked.action === 'invoke' || !isHeld(target);
  return (
    askContract(physics, frame, target, asked) ??
    (isOpen ? null : { refusal: refusal('CONFLICT', 'an offer holds the artifact') })
  );
}

function askContract(physics: Physics, frame: Frame, target: Artifact, asked: Asked): Permission {
  const { draft } = physics;
  const { state, config } = draft;
  const { id, creator, version, access_contract_id } = target;
  const owner = findOwner(state, target);
  const contract = findLive(state, access_contract_id);
  const question: Question = {
    artifact_id: id,
    action: asked.action,
    requester_id: frame.requester,
    content: asked.content ?? null,
    context: { owner, creator, version, method: asked.method ?? null },
  };
  if (contract === undefined || !isContract(contract))
    return denied(physics, question, access_contract_id, null, { why: 'the contract is not there' });
  if (frame.checks.length >= config.contracts.permission_depth) {
    const at = frame.checks.indexOf(contract.id);
    const cycle = at < 0 ? [] : [...frame.checks.slice(at), contract.id];
    draft.tell('check', () => ({ contract: contract.id, artifact: id, allowed: false, why: 'depth' }));
    return { refusal: refusal('DEPTH_EXCEEDED', 'too many checks inside each other', { cycle }) };
  }
  const own = contract.version === 1 ? GENESIS_CONTRACTS.get(contract.id) : undefined;
  if (own !== undefined) {
    const { allowed, reason } = own.check(question);
    if (!allowed) return denied(physics, question, contract.id, contract.content_hash, { why: reason });
    tellAllowed(physics, question, contract, 0);
    return null;
  }
  return permitByCode(physics, frame, contract, question);
}

function permitByCode(physics: Physics, frame: Frame, contract: Artifact, question: Question): Permission {
  const { draft } = physics;
  const { state, config } = draft;
  const { machine, contracts } = config;
  const { used } = expire(getAccount(state, frame.payer).check_window, state.now_us, machine.window_us);
  if (used >= perWindow(contracts.checks_per_min, machine.window_us)) {
    const after = nextCheckAfter(draft, frame.payer);
    return {
      refusal: {
        ...refusal('INSUFFICIENT_COMPUTE', 'too many checks in the window', { resource: 'checks' }),
        ...(after === null ? {} : { retry_after_us: after }),
      },
    };
  }
  const code = findCode(contract);
  if (code === null)
    return denied(physics, question, contract.id, contract.content_hash, { why: 'the contract has no code' });
  const charges: Charge[] = [];
  const inside: Frame = {
    ...frame,
    requester: contract.id,
    payer: contract.has_standing ? contract.id : frame.payer,
    purse: { payer: frame.payer, left: 0, paid: 0 },
    checks: [...frame.checks, contract.id],
  };
  const savepoint = draft.save();
  const ran = runCode(
    draft,
    frame,
    { code, name: 'check_permission', values: [question], free: contracts.base_check_fuel },
    answersFor(physics, inside, (request) => {
      const charge = parseCharge(request);
      if (typeof charge !== 'string') charges.push(charge);
      return typeof charge !== 'string';
    }),
  );
  draft.undo(savepoint);
  if (ran.t === 'need') return { need: ran.need };
  const verdict = ran.t === 'ok' ? parseVerdict(ran.value) : ran.refusal.message;
  const isAllowed = typeof verdict !== 'string' && verdict.allowed;
  draft.emit({
    t: 'verdict',
    k: contract.id,
    i: question.artifact_id,
    by: frame.requester,
    y: isAllowed,
    u: ran.fuel,
    p: frame.payer,
  });
  if (!isAllowed) {
    if (ran.t === 'no' && NO_CPU.includes(ran.refusal.code)) return { refusal: ran.refusal };
    const said = typeof verdict === 'string' ? { why: verdict } : { reason: verdict.reason };
    return denied(physics, question, contract.id, contract.content_hash, said, ran.fuel);
  }
  tellAllowed(physics, question, contract, ran.fuel);
  const fault = applyCharges(draft, frame, contract.id, [...charges, ...verdict.charges]);
  return fault === null ? null : { refusal: fault };
}

/** A verdict that counts. */
type Verdict = { readonly allowed: boolean; readonly reason: string; readonly charges: readonly Charge[] };

/**
 * Reads a verdict {allowed, reason?, charges?}: a boolean, a text, at most 16 charges. Anything else refuses: a text
 * names the field that voids it.
 */
export function parseVerdict(value: Json): Verdict | string {
  if (!isObject(value)) return 'no verdict: it is no object';
  if (!isStorable(value)) return 'no verdict: its numbers are integers';
  const allowed = field(value, 'allowed');
  const reason = field(value, 'reason') ?? '';
  const listed = field(value, 'charges') ?? [];
  if (typeof allowed !== 'boolean') return 'no verdict: /allowed is true or false';
  if (typeof reason !== 'string') return 'no verdict: /reason is a text';
  if (!isArray(listed) || listed.length > CHARGES_MAX)
    return `no verdict: /charges is a list of at most ${CHARGES_MAX}`;
  const charges: Charge[] = [];
  for (const [at, each] of listed.entries()) {
    const charge = parseCharge(each);
    if (typeof charge === 'string') return `no verdict: /charges/${at}${charge}`;
    charges.push(charge);
  }
  return { allowed, reason: reason.slice(0, 500).toWellFormed(), charges };
}

const CHARGES_MAX = 16;

/** Reads a charge {to, amount, from?}: ids, and an integer of at least 1. A text names the field that is not. */
export function parseCharge(value: Json): Charge | string {
  if (!isObject(value)) return ' is {to, amount, from?}';
  const [to, amount, from] = [field(value, 'to'), field(value, 'amount'), field(value, 'from') ?? null];
  if (!isId(to)) return '/to is the id of an artifact';
  if (!isAmount(amount) || amount === 0) return '/amount is an integer of at least 1';
  return from === null || isId(from) ? { to, amount, from } : '/from is the id of an artifact';
}

/** Tells why a contract refuses: `why` in words of the physics, `reason` in words of the contract's code. */
function denied(
  { draft }: Physics,
  { artifact_id, action }: Question,
  contract: string,
  hash: string | null,
  said: { readonly why: string } | { readonly reason: string },
  fuel: number = 0,
): Permission {
  draft.tell('check', () => ({
    contract,
    hash,
    artifact: artifact_id,
    action,
    allowed: false,
    ...said,
    fuel,
  }));
  return { refusal: refusal('ACCESS_DENIED', 'the contract of the artifact refuses', { contract }) };
}

function tellAllowed({ draft }: Physics, question: Question, contract: Artifact, fuel: number): void {
  const { artifact_id, action } = question;
  const { id, content_hash: hash } = contract;
  draft.tell('check', () => ({ contract: id, hash, artifact: artifact_id, action, allowed: true, fuel }));
}

/** The artifact of an id, or why it cannot be acted on; when it was deleted is told for a while. */
export function find({ state, config }: Draft, id: string): Artifact | Outcome {
  const thing = state.things.get(id);
  if (thing === undefined) return refused('NOT_FOUND', 'there is no such artifact');
  if (isLive(thing)) return thing;
  const isTold = state.now_us < thing.deleted_us + config.store.tombstone_us;
  const details = isTold ? { deleted_us: thing.deleted_us } : {};
  return refused('DELETED', 'the artifact was deleted', details);
}

/** A permission as an outcome; null where it is given. */
export function makeRefusal(permission: Permission): Outcome | null {
  if (permission === null) return null;
  return 'need' in permission
    ? { t: 'need', need: permission.need }
    : { t: 'no', refusal: permission.refusal };
}
