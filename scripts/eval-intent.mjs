/**
 * `npm run eval:intent -- [--half dev|held-back] [--details] PATH…`: how well the rules read annotated
 * requests, as one JSON line. A path is a folder of requests or a file of the other format, relative to the
 * caller. `--details` says on stderr what was missed and what was wrong; those of held-back requests only
 * where nothing else was asked for.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';

prepare();
const { admit, orThrow } = await import('@assay/kernel');
const { nativeSha256 } = await import('@assay/host');
const { annotatedIn, annotatedText, detailLines, figuresOf, judge, namesIn, readByRules } = await import(
  '@assay/rules/eval'
);
const { forTerminal } = await import('@assay/views');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string', default: 'all' }, details: { type: 'boolean', default: false } },
});
if (positionals.length === 0) throw new Error('name folders of annotated requests');
if (!['dev', 'held-back', 'all'].includes(values.half)) throw new Error('--half: dev, held-back or all');

const judged = positionals
  .map((path) => resolve(process.env.INIT_CWD ?? process.cwd(), path))
  .flatMap((path) => (statSync(path).isDirectory() ? requestsOf(path) : annotatedIn(path, jsonOf(path))))
  .map((request) => judge(request, readByRules(request, nativeSha256)));
if (values.details)
  for (const one of judged.filter(({ annotated }) => !annotated.isHeldBack || values.half === 'held-back'))
    for (const line of detailLines(one)) console.error(forTerminal(line));
console.log(JSON.stringify(figuresOf(judged)));

/** One half of a folder; no file of the other half is opened. */
function requestsOf(folder) {
  return namesIn(readdirSync(folder))
    .filter(({ isHeldBack }) => values.half === 'all' || isHeldBack === (values.half === 'held-back'))
    .map((named) => {
      const file = join(folder, `${named.name}.expected.json`);
      return annotatedText(
        named,
        readFileSync(join(folder, `${named.name}.txt`), 'utf8'),
        file,
        jsonOf(file),
      );
    });
}

function jsonOf(file) {
  return orThrow(admit(JSON.parse(readFileSync(file, 'utf8')))).value;
}
