/** The fold: one event more. Total; it checks nothing, since what is no consequence is no event. */
import { absurd, PersistentMap } from '@assay/kernel';
import { addTimer, dropTimer } from '../mechanisms/timers.js';
import { boundaryAfter, expire, recordUse } from '../mechanisms/window.js';
import { announce, announceMove } from './announce.js';
import { changed, evolveCall, evolveCapability, reserve } from './evolve-calls.js';
import { evolveLife, giveLife } from './evolve-life.js';
import { withAccounts, withAmounts } from './copies.js';
import type { EcologyEvent } from './events.js';
import {
  getAccount,
  EMPTY_ACCOUNT,
  isLive,
  type Account,
  type Artifact,
  type EcologyState,
} from './state.js';
import { moveOwned } from './owned.js';

/** The state after an event, with what the public log says of it. */
export function evolve(state: EcologyState, event: EcologyEvent): EcologyState {
  return announce(state, fold(state, event), event);
}

function fold(state: EcologyState, event: EcologyEvent): EcologyState {
  switch (event.t) {
    case 'did': {
      const after = acted(state, event.a, true);
      if (state.config.mint.ubi.eligibility !== 'acted') return after;
      return { ...after, thought: state.thought.set(event.a, true) };
    }
    case 'no': {
      const failed = event.i === undefined ? undefined : state.things.get(event.i);
      const after = acted(state, event.a, false);
      return isLive(failed)
        ? { ...after, things: state.things.set(failed.id, { ...failed, invoked: failed.invoked + 1 }) }
        : after;
    }
    case 'mv':
      return moved(state, event);
    case 'now': {
      const { us } = event;
      // The first reading of a clock is where time begins: no boundary before it was missed.
      return state.now_us === 0
        ? { ...state, now_us: us, begun_us: us, next_mint_us: boundaryAfter(us, state.config.mint) }
        : { ...state, now_us: us };
    }
    case 'asked':
      return { ...state, open: state.open.set(event.q, event.id) };
    case 'closed':
      return { ...state, open: state.open.delete(event.q) };
    case 'made':
    case 'wrote':
    case 'own':
    case 'gone':
    case 'ran':
      return evolveStore(state, event);
    case 'verdict':
    case 'use':
      return evolveUse(state, event);
    case 'thought':
      if (state.config.mint.ubi.eligibility !== 'paid_think') return state;
      return { ...state, thought: state.thought.set(event.a, true) };
    case 'waits':
      return reserve({ ...state, waiting: state.waiting.set(event.a, event.v) }, event.v.payer, event.v);
    case 'woke': {
      const waits = state.waiting.get(event.a);
      const woken = { ...state, waiting: state.waiting.delete(event.a) };
      return waits === undefined
        ? woken
        : reserve(woken, waits.payer, { tokens: -waits.tokens, uusd: -waits.uusd });
    }
    case 'called':
    case 'came':
      return evolveCall(state, event);
    case 'mandate':
      return {
        ...state,
        mandates: state.mandates.set(`${event.p} ${event.k}`, { cap: event.x, expires_us: event.us }),
      };
    case 'offered': {
      const offers = state.offers.set(event.v.id, event.v);
      const { exit } = event.v;
      const after = { ...state, serial: state.serial + 1, offers };
      if (exit.t === 'on_demand') return after;
      return { ...after, timers: addTimer(state.timers, exit.at_us, `o:${event.v.id}`) };
    }
    case 'ended': {
      const exit = state.offers.get(event.i)?.exit;
      const after = {
        ...state,
        offers: state.offers.delete(event.i),
        accounts: state.accounts.delete(`offer:${event.i}`),
      };
      if (exit === undefined || exit.t === 'on_demand') return after;
      return { ...after, timers: dropTimer(state.timers, exit.at_us, `o:${event.i}`) };
    }
    case 'bid':
    case 'unbid':
    case 'resolved':
    case 'scored':
    case 'settled':
    case 'minted':
      return evolveMint(state, event);
    case 'slept':
    case 'due':
    case 'roused':
    case 'blocked':
    case 'unblocked':
    case 'froze':
    case 'thawed':
    case 'failed':
    case 'memory':
    case 'subbed':
    case 'unsubbed':
      return evolveLife(state, event);
    case 'wants':
    case 'capability':
      return evolveCapability(state, event);
    case 'stopped':
      return { ...state, stopped: true };
    case 'over':
    case 'lied':
    case 'admin':
      return state;
    default:
      return absurd(event);
  }
}

type Of<T extends EcologyEvent['t']> = Extract<EcologyEvent, { readonly t: T }>;

function evolveStore(
  state: EcologyState,
  event: Of<'made' | 'wrote' | 'own' | 'gone' | 'ran'>,
): EcologyState {
  if (event.t === 'made') {
    const made: Artifact = {
      id: event.i,
      content: event.c,
      interface: event.n,
      access_contract_id: event.k,
      has_standing: event.s,
      can_execute: event.e,
      creator: event.by,
      owner: event.o,
      created_us: state.now_us,
      updated_us: state.now_us,
      version: 1,
      size_bytes: event.z,
      content_hash: event.h,
      config_hash: event.g,
      storage_payer: event.p,
      invoked: 0,
      succeeded: 0,
    };
    const accounts = event.s
      ? state.accounts.set(event.i, giveLife(state, made, EMPTY_ACCOUNT))
      : state.accounts;
    const things = state.things.set(event.i, made);
    const owned = moveOwned(state.owned, event.i, null, event.o);
    return stored({ ...state, serial: state.serial + 1, things, accounts, owned }, event.p, event.z, 1);
  }
  const before = state.things.get(event.i);
  if (!isLive(before)) return state;
  const next = (after: Artifact): EcologyState =>
    withAccounts(state, state.accounts, state.log, state.things.set(event.i, after));
  switch (event.t) {
    case 'wrote': {
      const after = next({
        ...before,
        content: event.c,
        content_hash: event.h,
        config_hash: event.g,
        size_bytes: event.z,
        storage_payer: event.p,
        updated_us: state.now_us,
        version: before.version + 1,
        ...(event.n === undefined ? {} : { interface: event.n }),
        ...(event.k === undefined ? {} : { access_contract_id: event.k }),
      });
      return stored(freed(after, before), event.p, event.z, 1);
    }
    case 'own': {
      const given = next({
        ...before,
        owner: event.o,
        access_contract_id: event.k,
        config_hash: event.g,
        storage_payer: event.p,
      });
      const after = { ...given, owned: moveOwned(state.owned, event.i, before.owner, event.o) };
      return stored(freed(after, before), event.p, before.size_bytes, 1);
    }
    case 'gone': {
      const { creator, owner, created_us } = before;
      const things = state.things.set(event.i, {
        deleted_us: state.now_us,
        deleted_seq: state.serial,
        creator,
        owner,
        created_us,
      });
      const owned = moveOwned(state.owned, event.i, owner, null);
      const after = { ...state, serial: state.serial + 1, things, owned };
      return freed(after, before);
    }
    case 'ran':
      return next({ ...before, invoked: before.invoked + 1, succeeded: before.succeeded + 1 });
  }
}

function evolveUse(state: EcologyState, event: Of<'verdict' | 'use'>): EcologyState {
  const { now_us: now } = state;
  const width = state.config.machine.window_us;
  if (event.t === 'verdict')
    return changed(state, event.p, (account) => ({
      ...account,
      check_window: recordUse(expire(account.check_window, now, width), now, 1),
    }));
  const window = event.r === 'cpu' ? 'cpu_window' : 'llm_window';
  const used = changed(state, event.a, (account) => ({
    ...account,
    [window]: recordUse(expire(account[window], now, width), now, event.x),
  }));
  return { ...used, [window]: recordUse(expire(state[window], now, width), now, event.x) };
}

function evolveMint(
  state: EcologyState,
  event: Of<'bid' | 'unbid' | 'resolved' | 'scored' | 'settled' | 'minted'>,
): EcologyState {
  switch (event.t) {
    case 'bid':
      return {
        ...state,
        serial: state.serial + 1,
        bids: state.bids.set(event.v.principal, event.v),
        bidders: state.bidders.set(event.v.artifact_id, event.v.principal),
      };
    case 'unbid': {
      const bid = state.bids.get(event.a);
      if (bid === undefined) return state;
      return {
        ...state,
        bids: state.bids.delete(event.a),
        bidders: state.bidders.delete(bid.artifact_id),
      };
    }
    case 'resolved':
      return {
        ...state,
        bids: PersistentMap.empty(),
        bidders: PersistentMap.empty(),
        thought: PersistentMap.empty(),
        next_mint_us: event.next,
        resolutions: event.n + 1,
        starved: event.s === true ? state.starved + 1 : 0,
        resolving: state.resolving.set(String(event.n), event.v),
      };
    case 'scored': {
      const resolving = state.resolving.get(String(event.n));
      if (resolving === undefined) return state;
      const winners = resolving.winners.map((winner) =>
        winner.artifact_id === event.i ? { ...winner, score: event.y } : winner,
      );
      const scored = resolving.winners.find((winner) => winner.artifact_id === event.i && event.y !== null);
      return {
        ...state,
        resolving: state.resolving.set(String(event.n), { ...resolving, winners }),
        scored:
          scored === undefined
            ? state.scored
            : state.scored.set(`${scored.artifact_id} ${scored.content_hash}`, true),
      };
    }
    case 'settled':
      return { ...state, resolving: state.resolving.delete(String(event.n)) };
    case 'minted': {
      const before = state.minted.get(event.m) ?? 0;
      const given = changed(state, event.o, (account) => ({
        ...account,
        amounts: { ...account.amounts, scrip: account.amounts.scrip + event.x },
      }));
      const window = state.minters.get(event.m);
      const minter = state.config.mint.minters.find(({ id }) => id === event.m);
      return {
        ...given,
        supply: state.supply + event.x,
        minted: state.minted.set(event.m, before + event.x),
        minters:
          window === undefined || minter === undefined
            ? state.minters
            : state.minters.set(
                event.m,
                recordUse(expire(window, state.now_us, minter.window_us), state.now_us, event.x),
              ),
      };
    }
  }
}

/** Somebody acted; a name that holds nothing did nothing. What was done ends a row of crashes. */
function acted(state: EcologyState, id: string, isDone: boolean): EcologyState {
  const account = state.accounts.get(id);
  if (account === undefined) return state;
  const { life } = account;
  // Who is frozen did nothing: it was refused.
  if (!isDone && life !== null && life.frozen !== '') return state;
  const isMended = isDone && life !== null && life.crashes > 0;
  if (account.last_action_us === state.now_us && !isMended) return state;
  const after = withAmounts(account, account.amounts, state.now_us);
  const mended = isMended ? { ...after, life: { ...life, crashes: 0 } } : after;
  return withAccounts(state, state.accounts.set(id, mended));
}

function moved(state: EcologyState, event: Of<'mv'>): EcologyState {
  const { f, o, x, r = 'scrip' } = event;
  const giver = getAccount(state, f);
  const less = withAmount(giver.amounts, r, giver.amounts[r] - x);
  const accounts = state.accounts.set(f, withAmounts(giver, less));
  const taker = accounts.get(o) ?? EMPTY_ACCOUNT;
  const more = withAmount(taker.amounts, r, taker.amounts[r] + x);
  return withAccounts(state, accounts.set(o, withAmounts(taker, more)), announceMove(state, event));
}

/** Written out for scrip, which nearly all moves are of. */
function withAmount(
  amounts: Account['amounts'],
  resource: keyof Account['amounts'],
  amount: number,
): Account['amounts'] {
  if (resource !== 'scrip') return { ...amounts, [resource]: amount };
  const { llm_budget, disk, memory, llm_rate, cpu } = amounts;
  return { scrip: amount, llm_budget, disk, memory, llm_rate, cpu };
}

function freed(state: EcologyState, { storage_payer, size_bytes }: Artifact): EcologyState {
  return stored(state, storage_payer, -size_bytes, -1);
}

function stored(state: EcologyState, payer: string, bytes: number, count: number): EcologyState {
  return changed(state, payer, (account) => ({
    ...account,
    disk_used: account.disk_used + bytes,
    stored: account.stored + count,
  }));
}
