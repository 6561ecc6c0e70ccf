/**
 * The state of a world: an immutable value, so that keeping an earlier one is a savepoint.
 *
 * Source: specs/ecology.md B2, B4, B7, B9, B10.
 *
 * @module
 */
import type { Json, PersistentMap } from '@assay/kernel';
import type { Amounts } from '../config/resolve.js';
import { NOTHING } from '../config/resolve.js';
import type { Config } from '../config/config.js';
import { EMPTY_WINDOW, type Window } from '../mechanisms/window.js';
import type { Offer } from '../mechanisms/offers.js';
import type { Bid } from '../mechanisms/auction.js';

/** A live artifact. Its role follows from two flags: standing and execution. */
export type Artifact = {
  readonly id: string;
  readonly content: Json;
  readonly interface: Json;
  readonly access_contract_id: string;
  readonly has_standing: boolean;
  readonly can_execute: boolean;
  /** Never changes. */
  readonly creator: string;
  readonly owner: string;
  readonly created_us: number;
  readonly updated_us: number;
  readonly version: number;
  readonly size_bytes: number;
  readonly content_hash: string;
  /** Hash of content, contract and owner; "" without standing. */
  readonly config_hash: string;
  /** Who stores it: its disk holds `size_bytes`. */
  readonly storage_payer: string;
  readonly invoked: number;
  readonly succeeded: number;
};

/** What is left of a deleted artifact, for ever: its id is taken. */
export type Tombstone = {
  readonly deleted_us: number;
  readonly deleted_seq: number;
  readonly creator: string;
  readonly owner: string;
  readonly created_us: number;
};

/** What somebody with standing holds and has used. */
export type Account = {
  readonly amounts: Amounts;
  readonly disk_used: number;
  readonly stored: number;
  readonly llm_window: Window;
  readonly cpu_window: Window;
  /** Runs of custom contracts as requester. */
  readonly check_window: Window;
  /** Upper bounds held back for effects under way. */
  readonly reserved_tokens: number;
  readonly reserved_uusd: number;
  readonly last_action_us: number;
};

/** An account that holds nothing. */
export const EMPTY_ACCOUNT: Account = Object.freeze({
  amounts: NOTHING,
  disk_used: 0,
  stored: 0,
  llm_window: EMPTY_WINDOW,
  cpu_window: EMPTY_WINDOW,
  check_window: EMPTY_WINDOW,
  reserved_tokens: 0,
  reserved_uusd: 0,
  last_action_us: 0,
});

/** A live bid; its amount is held. */
export type LiveBid = Bid & { readonly artifact_id: string; readonly content_hash: string };

/** A winner of a resolution. `score`: 0 to 100, null where it is void, {@link AWAITED} before it is in. */
export type Winner = {
  readonly principal: string;
  readonly artifact_id: string;
  readonly content_hash: string;
  readonly score: number | null;
};

/** A score that is awaited. */
export const AWAITED = -1;

/** A resolution whose last score is not in: winners' payments are held. */
export type Resolving = {
  readonly bids: readonly Bid[];
  readonly price: number;
  readonly winners: readonly Winner[];
  readonly members: readonly string[];
  readonly missed: number;
};

/** What a payer allows a contract to charge. */
export type Mandate = { readonly cap: number; readonly expires_us: number };

/** An action that waits for something outside, with the rest of its agent's list. */
export type Waiting = {
  /** Whose budget and window hold the upper bounds. */
  readonly payer: string;
  /** What the agent thought under. */
  readonly config_hash: string;
  readonly tokens: number;
  readonly uusd: number;
  readonly action: Json;
  readonly rest: readonly Json[];
  /** Answers so far, by the hash of the need. */
  readonly answers: readonly (readonly [hash: string, answer: Json])[];
  readonly need_hash: string;
};

/** Holders that are no artifacts: their names hold a colon, which no id does. An offer's is `offer:` and its id. */
export const HOLDERS = {
  unallocated: 'sys:unallocated',
  spent: 'sys:spent',
  bids: 'sys:bids',
  mint: 'sys:mint',
  carry: 'sys:ubi_carry',
} as const;

/** The state. */
export type EcologyState = {
  readonly config: Config;
  /** Agents with an invitation of their own. */
  readonly asked: ReadonlySet<string>;
  readonly now_us: number;
  /** Number of the next created artifact, deletion, bid or offer. */
  readonly serial: number;
  readonly things: PersistentMap<Artifact | Tombstone>;
  readonly accounts: PersistentMap<Account>;
  /** All scrip there is, milli-scrip: what the world began with, and what was minted since. */
  readonly supply: number;
  /** Of it what each minter made. */
  readonly minted: PersistentMap<number>;
  /** What all used together. */
  readonly llm_window: Window;
  readonly cpu_window: Window;
  readonly reserved_tokens: number;
  /** By principal. */
  readonly bids: PersistentMap<LiveBid>;
  /** Who bids, by artifact. */
  readonly bidders: PersistentMap<string>;
  readonly next_mint_us: number;
  readonly resolutions: number;
  readonly resolving: PersistentMap<Resolving>;
  /** Pairs of artifact and content hash that were scored. */
  readonly scored: PersistentMap<true>;
  /** Agents that paid for a think since the last resolution. */
  readonly thought: PersistentMap<true>;
  readonly offers: PersistentMap<Offer>;
  /** No offer ends by time before this; exact after each reading of a clock that reaches it. */
  readonly next_due_us: number;
  /** By payer and contract. */
  readonly mandates: PersistentMap<Mandate>;
  readonly minters: PersistentMap<Window>;
  readonly waiting: PersistentMap<Waiting>;
  /** Open requests by what they are: `act a1`, `turn`, `score 1 x`. */
  readonly open: PersistentMap<string>;
  readonly stopped: boolean;
};

/** True for an artifact that is there. */
export function isLive(thing: Artifact | Tombstone | undefined): thing is Artifact {
  return thing !== undefined && 'id' in thing;
}

/** When the first of some offers ends by time. */
export function nextDueOf(offers: PersistentMap<Offer>): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const [, { exit }] of offers) if (exit.t !== 'on_demand') least = Math.min(least, exit.at_us); // any order
  return least;
}

/** The artifact of a name, or undefined where there is none or it was deleted. */
export function liveOf(state: EcologyState, id: string): Artifact | undefined {
  const thing = state.things.get(id);
  return isLive(thing) ? thing : undefined;
}

/** The account of a name; an empty one where there is none. */
export function accountOf(state: EcologyState, id: string): Account {
  return state.accounts.get(id) ?? EMPTY_ACCOUNT;
}

/** True for an artifact that answers `check_permission`. */
export function isContract({ can_execute, interface: described }: Artifact): boolean {
  return can_execute && toolsOf(described).some(({ name }) => name === 'check_permission');
}

/** A tool of an interface. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly input: Json;
  readonly output: Json;
};

/** The tools that an interface names, those without a name left out. */
export function toolsOf(described: Json): readonly Tool[] {
  if (typeof described !== 'object' || described === null || !('tools' in described)) return [];
  const { tools } = described;
  if (!Array.isArray(tools)) return [];
  return (tools as readonly Json[]).flatMap((tool) => {
    if (typeof tool !== 'object' || tool === null || !('name' in tool)) return [];
    const { name, description, inputSchema, outputSchema } = tool;
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        input: inputSchema ?? null,
        output: outputSchema ?? null,
      },
    ];
  });
}
