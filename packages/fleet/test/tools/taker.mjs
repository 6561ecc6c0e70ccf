/** The child process of `fleet-contract`: takes jobs of an engine, and tells its parent of each. */
import { bullmqEngine, dbosEngine } from '../../dist/index.js';

const { kind, url, schema, taking, rejects, ms, canary } = JSON.parse(process.argv[2]);
const engine = await { dbos: dbosEngine, bullmq: bullmqEngine }[kind]({ url, schema });
let rest = rejects;
const taken = await engine.take({
  ...taking,
  handle: async (job) => {
    process.send({ job });
    if (rest-- > 0) throw new Error(canary);
    await new Promise((resolve) => setTimeout(resolve, ms));
    process.send({ done: job });
  },
  onError: ({ code }) => process.send({ error: code }),
});
process.on('message', (asked) => {
  const done = asked === 'stop' ? taken.stop() : engine.close();
  void done.then(() => process.send({ answer: asked }));
});
process.send({ answer: 'ready' });
