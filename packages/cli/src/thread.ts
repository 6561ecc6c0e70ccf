/** What a thread of the command does: the job that it is started with, loaded only there. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Job } from './files/threads.js';

type Work = (data: never, port: MessagePort) => void;

const JOBS: { readonly [name in Job]: () => Promise<Work> } = {
  verify: async () => (await import('./commands/verify/threads.js')).verifySent,
  rederive: async () => (await import('./commands/verify/threads.js')).rederiveSent,
  impact: async () => (await import('./commands/impact/judge.js')).judgeSent,
  test: async () => (await import('./commands/test.js')).testSent,
  sweep: async () => (await import('./kits/ecology/sweep-thread.js')).playSent,
  mcp: async () => (await import('./commands/mcp/desk.js')).callSent,
};

const { job, data } = workerData as { readonly job: Job; readonly data: never };
const work = await JOBS[job]();
if (parentPort !== null) work(data, parentPort);
