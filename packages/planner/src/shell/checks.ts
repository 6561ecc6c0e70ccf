/**
 * Declared checks, run where files have been written: what a tool says of an output. Source: dec-K44, dec-K82.
 *
 * @module
 */
import { cutText, isObject, type Json } from '@assay/kernel';
import type { Bodies } from '../index.js';
import type { ToolCall, Toolset } from '@assay/effector';
import type { Port, PortAnswer } from '@assay/host';
import { type Blobs, readFiles, writeFiles, type FilesFault } from './files.js';

type Shown = Bodies['verify']['constraints'][number];

/** How a check ended: with which exit, and what is told whoever tries again. */
type CheckRun = { readonly exit: number; readonly detail: string };

const DETAIL_MAX = 400;
/** What a check that was stopped or could not be run counts as. */
const NOT_RUN = 255;

/** Runs one declared check. */
export async function runCheck(tools: Toolset, name: string, signal: AbortSignal): Promise<CheckRun> {
  const call = await tools.run({ tool: 'run_check', input: { name } }, { signal });
  return {
    exit: readExit(call),
    detail: cutText(`${call.why ?? call.code ?? 'exit 0'}\n${call.output}`, DETAIL_MAX),
  };
}

/** Exit codes are at most 255, and a signal has none. */
function readExit({ status, why }: ToolCall): number {
  if (status === 'ok') return 0;
  const said = /^exit (\d{1,3})$/.exec(why ?? '')?.[1];
  return said === undefined ? NOT_RUN : Math.min(NOT_RUN, Number(said));
}

/** The name of the check that a constraint holds; null where it holds none. */
export function makeCheck({ payload }: Shown): string | null {
  return payload.t === 'check' ? payload.name : null;
}

/** The failure of files that cannot be written: a try that failed, with why. */
export function notWritten({ code, path }: FilesFault): PortAnswer {
  return { failure: { code: 'malformed', final: true, detail: { code, detail: { path } } } };
}

/**
 * The port for requests `verify` that tools are asked (`judge: "logic"`): writes the files of the output, runs
 * the check that each constraint names. What no check names does not hold: nothing measures it.
 */
export function checkPort(tools: Toolset, blobs: Blobs): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }, { signal }) => {
      const { constraints, output } = body as unknown as Bodies['verify'];
      const files = await readFiles(blobs, output);
      const fault = files._tag === 'Left' ? files.left : await findFault(tools, blobs, files.right, signal);
      const checks: Json[] = [];
      for (const constraint of constraints) {
        const name = makeCheck(constraint);
        const { exit, detail } =
          fault !== null
            ? { exit: NOT_RUN, detail: `${fault.code}: ${fault.path}` }
            : name === null
              ? { exit: NOT_RUN, detail: 'nothing measures it' }
              : await runCheck(tools, name, signal);
        signal.throwIfAborted();
        const passed = exit === 0;
        checks.push({
          constraint: constraint.id,
          passed,
          sigma_ppm: passed ? 1_000_000 : 0,
          detail,
          repair: null,
        });
      }
      return { value: { verdict: null, checks } };
    },
  };
}

async function findFault(
  tools: Toolset,
  blobs: Blobs,
  files: Parameters<typeof writeFiles>[2],
  signal: AbortSignal,
): Promise<FilesFault | null> {
  const written = await writeFiles(tools, blobs, files, signal);
  return written._tag === 'Left' ? written.left : null;
}

/** True for a request that tools are asked. */
export function isForTools(body: Json): boolean {
  return isObject(body) && body['judge'] === 'logic';
}
