/** The worker and all it imports as one text for browsers. `node bundle.mjs FILE` writes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const graph = await rolldown({
  input: join(import.meta.dirname, 'decider.mjs'),
  platform: 'browser',
  resolve: { alias: { 'node:crypto': join(import.meta.dirname, 'node-crypto.mjs') } },
  // The rest of Node that the host's modules name is not used here, and falls away.
  external: /^node:(?!crypto)/,
  treeshake: { moduleSideEffects: false },
});
const { output } = await graph.generate({ format: 'iife', minify: true });
await graph.close();
writeFileSync(process.argv[2] ?? 'decider.bundle.js', output[0].code);
