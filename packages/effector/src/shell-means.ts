/**
 * How commands can be run on a machine.
 *
 * @module
 */
import type { Network } from './catalogue.js';
import type { CommandName } from './commands.js';

/** How commands can be run here. */
export type ShellMeans = {
  /** Allowed commands that are installed, by their files. */
  readonly commands: ReadonlyMap<CommandName, string>;
  /**
   * Words that put a child into a network of its own, without devices; empty where the kernel does not let
   * us.
   */
  readonly isolation: readonly string[];
  /**
   * Words that have the kernel kill a child when the thread that started it ends, however that ends; empty
   * where nothing here can.
   */
  readonly tying: readonly string[];
  /** The program that sets bounds of a child, or null: then only time and output are bounded. */
  readonly bounding: string | null;
  readonly network: Network;
};

/** Nothing can be run. */
export const NO_SHELL: ShellMeans = Object.freeze({
  commands: new Map(),
  isolation: [],
  tying: [],
  bounding: null,
  network: 'none',
});
