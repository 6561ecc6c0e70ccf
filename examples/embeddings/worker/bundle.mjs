/** The worker and all it imports as one text for browsers. `node bundle.mjs FILE` writes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const graph = await rolldown({
  input: join(import.meta.dirname, 'decider.mjs'),
  platform: 'browser',
  // The rest of Node that the host's modules name is not used here, and falls away.
  external: /^node:/,
  treeshake: { moduleSideEffects: false },
});
const { output } = await graph.generate({ format: 'iife', minify: true });
await graph.close();
writeFileSync(process.argv[2] ?? 'decider.bundle.js', output[0].code);
