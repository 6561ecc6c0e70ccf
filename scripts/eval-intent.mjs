/**
 * `npm run eval:intent -- DIR…`: builds where needed, then runs `assay eval`. All arguments go to it;
 * relative paths are those of the caller.
 */
import { join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { prepare } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

prepare();
const from = process.env.INIT_CWD ?? process.cwd();
const given = process.argv
  .slice(2)
  .map((argument) =>
    !argument.startsWith('-') && existsSync(resolve(from, argument)) ? resolve(from, argument) : argument,
  );
process.exit(node(join('packages', 'cli', 'bin', 'assay.mjs'), ['eval', ...given]));
