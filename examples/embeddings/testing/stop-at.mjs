/**
 * Preloaded (`node --import`): once a line that begins with STOP_AT is printed, the process stands still
 * until it is killed, or the file STOP_UNTIL is there.
 */
import { existsSync } from 'node:fs';

const { STOP_AT: at, STOP_UNTIL: until } = process.env;
const cell = new Int32Array(new SharedArrayBuffer(4));
const isWoken = () => until !== undefined && existsSync(until);
const print = console.log;
console.log = (...words) => {
  print(...words);
  if (!String(words[0]).startsWith(at)) return;
  while (!isWoken()) Atomics.wait(cell, 0, 0, 50);
};
