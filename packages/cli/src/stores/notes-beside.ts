/**
 * Notes of calls beside a store, and what becomes of them when a run is copied.
 *
 * @module
 */
import { join } from 'node:path';
import { CallNotesError, copyNotes as copyLines } from '@assay/host';
import { notesProblem } from './notes-problem.js';
import { placeBeside } from './place-beside.js';

/** The folder of a store's notes, of its own: the same run in two databases has the same keys. Null for a server. */
export async function notesFolder(url: string): Promise<string | null> {
  const place = await placeBeside(url);
  return place === null ? null : join(place.folder, place.database === null ? 'calls' : `${place.database}.calls`);
}

/**
 * Has a store know the calls that are noted beside another. `lost`: there are notes, and the target is a server, which keeps none. Raises `Stop`,
 * `notes_unavailable`, where they cannot be read or written.
 */
export async function copyNotes(from: string, to: string, runId: string): Promise<'none' | 'copied' | 'lost'> {
  const [source, target] = [await notesFolder(from), await notesFolder(to)];
  if (source === null) return 'none';
  try {
    return await copyLines(source, target, runId);
  } catch (error) {
    throw error instanceof CallNotesError ? notesProblem(error.fault, 'copy again') : error;
  }
}
