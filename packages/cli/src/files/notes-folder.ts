/**
 * Where the notes of calls beside a store lie.
 *
 * @module
 */
import { join } from 'node:path';
import { placeBeside } from './place-beside.js';

/**
 * The folder of a store's notes, of its own: the same run in two databases has the same keys. Null for a
 * server.
 */
export async function notesFolder(url: string): Promise<string | null> {
  const place = await placeBeside(url);
  return place === null
    ? null
    : join(place.folder, place.database === null ? 'calls' : `${place.database}.calls`);
}
