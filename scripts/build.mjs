/**
 * `npm run build`: compiles every package (`tsc -b`) and bundles the command; nothing is done where nothing
 * changed.
 */
import { build } from './lib/prepare.mjs';

process.exit(build());
