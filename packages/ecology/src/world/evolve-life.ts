/** The fold of agents' lives. */
import type { EcologyEvent } from './events.js';
import { reindexLife } from './life-index.js';
import { startLife, type Life } from './life.js';
import type { Account, Artifact, EcologyState } from './state.js';

/** The account that an artifact begins with: an agent's has a life, of the mind of who pays for it. */
export function giveLife(
  state: EcologyState,
  { can_execute, storage_payer }: Artifact,
  empty: Account,
): Account {
  if (!can_execute) return empty;
  const { agents, resources } = state.config;
  const mind = state.accounts.get(storage_payer)?.life?.asked ?? agents.mind === 'asked';
  const isFrozen = resources.llm_budget_uusd > 0;
  return { ...empty, life: startLife(mind, isFrozen ? 'budget' : '') };
}

type LifeEvent = Extract<
  EcologyEvent,
  {
    readonly t:
      | 'slept'
      | 'due'
      | 'roused'
      | 'blocked'
      | 'unblocked'
      | 'froze'
      | 'thawed'
      | 'failed'
      | 'memory'
      | 'subbed'
      | 'unsubbed';
  }
>;

/** One event more of a life. */
export function evolveLife(state: EcologyState, event: LifeEvent): EcologyState {
  const account = state.accounts.get(event.a);
  const before = account?.life ?? null;
  if (account === undefined || before === null) return state;
  const life = changeLife(state, before, event);
  const after = { ...state, accounts: state.accounts.set(event.a, { ...account, life }) };
  return reindexLife(
    event.t === 'subbed' ? { ...after, serial: state.serial + 1 } : after,
    event.a,
    before,
    life,
  );
}

function changeLife({ now_us, serial }: EcologyState, life: Life, event: LifeEvent): Life {
  const { sleep, subscriptions } = life;
  switch (event.t) {
    case 'slept':
      return { ...life, sleep: { since_us: now_us, why: event.y, until_us: event.us, ...event.v } };
    case 'due':
      return sleep === null ? life : { ...life, sleep: { ...sleep, until_us: now_us } };
    case 'roused': {
      const woke = { ...life, sleep: null };
      if (event.s === undefined) return woke;
      return {
        ...woke,
        subscriptions: subscriptions.map((one) => (one.id === event.s ? { ...one, used: serial } : one)),
      };
    }
    case 'blocked':
      return { ...life, blocked: { resource: event.r, until_us: event.us } };
    case 'unblocked':
      return { ...life, blocked: null };
    case 'froze':
      return { ...life, frozen: event.y };
    case 'thawed':
      return { ...life, frozen: '' };
    case 'failed':
      return { ...life, crashes: event.n };
    case 'memory':
      return { ...life, memory_artifact_id: event.i };
    case 'subbed':
      return {
        ...life,
        subscriptions: [...subscriptions.filter(({ id }) => id !== event.v.id), event.v],
      };
    case 'unsubbed':
      return { ...life, subscriptions: subscriptions.filter(({ id }) => id !== event.i) };
  }
}
