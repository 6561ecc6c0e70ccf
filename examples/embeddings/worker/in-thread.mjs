/**
 * `node in-thread.mjs BUNDLE TEXT LEDGER`: the bundle in a thread of Node, where the two functions of a web
 * worker have other names.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const NAMES = `const { parentPort } = require('node:worker_threads');
globalThis.postMessage = (said) => parentPort.postMessage(said);
globalThis.addEventListener = (_, take) => parentPort.on('message', (data) => take({ data }));`;

const [, , path, text, ledger] = process.argv;
const worker = new Worker(`${NAMES}\n${readFileSync(path, 'utf8')}`, { eval: true });
worker.postMessage({ runId: 'in-a-worker', text });
const [said] = await once(worker, 'message');
await worker.terminate();
writeFileSync(ledger, said.ledger);
console.log(said.outcome);
