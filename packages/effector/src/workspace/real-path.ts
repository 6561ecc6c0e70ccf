/**
 * Where a path of the workspace really leads, for whoever compares paths.
 *
 * @module
 */
import { ok } from '@assay/kernel';
import { withSpot } from './descend.js';
import type { Workspace } from './open.js';
import { parsePath } from './path.js';

/**
 * The path without links, the last one followed too, up to where nothing is; as it came where it is none,
 * leads out, or cannot be gone.
 */
export async function realPath(workspace: Workspace, text: string): Promise<string> {
  const path = parsePath(text);
  if (path._tag === 'Left') return text;
  const found = await withSpot(workspace, path.right, { make: false, follow: true, suppose: true }, (spot) =>
    Promise.resolve(ok(spot.path.text)),
  );
  return found._tag === 'Right' ? found.right : text;
}
