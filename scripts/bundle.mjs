/** Bundles the `assay` command. The build calls it where the bundle is not what it would be now. */
import { bundle } from './lib/bundle.mjs';

await bundle();
