/**
 * The way to the engine: a worker made of this page's own script, or the main thread where none is allowed.
 */
import type { Ask, Call, Calls, Given, News } from '../data/calls.js';
import { deriveSent, type Parts } from '../engine/deriving.js';
import { Engine } from '../engine/engine.js';

/** `port`: to a second worker, which is sent the other end alone. */
type Asked = {
  readonly id: number;
  readonly call: Call;
  readonly given: Calls[Call][0];
  readonly port: MessagePort | null;
};
type Sent = Asked | { readonly beside: MessagePort };
type Told = { readonly id: number } & (
  | { readonly news: News }
  | { readonly answer: Calls[Call][1] }
  | { readonly defect: string }
);
type Waiting = {
  readonly call: Call;
  readonly given: Calls[Call][0];
  readonly settle: (answer: never) => void;
  readonly fail: (error: Error) => void;
  readonly tell: (news: News) => void;
};

/**
 * Bytes of a file from which on a second worker pays: of a report, as base64, or of a ledger. Below them it takes
 * more memory than it saves, and its start costs what it gains.
 */
const LARGE = { packed: 8_388_608, bytes: 33_554_432 };

type Policy = { readonly createScriptURL: (url: string) => URL };
type Policies = {
  readonly createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy;
};

/** Makes the machines of a shell; an engine of contracts takes a moment. */
export type PartsOf = () => Promise<Parts>;

/** How to ask, and whether a worker answers. */
export type Client = {
  readonly ask: Ask;
  readonly askTelling: <K extends Call>(
    call: K,
    given: Calls[K][0],
    tell: (news: News) => void,
  ) => Promise<Calls[K][1]>;
  readonly isWorker: boolean;
};

/** Answers in a worker. */
export function serve(parts: PartsOf): void {
  const all = parts();
  const made = all.then((own) => new Engine(own, () => Promise.resolve()));
  const post = (told: Told): void => (postMessage as (message: Told) => void)(told);
  globalThis.addEventListener('message', ({ data }: MessageEvent<Sent>) => {
    if ('beside' in data) return deriveSent(all, data.beside);
    const { id, call, given, port } = data;
    made
      .then((engine) => engine.answer(call, given as never, (news) => post({ id, news }), port))
      .then(
        (answer) => post({ id, answer }),
        (error: unknown) => post({ id, defect: String(error) }),
      );
  });
}

/**
 * Connects the page. `code`: the text of its own script, of which the worker is made. A browser may refuse a
 * worker at once, or only once it was made: what was asked by then is asked on the main thread.
 */
export function connect(code: string, parts: PartsOf): Client {
  const start = workerStarter(code);
  const worker = start();
  if (worker === null) return onMainThread(parts);
  const waiting = new Map<number, Waiting>();
  let [hasAnswered, instead] = [false, null as Client | null];
  worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    hasAnswered = true;
    const one = waiting.get(data.id);
    if ('news' in data) one?.tell(data.news);
    else {
      waiting.delete(data.id);
      if ('answer' in data) one?.settle(data.answer as never);
      else one?.fail(new Error(data.defect));
    }
  });
  worker.addEventListener('error', (event) => {
    if (!hasAnswered) instead ??= onMainThread(parts);
    for (const { call, given, settle, fail, tell } of waiting.values())
      if (instead === null) fail(new Error(event.message));
      else instead.askTelling(call, given, tell).then(settle as (answer: unknown) => void, fail);
    waiting.clear();
  });
  let next = 0;
  const post = (one: Waiting, second: Worker | null): void => {
    const id = (next += 1);
    const { port1, port2 } = new MessageChannel();
    const over = (): void => second?.terminate();
    second?.addEventListener('error', () => {
      over();
      if (waiting.delete(id)) post(one, null);
    });
    second?.postMessage({ beside: port1 }, [port1]);
    waiting.set(id, {
      ...one,
      settle: (answer) => (over(), one.settle(answer)),
      fail: (error) => (over(), one.fail(error)),
    });
    const [given, bytes] = giveBytes(one);
    const asked: Asked = { id, call: one.call, given, port: second === null ? null : port2 };
    worker.postMessage(asked, second === null ? bytes : [port2, ...bytes]);
  };
  const askTelling: Client['askTelling'] = (call, given, tell) =>
    instead?.askTelling(call, given, tell) ??
    new Promise((settle, fail) => {
      post({ call, given, settle, fail, tell }, call === 'load' && isLarge(given as Given) ? start() : null);
    });
  return { ask: (call, given) => askTelling(call, given, () => undefined), askTelling, isWorker: true };
}

function onMainThread(parts: PartsOf): Client {
  const made = parts().then((all) => new Engine(all, () => new Promise((go) => setTimeout(go))));
  const askTelling: Client['askTelling'] = async (call, given, tell) =>
    (await made).answer(call, given, tell);
  return { ask: (call, given) => askTelling(call, given, () => undefined), askTelling, isWorker: false };
}

/** What is asked, and what is given away with it: a text of a report would be copied several times. */
function giveBytes({ call, given }: Waiting): [Calls[Call][0], ArrayBuffer[]] {
  if (call !== 'load' || (given as Given).t !== 'packed') return [given, []];
  const file = given as Extract<Given, { readonly t: 'packed' }>;
  const packed = file.packed.map((one) => (typeof one === 'string' ? new TextEncoder().encode(one) : one));
  return [{ ...file, packed }, packed.map(({ buffer }) => buffer as ArrayBuffer)];
}

/** What is served is checked by one worker, which reads on where it grows. */
function isLarge(given: Given): boolean {
  if (given.t === 'url') return false;
  return given.t === 'bytes' ? given.bytes.size > LARGE.bytes : (given.packed[0]?.length ?? 0) > LARGE.packed;
}

/** Starts workers of the page's own script; each is null where the browser refuses it. */
function workerStarter(code: string): () => Worker | null {
  try {
    const own = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const policies = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes;
    // The policy lets through this one address and nothing else.
    const policy = policies?.createPolicy('assay', {
      createScriptURL: (url) => {
        if (url !== own) throw new TypeError('only the page itself is a worker');
        return url;
      },
    });
    return () => {
      try {
        return new Worker(policy?.createScriptURL(own) ?? own);
      } catch {
        return null;
      }
    };
  } catch {
    return () => null;
  }
}
