/**
 * `npm run eval:intent -- [--details] FILE…`: how well the rules read annotated requests, as one JSON line. A
 * file of requests ends in `.jsonl`, one of the other format in `.json`; paths are relative to the caller.
 * `--details` says on stderr what was missed and what was wrong.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';

prepare();
const { admit, orThrow } = await import('@assay/kernel');
const { nativeSha256 } = await import('@assay/host');
const { annotatedIn, annotatedText, detailLines, figuresOf, judge, readByRules } = await import(
  '../packages/rules/dist/eval/index.js'
);
const { forTerminal } = await import('@assay/views');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { details: { type: 'boolean', default: false } },
});
if (positionals.length === 0) throw new Error('name files of annotated requests');

const judged = positionals
  .map((path) => resolve(process.env.INIT_CWD ?? process.cwd(), path))
  .flatMap(requestsOf)
  .map((request) => judge(request, readByRules(request, nativeSha256)));
if (values.details)
  for (const one of judged) for (const line of detailLines(one)) console.error(forTerminal(line));
console.log(JSON.stringify(figuresOf(judged)));

function requestsOf(file) {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return annotatedIn(file, jsonOf(text));
  const lines = text.trimEnd().split('\n');
  return lines.map((line, index) => annotatedText(`${file}:${index + 1}`, jsonOf(line)));
}

function jsonOf(text) {
  return orThrow(admit(JSON.parse(text))).value;
}
