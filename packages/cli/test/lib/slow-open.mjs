// Loaded before the command: the first file that is opened to act on takes two seconds of its thread.
import { writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = promises;
const busy = process.env['ASSAY_TEST_BUSY'];
promises.open = (path, ...rest) => {
  if (!busy || !String(path).startsWith('/proc/self/fd')) return open(path, ...rest);
  promises.open = open;
  writeFileSync(busy, '');
  for (const end = Date.now() + 2_000; Date.now() < end; );
  return open(path, ...rest);
};
syncBuiltinESMExports();
