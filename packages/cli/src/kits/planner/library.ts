/**
 * The library that a plan shares with others: what it knows of the goal, and what the run has for it. Source:
 * 000 §2.B, §2.C; dec-K81.
 *
 * @module
 */
import { maskedAddress, type Ports, type Store } from '@assay/host';
import {
  LIBRARY_RUN,
  capabilityPort,
  createLibrary,
  makeHandOn,
  libraryPort,
  readLibrary,
  type LibraryPlace,
} from '@assay/planner/library-shell';
import { openStore, storeProblem } from '../../files/store.js';
import { orStop, unreachable, type Problem } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { sharedNamed } from '../../start/stored-run.js';

/** A library that a run asks. `close`: hands on what the run has for it, and says what went wrong, if anything. */
export type OpenLibrary = {
  readonly ports: Ports;
  readonly close: () => Promise<Problem | null>;
};

/** Opens a library, and makes it where there is none. Raises `Stop`: those of the store, and of one that is none. */
export async function openLibrary(given: string, run: Store, runId: string): Promise<OpenLibrary> {
  const { url, run: libraryId } = sharedNamed(given, LIBRARY_RUN);
  const store = await openStore(url);
  const place = maskedAddress(url);
  try {
    orStop(await createLibrary(store, libraryId), (error) => storeProblem(error, place));
    orStop(await readLibrary(store, libraryId), (error) => driveProblem(error, libraryId, place));
  } catch (error) {
    await store.close();
    throw error;
  }
  const at: LibraryPlace = { library: store, libraryId, run, runId };
  const [asked, waited] = [libraryPort(at), capabilityPort(at)];
  return {
    ports: ({ kind }) => (kind === 'library' ? asked : kind === 'capability' ? waited : null),
    close: async () => {
      try {
        const handed = await makeHandOn(at);
        if (handed._tag === 'Right' && handed.right.rejected.length === 0) return null;
        const code = handed._tag === 'Left' ? handed.left.code : (handed.right.rejected[0] ?? '');
        return unreachable(
          'library_untold',
          `the library was not told all that this run has for it: ${code}`,
          place,
          'give the same command again: what it knows already is not told twice',
        ).problem;
      } finally {
        await store.close();
      }
    },
  };
}
