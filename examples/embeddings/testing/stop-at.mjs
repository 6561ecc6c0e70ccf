/** Preloaded (`node --import`): once a line that begins with STOP_AT is printed, the process stands still and waits to be killed. */
const print = console.log;
console.log = (...words) => {
  print(...words);
  if (String(words[0]).startsWith(process.env['STOP_AT'])) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
