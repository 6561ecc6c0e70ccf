/** Builds the shells of the explorer. The build calls it where they are not what they would be now. */
import { buildShells } from './lib/shells.mjs';

await buildShells();
