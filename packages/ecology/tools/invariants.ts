/** What holds in every state of a world, whatever led to it: the laws that need no history. */
import { RESOURCES } from '../src/config/config.js';
import { findLimit } from '../src/config/resolve.js';
import { findFirst } from '../src/mechanisms/timers.js';
import { isReached } from '../src/world/life.js';
import { decode, encode, type EcologyState } from '../src/world/state.js';

/** Which invariants a state breaks, by name. `first`: the state that the world began with. */
export function listFaults(state: EcologyState, first: EcologyState): readonly string[] {
  const faults: string[] = [];
  const require = (holds: boolean, name: string): void => {
    if (!holds) faults.push(name);
  };
  const accounts = [...state.accounts];
  for (const resource of RESOURCES) {
    const sum = accounts.reduce((total, [, { amounts }]) => total + BigInt(amounts[resource]), 0n);
    require(sum === (findLimit(state.config, resource) ?? BigInt(state.supply)), `sum of ${resource}`);
  }
  const minted = [...state.minted].reduce((sum, [, made]) => sum + made, 0);
  require(state.supply === first.supply + minted, 'supply');
  require((findFirst(state.timers)?.at_us ?? Infinity) > state.now_us, 'a timer is late');
  for (const [id, { amounts, life, disk_used, reserved_uusd }] of accounts) {
    require(Object.values(amounts).every(
      (amount) => Number.isSafeInteger(amount) && amount >= 0,
    ), `${id}: amounts`);
    require(id === 'genesis' || disk_used <= amounts.disk, `${id}: disk`);
    require(reserved_uusd <= amounts.llm_budget, `${id}: budget`);
    if (life === null) continue;
    const isPoor = amounts.llm_budget <= state.config.agents.freeze_threshold_uusd;
    require(isPoor ? life.frozen !== '' : life.frozen !== 'budget', `${id}: frozen by its budget`);
    const { sleep } = life;
    require(!sleep?.balances.some((watch) =>
      isReached(watch, amounts[watch.resource]),
    ), `${id}: sleeps past its balance`);
    const mayAct = life.frozen === '' && !life.sleep && !life.blocked && !state.waiting.has(id);
    require(state.open.has(`act ${id}`) === (life.asked && mayAct), `${id}: invitation`);
  }
  const read = decode(encode(state));
  const same = (a: EcologyState): string =>
    JSON.stringify([a.timers, a.subscribed].map(listTimers)) +
    JSON.stringify([...a.watchers].map(([type]) => type));
  require(read._tag === 'Right' && same(read.right) === same(state), 'what follows from a state');
  return faults;
}

function listTimers(timers: EcologyState['timers']): readonly string[] {
  if (timers === null) return [];
  return [...listTimers(timers.left), `${timers.at_us} ${timers.id}`, ...listTimers(timers.right)];
}
