/**
 * The process: streams, signals, exit code.
 *
 * @module
 */
import { main } from './entry.js';
import { EXIT } from './exit.js';
import { removeUnfinished } from './files/write.js';

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    removeUnfinished();
    process.exit(EXIT.interrupted);
  });
}
for (const stream of [process.stdout, process.stderr]) {
  // A reader that went away (assay … | head) wants no more, and is no fault of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr, env: process.env });
