/**
 * `assay world run --serve`: a world open to agents from outside, each known by its token.
 *
 * @module
 */
import { err, field, type GenesisInput, type Head, type Json } from '@assay/kernel';
import { findLive, type Ecology, type EcologyState } from '@assay/ecology';
import { DOOR_TOOLS, OutsideDoor, readToolCall, type Minds } from '@assay/ecology/shell';
import type { Context } from '../../call/output.js';
import { loadMcp, parseAddress, readTokens, unheard } from '../../options/mcp.js';
import { storeProblem } from '../../files/store.js';
import { misuse, orStop, type Stop } from '../../problems/problem.js';
import { driveProblem, rejected } from '../../start/drive-machine.js';
import type { RunAt } from '../../start/kit.js';
import { show } from '../../terminal/shown.js';
import { untilAborted } from '../../terminal/signals.js';

const INSTRUCTIONS =
  'You are one agent in a world of artifacts, contracts and money. Call view for all that you are shown and how to act. ' +
  'Each call is decided and recorded before it is answered.';

/** Where a world is served. */
export type Door = { readonly serve: string; readonly tokens: string | undefined };

/** Serves a world until a signal comes. Raises `Stop`: `token`, `listen`, `bad_value`, and those of a run. */
export async function serveWorld(
  { output }: Context,
  { start, kept: { store, place }, identity: { run_id } }: RunAt,
  { machine, score, door }: { machine: Ecology; score: Minds['score']; door: Door },
  signal: AbortSignal,
): Promise<{ readonly end: 'served'; readonly state: EcologyState; readonly head: Head }> {
  const address = parseAddress(door.serve);
  const tokens = await readTokens(door.tokens);
  const { serveTools } = await loadMcp('assay world run --serve');
  const opened = await OutsideDoor.open(machine, start as GenesisInput, store, score);
  const world = orStop(opened, (error): Stop => {
    switch (error.code) {
      case 'rejected':
        return rejected(error.rejection.code, error.rejection.detail);
      case 'other_policy':
        return misuse(
          'run_exists',
          'this run was begun with another world',
          run_id,
          'give another --set run_id=',
        );
      case 'over':
        return misuse('over', 'this world has ended', run_id, 'begin another run');
      default:
        return driveProblem(error, run_id, place);
    }
  });
  try {
    for (const principal of tokens.values())
      if (findLive(world.state, principal)?.has_standing !== true)
        throw misuse(
          'token',
          `no agent of this world: ${principal}`,
          door.tokens ?? '',
          'name agents of the world',
        );
    const listening = await serveTools(
      {
        name: 'assay-world',
        instructions: INSTRUCTIONS,
        tools: DOOR_TOOLS,
        call: async (principal, tool, args) => {
          if (tool === 'view') return { result: world.view(principal) as unknown as Json, isError: false };
          const action = readToolCall(tool, args);
          const told =
            typeof action === 'string'
              ? err({ code: 'bad_arguments', why: action } as const)
              : await world.act(principal, action);
          if (told._tag === 'Left') return { result: told.left as unknown as Json, isError: true };
          const response = told.right as unknown as Json;
          const isRefused =
            response !== null && field(response as { [key: string]: Json }, 'success') === false;
          return { result: response ?? { waits: true }, isError: isRefused };
        },
        onError: (error) =>
          output.note(show`assay: world: ${error instanceof Error ? error.message : String(error)}`),
      },
      { ...address, tokens },
    );
    if (listening._tag === 'Left' && listening.left.code === 'token')
      throw misuse(
        'token',
        'a token has at least 16 visible ASCII characters',
        door.tokens ?? '',
        'give each such as openssl rand -hex 32 prints',
      );
    if (listening._tag === 'Left') throw unheard(listening.left, door.serve);
    output.note(show`assay: world at ${listening.right.url}; Ctrl-C ends it`);
    await untilAborted(signal);
    await listening.right.close();
  } finally {
    await world.close();
  }
  const head = orStop(await store.head(run_id), (error) => storeProblem(error, place));
  return { end: 'served', state: world.state, head: head ?? world.head };
}
