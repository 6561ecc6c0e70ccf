/** The engine of contracts in a page that has its bytes inside. Source: explorer/X9. */
import { nobleSha256 } from '@assay/kernel';
import { loadEngine, type Engine } from '@assay/ecology/sandbox';
import { unpackBytes } from '../engine/reading.js';

const ENGINE_BYTES_MAX = 4 * 1_048_576;

/**
 * The engine of base64 of gzip; null where this browser refuses WebAssembly, or counts otherwise than the
 * engine's self-test says: what needs it is then not checked.
 */
export async function unpackEngine(packed: string): Promise<Engine | null> {
  try {
    const loaded = loadEngine(await unpackBytes(packed, ENGINE_BYTES_MAX), nobleSha256);
    return loaded._tag === 'Right' ? loaded.right : null;
  } catch {
    return null;
  }
}
