/**
 * A workspace in a folder of its own, with a file beside it that nothing may touch.
 */
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { orThrow } from '@assay/kernel';
import {
  openWorkspace,
  toolset,
  TOOL_NAMES,
  type RunOptions,
  type ToolCall,
  type Toolset,
  type Workspace,
} from '../../src/index.ts';
import type { Limits } from '../../src/limits.js';

const CANARY = 'canary: nobody reads or changes me\n';

/** What a test works with. `beside`: the folder that holds the workspace and the canary. */
export type World = {
  readonly beside: string;
  readonly root: string;
  readonly canary: string;
  readonly tools: Toolset;
  readonly call: (tool: string, input: unknown, options?: CallOptions) => Promise<ToolCall>;
  /** Writes a file of the workspace, and the folders above it, by other means than the tools. */
  readonly put: (path: string, content: string | Uint8Array) => string;
  readonly read: (path: string) => string;
  /** False when the canary is no longer what it was. */
  readonly isUntouched: () => boolean;
  readonly remove: () => void;
};

/** Options of a call. `confirmed` true: once it is held, it is made again with what it said it would lose. */
export type CallOptions = Omit<RunOptions, 'confirmed'> & {
  readonly confirmed?: RunOptions['confirmed'] | boolean;
};

/** A world with all tools allowed. `reach`: as on a system where names are reached so. */
export async function makeWorld(
  limits: Partial<Limits> = {},
  checks: Readonly<Record<string, readonly string[]>> = {},
  reach?: Workspace['reach'],
  folder: string = tmpdir(),
): Promise<World> {
  const beside = realpathSync(mkdtempSync(join(folder, 'assay-effector-')));
  const root = join(beside, 'workspace');
  const canary = join(beside, 'canary.txt');
  mkdirSync(root);
  writeFileSync(canary, CANARY);
  const opened = orThrow(await openWorkspace(root));
  const workspace = reach === undefined ? opened : { ...opened, reach };
  const tools = orThrow(await toolset(workspace, { allow: { tools: TOOL_NAMES, checks }, limits }));
  return {
    beside,
    root,
    canary,
    tools,
    call: async (tool, input, { confirmed = null, ...options } = {}) => {
      const isAgreed = typeof confirmed === 'boolean';
      const call = await tools.run({ tool, input }, { ...options, confirmed: isAgreed ? null : confirmed });
      return isAgreed && confirmed && call.code === 'needs_confirmation'
        ? tools.run({ tool, input }, { ...options, confirmed: { loses: call.loses, target: call.target } })
        : call;
    },
    put(path, content) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    isUntouched: () => readFileSync(canary, 'utf8') === CANARY,
    remove: () => rmSync(beside, { recursive: true, force: true }),
  };
}

const NOBODY = 65_534;

/**
 * Does `act` as a user with no rights but to the world; an administrator, whom nothing is forbidden, becomes
 * one for that time.
 */
export async function asNobody(world: World, act: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return act();
  for (const path of ['', ...readdirSync(world.beside, { recursive: true, encoding: 'utf8' })])
    chownSync(join(world.beside, path), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
  }
}
