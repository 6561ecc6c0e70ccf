/** What a page does with the worker: one message each way. */
export function decide(address, runId, text) {
  const worker = new Worker(address);
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage({ runId, text });
  }).finally(() => worker.terminate());
}
