/**
 * `node probe.mjs`: answers as JSON lines, folded again, by nothing but a program of one's own. Prints one
 * JSON document.
 */
import { add, ANSWERS, changed, FROM, print, seen, TO } from '../testing/probe.mjs';

const text = ANSWERS.map((cents) => JSON.stringify({ cents })).join('\n');
const folded = (lines, reduce) =>
  lines
    .split('\n')
    .map((line) => JSON.parse(line).cents)
    .reduce(reduce, 0);

print({
  host: 'plain loop',
  versions: [`Node ${process.versions.node.split('.')[0]}`],
  control: await seen(() => folded(text, add)),
  edited: await seen(() => folded(text.replace(String(FROM), String(TO)), add)),
  changed: await seen(() => folded(text, changed)),
  shape: await seen(() => folded(`${text}\n{"dollars":1}`, add)),
});
