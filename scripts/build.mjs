/** `npm run build`: compiles every package (`tsc -b`); nothing is done where nothing changed. */
import { build } from './lib/prepare.mjs';

process.exit(build());
