/**
 * `npm run eval:intent -- [--proposer P] [--details] FILE…`: how well a proposer reads annotated requests, as one JSON
 * line. P is what `assay run --proposer` takes, default `rules`; files are those of examples/requests, whose README
 * says what is counted. `--details` names on stderr what was missed and what was wrong.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

prepare();
const { isSameAmount } = await import('@assay/kernel/intent');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { proposer: { type: 'string', default: 'rules' }, details: { type: 'boolean', default: false } },
});
if (positionals.length === 0) throw new Error('name files of annotated requests');
const sum = { requests: 0, refused: 0, false_refusals: 0, known: 0, found: 0, pairs: 0, opposite: 0 };
for (const path of positionals.map((name) => resolve(process.env.INIT_CWD ?? '.', name)))
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) count(JSON.parse(line));
const { known, found, pairs, ...counts } = sum;
const share = (whole) => (whole === 0 ? null : Math.floor((pairs * 10_000) / whole) / 10_000);
console.log(JSON.stringify({ ...counts, requirement: { p: share(found), r: share(known), n: known } }));

function count({ name, text, claims, refusal = null, ignore = [] }) {
  const blueprint = decide(text);
  const isIgnored = ({ start, end }) => ignore.some((one) => start >= one.start && end <= one.end);
  const wanted = claims.filter((claim) => !isIgnored(claim));
  const made = (blueprint?.claims ?? []).filter(
    ({ kind, quote, provenance }) =>
      kind === 'requirement' && provenance === 'seed' && quote !== null && !isIgnored(quote),
  );
  sum.requests += 1;
  sum.known += wanted.length;
  sum.found += made.length;
  if (blueprint === null) sum.refused += 1;
  if (blueprint === null && refusal === null) sum.false_refusals += 1;
  const ranked = wanted
    .flatMap((one) => made.map((other) => ({ one, other, overlap: overlap(one, other.quote) })))
    .filter(({ overlap: size }) => size >= 0.5)
    .sort((a, b) => b.overlap - a.overlap);
  const isTurned = ({ one, other }) =>
    isFlag(one.atom) &&
    isFlag(other.atom) &&
    (one.modality === 'must_not') !== (other.modality === 'must_not');
  sum.opposite += ranked.filter(isTurned).length;
  const met = new Set();
  for (const { one, other } of ranked) {
    if (met.has(one) || met.has(other) || one.modality !== other.modality) continue;
    if (!isSameAtom(one.atom, other.atom)) continue;
    met.add(one).add(other);
    sum.pairs += 1;
  }
  if (!values.details) return;
  for (const one of wanted) if (!met.has(one)) console.error(`${name}: missed ${JSON.stringify(one.quote)}`);
  for (const one of made) if (!met.has(one)) console.error(`${name}: wrong ${JSON.stringify(one.text)}`);
}

/** The blueprint of a request, or null where the run was refused. */
function decide(text) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-eval-'));
  const command = [join(root, 'packages/cli/bin/assay.mjs'), 'run', '-', '--proposer', values.proposer];
  const { status, stderr } = spawnSync(process.execPath, [...command, '-o', folder, '--quiet'], {
    input: text,
    encoding: 'utf8',
  });
  const path = join(folder, 'blueprint.json');
  const blueprint = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  rmSync(folder, { recursive: true });
  if (status > 1) throw new Error(stderr);
  return blueprint;
}

/** Intersection over union of two quotes. */
function overlap(a, b) {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared / (a.end - a.start + b.end - b.start - shared);
}

function isFlag(atom) {
  return atom === null || typeof atom.value === 'boolean';
}

/** True for the same amount, date or word; keys are not compared, and a flag stands for no atom. */
function isSameAtom(known, found) {
  if (isFlag(known) || isFlag(found)) return isFlag(known) && (isFlag(found) || found.op === 'in');
  if (typeof known.value === 'object' && typeof found.value === 'object')
    return known.op === found.op && isSameAmount(known, found);
  return known.op === found.op && known.value === found.value;
}
