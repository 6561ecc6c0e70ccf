/**
 * The way to the engine: a worker made of this page's own script, or the main thread where none is allowed.
 */
import type { Ask, Call, Calls, News } from '../data/calls.js';
import { Engine } from '../engine/engine.js';
import type { Parts } from '../engine/load.js';

type Asked = { readonly id: number; readonly call: Call; readonly given: Calls[Call][0] };
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
  const made = parts().then((all) => new Engine(all, () => Promise.resolve()));
  const post = (told: Told): void => (postMessage as (message: Told) => void)(told);
  globalThis.addEventListener('message', (event: MessageEvent<Asked>) => {
    const { id, call, given } = event.data;
    made
      .then((engine) => engine.answer(call, given as never, (news) => post({ id, news })))
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
  const worker = startWorker(code);
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
  const askTelling: Client['askTelling'] = (call, given, tell) =>
    instead?.askTelling(call, given, tell) ??
    new Promise((settle, fail) => {
      next += 1;
      waiting.set(next, { call, given, settle, fail, tell });
      const asked: Asked = { id: next, call, given };
      worker.postMessage(asked, []);
    });
  return { ask: (call, given) => askTelling(call, given, () => undefined), askTelling, isWorker: true };
}

function onMainThread(parts: PartsOf): Client {
  const made = parts().then((all) => new Engine(all, () => new Promise((go) => setTimeout(go))));
  const askTelling: Client['askTelling'] = async (call, given, tell) =>
    (await made).answer(call, given, tell);
  return { ask: (call, given) => askTelling(call, given, () => undefined), askTelling, isWorker: false };
}

/** The one worker; null where the browser refuses it. */
function startWorker(code: string): Worker | null {
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
    const worker = new Worker(policy?.createScriptURL(own) ?? own);
    URL.revokeObjectURL(own);
    return worker;
  } catch {
    return null;
  }
}
