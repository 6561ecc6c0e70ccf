/** A builder for decisions that look at intermediate states. Source: machine interface, `deciding`. */
import type { NodeKind } from '../graph/kinds.js';
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';

import type { Ask, Context, Decision } from './types.js';

/** A decision under construction: local to one `decide` or `open`, gone when it returns. */
export type Deciding<S, E extends Json, A extends Json> = {
  /** The state after the events emitted so far. */
  readonly state: S;
  /** Emits an event and folds it into {@link state}. */
  readonly emit: (event: E) => void;
  /** Opens a request and gives the id it will have. */
  readonly ask: (ask: Ask<A>) => string;
  /** The decision, with whatever is neither event nor ask. */
  readonly done: (rest?: Omit<Decision<E, A>, 'events' | 'asks'>) => Decision<E, A>;
};

/** Starts building a decision from a state. */
export function deciding<S, E extends Json, A extends Json>(
  state: S,
  evolve: (state: S, event: E) => S,
  context: Context,
): Deciding<S, E, A> {
  const events: E[] = [];
  const asks: Ask<A>[] = [];
  let current = state;
  return {
    get state() {
      return current;
    },
    emit: (event) => {
      events.push(event);
      current = evolve(current, event);
    },
    ask: (ask) => {
      asks.push(ask);
      return `${context.sequence}.${asks.length - 1}`;
    },
    done: (rest = {}) => ({ ...rest, events, asks }),
  };
}

/** The id a node will have, before the decision that adds it is returned. */
export function nodeIdIn(context: Pick<Context, 'run_id' | 'hash'>, kind: NodeKind, payload: Json): Digest {
  return context.hash({ t: 'node', run_id: context.run_id, kind, payload_hash: context.hash(payload) });
}
