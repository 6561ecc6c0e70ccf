/**
 * `assay gate`: a policy in front of live calls: of a server of the Model Context Protocol, of language models, or of a
 * coding agent's hooks.
 */
import { dirname, join, resolve } from 'node:path';
import { answerHook, GateError, openGate, type Gate } from '@assay/gate';
import type { StoreError } from '@assay/host';
import type { Json } from '@assay/kernel';
import type { Context } from '../call/output.js';
import { readJson, readText, shortenName } from '../files/read.js';
import { journalOf, openStore, storeProblem } from '../files/store.js';
import { EXIT, misuse, Stop, unsound, type ExitCode, badValue } from '../problems/problem.js';
import { locateAnswers } from '../kits/gate.js';
import { renderPointer, show, textIn } from '../terminal/shown.js';
import { untilAborted } from '../terminal/signals.js';

type GateFlags = {
  readonly policy: string;
  readonly store?: string;
  readonly hook?: boolean;
  readonly models?: string;
  readonly http?: string;
  readonly tokens?: string;
  readonly hold?: string;
};

/** The variable of the environment that holds the key of the models. */
const KEY = 'ASSAY_UPSTREAM_KEY';

/**
 * Puts a policy in front of a server or of models, until its client leaves or a signal comes, or answers one hook. Exit
 * 0; 6 where calls still wait for a person. A hook that cannot be decided asks, with exit 0. Raises `Stop`.
 */
export async function gate(context: Context, server: readonly string[], flags: GateFlags): Promise<ExitCode> {
  const { hook = false, models } = flags;
  if ([hook, models !== undefined, server.length > 0].filter(Boolean).length !== 1)
    throw misuse(
      'missing_argument',
      'name one thing to put the policy in front of',
      'assay gate',
      'assay gate --policy FILE -- SERVER ARGS, or -- URL, or --models URL, or --hook',
    );
  if (models !== undefined) await checkModels(flags, models);
  return hook ? answer(context, flags) : serve(context, server, flags);
}

/** One hook of a coding agent on standard input; its answer is the only output. */
async function answer({ output }: Context, flags: GateFlags): Promise<ExitCode> {
  const said = await answerHook(await readHook(), (session) =>
    open(flags, session, true).catch((error: unknown) => {
      // The agent shows the message alone.
      throw error instanceof Stop ? new Error(`${error.problem.message}: ${error.problem.place}`) : error;
    }),
  );
  if (said !== null) output.reply(said);
  return EXIT.done;
}

/** What cannot be read is no hook, and asked about. */
async function readHook(): Promise<Json> {
  try {
    return JSON.parse(await readText('-')) as Json;
  } catch {
    return null;
  }
}

async function serve(
  { output, interruption, env }: Context,
  [command = '', ...args]: readonly string[],
  flags: GateFlags,
): Promise<ExitCode> {
  // A hook is a process a call, and does without it.
  const { loadMcp, parseAddress, readTokens, unheard } = await import('../options/mcp.js');
  const address = flags.http === undefined ? null : parseAddress(flags.http);
  const tokens = address === null ? null : await readTokens(flags.tokens);
  const hold = Number(flags.hold ?? 50);
  if (!(hold >= 0 && hold <= 3_600))
    throw badValue('not a number of seconds', `--hold ${flags.hold ?? ''}`, 'give 0 to 3600');
  const { relayHttp, relayStdio, serveModels } = await loadMcp('assay gate');
  const { models } = flags;
  const began = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const name = `${models === undefined ? 'mcp' : 'models'}-${began}-${process.pid}`;
  const gate = await open(flags, name, false).catch((error: unknown) => {
    throw error instanceof GateError ? explain(error, flags.policy, locateStore(flags)) : error;
  });
  const door = {
    gate,
    holdMs: hold * 1_000,
    onError: (error: unknown) =>
      output.note(show`assay: gate: ${error instanceof Error ? error.message : String(error)}`),
  };
  const relayed = {
    ...door,
    server:
      args.length === 0 && /^https?:\/\//.test(command)
        ? { url: command }
        : { command, args, env: env as Readonly<Record<string, string>>, stderr: 'inherit' as const },
  };
  try {
    await interruption.during(async (signal) => {
      if (address === null || tokens === null) {
        const streams = { stdin: process.stdin, stdout: process.stdout, signal };
        return relayStdio({ ...relayed, principal: 'client' }, streams);
      }
      const place = { ...address, tokens };
      const listening = await (models === undefined
        ? relayHttp(relayed, place)
        : serveModels({ ...door, upstream: models.replace(/\/$/, ''), key: env[KEY] ?? null }, place));
      if (listening._tag === 'Left') throw unheard(listening.left, flags.http ?? '');
      output.note(show`assay: gate at ${listening.right.url}; Ctrl-C ends it`);
      await untilAborted(signal);
      return listening.right.close();
    });
    const waiting = gate.waiting().length;
    if (waiting === 0) await gate.finish('assay gate');
    else
      output.note(show`assay: gate: ${waiting} ${waiting === 1 ? 'call waits' : 'calls wait'} for a person`);
    return waiting === 0 ? EXIT.done : EXIT.waiting;
  } finally {
    process.stdin.destroy();
    await gate.close();
  }
}

/** Models are reached over HTTP, and what they can cost has to be bounded. */
async function checkModels({ policy, http }: GateFlags, models: string): Promise<void> {
  if (http === undefined)
    throw misuse(
      'missing_argument',
      'models are reached over HTTP',
      '--http',
      'give --http PORT --tokens FILE',
    );
  if (!/^https?:\/\/[^?#]+$/.test(models))
    throw badValue('not an address', `--models ${models}`, 'give such as https://api.openai.com/v1');
  const { refuseUnbounded } = await import('./check-policy.js');
  refuseUnbounded(await readJson(policy), policy);
}

function locateStore({ store, policy }: GateFlags): string {
  return store ?? `file:${join(dirname(resolve(policy)), 'runs')}`;
}

/** Opens a run under the policy. Its store is the folder `runs` beside the policy where none is named. */
async function open(flags: GateFlags, run: string, isElsewhere: boolean): Promise<Gate> {
  const url = locateStore(flags);
  const policy = (await readJson(flags.policy)) as never;
  const store = await openStore(url);
  try {
    const journal = await journalOf(url, store);
    return await openGate({
      ...{ policy, store, run, isElsewhere },
      ...(journal === null ? {} : { snapshots: journal.snapshots }),
      ...(typeof journal?.folder === 'string' ? { answers: locateAnswers(journal.folder, run) } : {}),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function explain({ code, detail }: GateError, policy: string, store: string): Stop {
  const place = shortenName(policy);
  switch (code) {
    case 'bad_policy':
      return misuse(
        code,
        `not a policy: ${renderPointer(textIn(detail, 'at'))} must be ${textIn(detail, 'expected')}`,
        place,
        'see docs/formats/gate.md',
      );
    case 'store':
      return storeProblem(detail as unknown as StoreError, store);
    case 'over':
      return misuse(code, 'this run has ended', store, 'begin another run');
    default:
      return unsound(code, 'the ledger of this run cannot be continued', store, 'see assay verify');
  }
}
