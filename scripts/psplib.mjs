/**
 * `npm run psplib -- DIR [--out FILE]`: every `.sm` and `.mm` file below a folder, against the critical path in
 * its header, the results tables (`;`-separated `.csv`) and the makespans (`optimum.csv`) below the same folder.
 * Prints one JSON line; without data `{"skipped":true}`. `--out` writes one line an instance (docs/formats/plan.md). Fifty instances have known
 * facts in `psplib/facts.json`: critical path, verdict, overrun, elements of the core. Paths are relative to the
 * caller.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';

const here = (path) => resolve(process.env.INIT_CWD ?? process.cwd(), path);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' } },
});
prepare();
const { dataIn, judgeAll } = await import('./psplib/judge.mjs');

const folder = here(positionals[0] ?? '.');
const data =
  positionals.length > 0 && existsSync(folder) ? dataIn(folder) : { files: [], published: new Map() };
if (data.files.length === 0) console.log(JSON.stringify({ skipped: true }));
else {
  const lines = [];
  const judged = judgeAll(data, (line) => lines.push(line));
  console.log(JSON.stringify({ ...judged, ...againstFacts(lines) }));
  if (values.out !== undefined)
    writeFileSync(here(values.out), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** How many of the lines have known facts, and of how many these are the facts. */
function againstFacts(lines) {
  const known = JSON.parse(readFileSync(new URL('./psplib/facts.json', import.meta.url), 'utf8'));
  const facts = new Map(known.map(([instance, ...fact]) => [instance, JSON.stringify(fact)]));
  const found = lines.filter(({ instance }) => facts.has(instance));
  const equal = found.filter(({ instance, cpm, verdict, raise, core }) => {
    const overrun = verdict === 'SAT' ? 0 : (raise?.total ?? null);
    const elements = core === null ? null : core.rows.length + core.tasks.length;
    return facts.get(instance) === JSON.stringify([cpm, verdict, overrun, elements]);
  });
  return { facts_checked: found.length, facts_equal: equal.length };
}
