/**
 * Holds a call against what must not be called, before it is made. Text alone says when two inputs are the
 * same; which tool reads them how, and where a link leads, only the tools know. Source: 003 §R2 "MUST NOT
 * Set"; law-G11.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { blockOf, type Target } from '@assay/controller';
import { recordedInput } from '@assay/controller/steps';

/**
 * What tools know of inputs; tools that know nothing are compared by text alone. `recorded`: the input as a
 * call of it is recorded, with nothing done, null where the tool does not understand it. `realPath`: the path
 * by which a file is found without links, up to where nothing is; the path as it came where that cannot be
 * said.
 */
export type Compared = {
  readonly recorded?: (request: { readonly tool: string; readonly input: unknown }) => string | null;
  readonly realPath?: (path: string) => Promise<string>;
};

/** Most paths that are looked up for one call; more are not compared, and so not let through. */
const PATHS_MAX = 65_536;

/**
 * The first blocked input that a call would be made on, or why that cannot be told; null where it may be
 * made. A link that is bent between this and the call is not seen.
 */
export async function blockAgainst(
  tools: Compared,
  { tool, input }: { readonly tool: string; readonly input: Json },
  targets: readonly Target[],
): Promise<string | null> {
  const blocks = targets.filter((target) => target.tool === tool);
  if (blocks.length === 0) return null;
  const spelled = [
    ...new Set([recordedInput(tool, input), tools.recorded?.({ tool, input }) ?? recordedInput(tool, input)]),
  ];
  const paths = new Set<string>();
  const asWritten = (path: string): string => {
    paths.add(path);
    return path;
  };
  const written = foundIn(spelled, tool, blocks, asWritten);
  if (written !== null || tools.realPath === undefined) return written;
  if (paths.size > PATHS_MAX) return `(more than ${PATHS_MAX} paths to compare)`;
  const real = new Map<string, string>();
  for (const path of paths) real.set(path, await tools.realPath(path));
  return foundIn(spelled, tool, blocks, (path) => real.get(path) ?? path);
}

function foundIn(
  spelled: readonly string[],
  tool: string,
  blocks: readonly Target[],
  real: (path: string) => string,
): string | null {
  for (const target of spelled) {
    const block = blockOf({ tool, target }, blocks, real);
    if (block !== null) return block.target;
  }
  return null;
}
