/**
 * What a command reads: the output of the command before it, and files that are opened here, so that it never
 * learns a path.
 *
 * @module
 */
import type { Readable, Writable } from 'node:stream';
import { ok, type Result } from '@assay/kernel';
import type { CallContext } from '../calls/call.js';
import type { Refusal } from '../refusal.js';
import { readPieces, withFile } from '../workspace/content.js';
import { withSpot } from '../workspace/descend.js';
import type { InsidePath } from '../workspace/path.js';

/**
 * Where the bytes come from, one behind the other; null is the command before. `end`: the byte that ends a
 * line, put between two where the first leaves it out.
 */
export type Input = { readonly sources: readonly (InsidePath | null)[]; readonly end: number };

/**
 * Feeds a command, then closes its input and lets go of the one before. Gives why a file could not be opened
 * or read, or null, also where the command takes no more: either end that goes is seen in how its command
 * ended. Codes: those of `withSpot` and `openFile`.
 */
export async function feed(
  context: CallContext,
  { sources, end }: Input,
  before: Readable | null,
  to: Writable,
): Promise<Refusal | null> {
  // Once its command has ended, an output that nobody listens to would be thrown away.
  before?.on('readable', () => undefined);
  let last = end;
  let taken = Promise.resolve(true);
  const give = async (pieces: AsyncIterable<Uint8Array>): Promise<Result<Refusal, boolean>> => {
    if (last !== end) taken = put(to, Uint8Array.of(end));
    // While one piece is taken the next is read.
    for await (const piece of pieces) {
      if (!(await taken)) return ok(false);
      taken = put(to, piece);
      last = piece.at(-1) ?? last;
    }
    return ok(await taken);
  };
  try {
    for (const source of sources) {
      const given =
        source === null
          ? await give(readOutput(before))
          : await withSpot(context.workspace, source, { make: false, follow: true }, (spot) =>
              withFile(spot, 'read', ({ handle }) => give(readPieces(handle))),
            );
      if (given._tag === 'Left') return given.left;
      if (!given.right) break;
    }
    return null;
  } finally {
    before?.destroy();
    to.end();
  }
}

/** An output that breaks off is over. */
async function* readOutput(before: Readable | null): AsyncGenerator<Uint8Array> {
  if (before === null) return;
  try {
    yield* before;
  } catch {
    before.destroy();
  }
}

/** False where nobody takes it. */
function put(to: Writable, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    to.write(piece, (error) => resolve(error === null || error === undefined));
  });
}
