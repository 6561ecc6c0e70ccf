/**
 * The table of kits: what the command knows of a machine beside its view, loaded where a run names it.
 *
 * @module
 */
import type { Kit, Shell } from '../start/kit.js';

/** A machine's shell; runs of one without `again` are shared and never end. */
export type AnyKit = Shell & Partial<Kit<never>>;

const KITS: { readonly [machine: string]: () => Promise<AnyKit> } = {
  intent: async () => (await import('./intent/kit.js')).intentKit,
  controller: async () => (await import('./controller/kit.js')).controllerKit,
  ecology: async () => (await import('./ecology/run.js')).ecologyKit,
  planner: async () => (await import('./planner/kit.js')).plannerKit,
  gate: async () => (await import('./gate.js')).gateKit,
  memory: async () => (await import('./memory.js')).memoryKit,
  library: async () => ({ machine: (await import('@assay/planner/library')).library }),
};

/** The kit of a machine by its name; null where the command has none. */
export async function findKit(machine: string): Promise<AnyKit | null> {
  return Object.hasOwn(KITS, machine) ? ((await KITS[machine]?.()) ?? null) : null;
}
