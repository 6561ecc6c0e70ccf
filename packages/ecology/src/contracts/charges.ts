/**
 * What a verdict charges: the requester up to what it said, another payer under a mandate of its own, else
 * nothing at all. Source: specs/ecology.md B3, "Who pays".
 */
import type { Draft } from '../world/draft.js';
import { refusal, type Frame } from '../world/outcome.js';
import { getAccount, findLive } from '../world/state.js';
import type { Refusal } from '../protocol/response.js';

/** Milli-scrip to somebody with standing. `from` null: the requester's payer. */
export type Charge = { readonly to: string; readonly amount: number; readonly from: string | null };

/**
 * Applies all charges of a contract or none. Refused: `NO_STANDING`, `ACCESS_DENIED` without a mandate,
 * `INSUFFICIENT_FUNDS`.
 */
export function applyCharges(
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
