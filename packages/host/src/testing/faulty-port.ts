/**
 * Faults of a simulated world, and its ports: slow, silent, late, failing, heeding their signal or not; what
 * becomes of a call depends on the seed and its key alone.
 */
import { type Request, utf8Bytes } from '@assay/kernel';
import { FAILURE_RULES, type FailureClass, PortError } from '../failure-class.js';
import { nativeSha256 } from '../store.js';
import { Later, type Port, type PortAnswer, type Ports } from '../port.js';
import type { Life } from './world.js';

/** What becomes of the call with a key, however often it is made. */
type Fate =
  | { readonly tag: 'answers' }
  | { readonly tag: 'fails'; readonly class: FailureClass | null }
  | { readonly tag: 'silent' }
  | { readonly tag: 'late' };

/** Who answers in a simulated world: as a port, its answer a function of request and key. */
export type SimulatedPort = Pick<Port, 'source' | 'proposer'> & {
  readonly answer: (request: Request, key: string) => PortAnswer;
};

/** The fate of a key. Drawn from seed and key, so that a call made again fares the same. */
export function drawFate(seed: number, key: string, faults: Faults): Fate {
  const digest = nativeSha256(utf8Bytes(`fate/${seed}/${key}`));
  let drawn = Math.floor((Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 1_000_000);
  const classes = [...Object.keys(FAILURE_RULES), null] as (FailureClass | null)[];
  if (drawn < faults.portError)
    return {
      tag: 'fails',
      class: classes[Number.parseInt(digest.slice(8, 14), 16) % classes.length] ?? null,
    };
  drawn -= faults.portError;
  if (drawn < faults.silent) return { tag: 'silent' };
  return drawn - faults.silent < faults.late ? { tag: 'late' } : { tag: 'answers' };
}

/**
 * How a call takes the abort of its signal. `at_once`: it rejects as the signal fires; `later`: after some
 * turns of the microtask queue; `partial`: it gives what it has, which is not the answer of its key; `never`:
 * it goes on as if nothing were.
 */
type Manner = 'at_once' | 'later' | 'partial' | 'never';

/** The manner of a key, drawn as its fate is. */
function drawManner(seed: number, key: string): Manner {
  return (
    MANNERS[
      Number.parseInt(nativeSha256(utf8Bytes(`manner/${seed}/${key}`)).slice(0, 4), 16) % MANNERS.length
    ] ?? 'never'
  );
}

/** What a call that gives what it has brings: no recorded answer may be this one. */
const PARTIAL: PortAnswer = { value: 'cut short' };

/** Whether the answer of a key is delivered twice, drawn as its fate is. */
function isDoubled(seed: number, key: string, faults: Faults): boolean {
  return isDrawn(`double/${seed}/${key}`, faults.duplicate);
}

function isDrawn(text: string, ppm: number): boolean {
  return Number.parseInt(nativeSha256(utf8Bytes(text)).slice(0, 8), 16) < (ppm / 1_000_000) * 2 ** 32;
}

/** Whether the first call with a key is put off, drawn as its fate is. */
function isPutOff(seed: number, key: string, { later }: Faults): boolean {
  return isDrawn(`later/${seed}/${key}`, later);
}

/** What an answer that is delivered twice says the second time: no recorded answer may be this one. */
export const SECOND: PortAnswer = { value: 'said again' };

/** Told before a call is performed, and each time. */
type OnPerform = (request: Request, key: string) => void;

/**
 * The ports of one process. `ports`: who answers a request; null where nobody does. `putOff`: the keys that
 * were put off so far, by any process.
 */
export function faultyPorts(
  life: Life,
  ports: (request: Request) => SimulatedPort | null,
  seed: number,
  faults: Faults,
  putOff: Set<string>,
  onPerform: OnPerform,
): Ports {
  return (request) => {
    const port = ports(request);
    if (port === null) return null;
    return {
      source: port.source,
      proposer: port.proposer,
      perform: (asked, { key, signal, charge }) => {
        onPerform(asked, key);
        if (isPutOff(seed, key, faults) && !putOff.has(key)) {
          putOff.add(key);
          return life.delay(`puts off ${asked.id}`, faults.portMsMax).then(() => {
            throw new Later();
          });
        }
        charge?.({ calls: 1 });
        const call = heeding(
          fare(life, port, asked, key, drawFate(seed, key, faults), faults),
          signal,
          drawManner(seed, key),
        );
        return isDoubled(seed, key, faults) ? doubled(call, life, asked, faults) : call;
      },
    };
  };
}

/** A call as it goes where nobody aborts it. */
async function fare(
  life: Life,
  port: SimulatedPort,
  asked: Request,
  key: string,
  fate: Fate,
  faults: Faults,
): Promise<PortAnswer> {
  switch (fate.tag) {
    case 'answers':
      await life.delay(`answers ${asked.id}`, faults.portMsMax);
      return port.answer(asked, key);
    case 'late':
      await life.wait(`answers ${asked.id} late`, faults.lateMs);
      return port.answer(asked, key);
    case 'fails':
      await life.delay(`fails ${asked.id} ${fate.class ?? 'somehow'}`, faults.portMsMax);
      throw fate.class === null ? new Error('somehow') : new PortError(fate.class, { spent: { calls: 1 } });
    case 'silent':
      return new Promise<never>(() => undefined);
  }
}

/**
 * A call that says what it has to say twice, as no promise can: what it returns is one by its `then` alone.
 */
function doubled(call: Promise<PortAnswer>, life: Life, asked: Request, faults: Faults): Promise<PortAnswer> {
  const then = (resolve: (answer: PortAnswer) => void, reject: (error: unknown) => void): void => {
    const again = async (): Promise<void> => {
      await life.delay(`answers ${asked.id} again`, faults.portMsMax);
      resolve(SECOND);
    };
    call.then(resolve, reject).then(again, again);
  };
  // oxlint-disable-next-line unicorn/no-thenable -- this is what is simulated
  return { then } as unknown as Promise<PortAnswer>;
}

function heeding(call: Promise<PortAnswer>, signal: AbortSignal, manner: Manner): Promise<PortAnswer> {
  if (manner === 'never') return call;
  return new Promise((resolve, reject) => {
    call.then(resolve, reject);
    const heed = async (): Promise<void> => {
      for (let turns = manner === 'later' ? LATER_TURNS : 0; turns > 0; turns -= 1) await Promise.resolve();
      if (manner === 'partial') resolve(PARTIAL);
      else reject(signal.reason);
    };
    signal.addEventListener('abort', () => void heed(), { once: true });
    if (signal.aborted) void heed();
  });
}

const MANNERS: readonly Manner[] = ['at_once', 'later', 'partial', 'never'];
const LATER_TURNS = 12;

/**
 * Faults, each in parts per million of its occasions. Delays are drawn up to their maximum in milliseconds.
 * A group under way when its process is killed is stored up to any of its records.
 */
export type Faults = {
  /** A process is killed, at any event. */
  readonly crash: number;
  /** The drive's signal is aborted, at any event. */
  readonly interrupt: number;
  /** An append, head or read is `unavailable`; of an append's group any first part is stored. */
  readonly storeError: number;
  /** A call fails, with a class drawn from the seed or with none. */
  readonly portError: number;
  /** The first call with a key raises `Later`; the drive that then ends `waiting` is begun again. */
  readonly later: number;
  /** A call is never answered. */
  readonly silent: number;
  /** A call is answered after its deadline. */
  readonly late: number;
  /**
   * An answer is delivered twice, the second time another one. A group that is stored is sent once more by
   * its store; a second copy of it comes later, when its sender may be dead, and is stored then if the run
   * still ends as it did.
   */
  readonly duplicate: number;
  readonly storeMsMax: number;
  readonly portMsMax: number;
  /** Milliseconds after which a late answer comes: more than the deadline of a call. */
  readonly lateMs: number;
};

/** Nothing fails; everything takes its time. */
export const NO_FAULTS: Faults = {
  crash: 0,
  interrupt: 0,
  storeError: 0,
  portError: 0,
  later: 0,
  silent: 0,
  late: 0,
  duplicate: 0,
  storeMsMax: 20,
  portMsMax: 900,
  lateMs: 1_500,
};

/** A bad day. */
export const FAULTS: Faults = {
  ...NO_FAULTS,
  crash: 40_000,
  interrupt: 10_000,
  storeError: 30_000,
  portError: 150_000,
  silent: 50_000,
  late: 50_000,
  duplicate: 150_000,
};
