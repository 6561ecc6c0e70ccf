/**
 * `npm run eval:language -- [--details]`: the gates of the requirements language and of the plan
 * notation, one row each. `--details` names what is not right.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { WRAPPINGS, wrap } from './language/wrappings.mjs';

prepare();
const { generateSentences } = await import('./language/generate.mjs');
const { isUnread, isWhole, matchesOf, outcomeOf, sentencesIn } = await import('./language/sentences.mjs');
const { findQuestionClass } = await import('@assay/kernel/intent');
const { values } = parseArgs({
  options: { details: { type: 'boolean', default: false } },
});
const { readRequest } = await import('@assay/proposers/language');
const claimsIn = (text) => readRequest(text).claims;
const isStated = (claim) => findQuestionClass(claim) === null && !isUnread(claim);

const SETS = new URL('../packages/proposers/test/language/sets/', import.meta.url);
const folder = (name) => sentencesIn(new URL(`${name}/`, SETS)).flatMap(([, sentences]) => sentences);
const page = folder('page');
const fresh = folder('fresh');
/** By name: the sentences, and whether they are in the language. */
const sets = {
  'written by the page': [page, true],
  'fresh, by the page': [fresh, true],
  'second author': [folder('author'), true],
  generated: [generateSentences(10_000), true],
  'near misses': [folder('near'), null],
  'free English': [folder('repository'), false],
};
const rows = [];
const gate = (name, figure, bound, holds) => rows.push([holds ? 'ok' : 'MISSED', name, figure, bound]);
const share = (part, whole) => (part / Math.max(1, whole)).toFixed(3);

const total = { opposite: 0, wrong: 0, sentences: 0 };
for (const [name, [sentences, isLanguage]] of Object.entries(sets)) {
  const count = { right: 0, asked: 0, lost: 0, wrong: 0, opposite: 0 };
  const sum = { demands: 0, met: 0, claims: 0, good: 0 };
  for (const sentence of sentences) {
    const claims = claimsIn(sentence.text);
    const outcome = outcomeOf(sentence, claims, isLanguage !== false);
    count[outcome] += 1;
    for (const [field, figure] of Object.entries(matchesOf(sentence, claims))) sum[field] += figure;
    if (values.details && outcome !== 'right')
      console.error(`${name}: ${outcome}: ${JSON.stringify(sentence.text)}`);
  }
  total.opposite += count.opposite;
  total.wrong += count.wrong;
  total.sentences += sentences.length;
  const outcomes = Object.entries(count).map(([outcome, figure]) => `${outcome} ${figure}`);
  console.log(`${name}: ${sentences.length} sentences, ${outcomes.join(', ')}`);
  if (isLanguage !== true) continue;
  gate(`recall, ${name}`, share(sum.met, sum.demands), '>= .95', sum.met >= 0.95 * sum.demands);
  gate(`precision, ${name}`, share(sum.good, sum.claims), '>= .98', sum.good >= 0.98 * sum.claims);
}
gate('opposite', `${total.opposite} of ${total.sentences}`, '0', total.opposite === 0);
gate(
  'wrong',
  `${total.wrong} of ${total.sentences}`,
  '<= 1 in 1,000',
  total.wrong <= total.sentences / 1_000,
);

let [tried, checks] = [0, 0];
const bySort = new Map();
for (const { text } of [...page, ...fresh]) {
  if (text.includes('\n') || text.endsWith('?') || !claimsIn(text).some(isStated)) continue;
  for (const wrapping of WRAPPINGS) {
    const wrapped = wrap(wrapping, text);
    const made = claimsIn(wrapped).filter((claim) => isStated(claim) && claim.modality !== 'may');
    tried += 1;
    if (made.length === 0) continue;
    bySort.set(wrapping, [...(bySort.get(wrapping) ?? []), wrapped]);
    if (made.some(({ atom }) => atom !== null && typeof atom.value !== 'boolean')) checks += 1;
  }
}
const claimed = [...bySort.values()].flat().length;
gate('nothing demanded, a check', `${checks} of ${tried}`, '<= 1 in 1,000', checks <= tried / 1_000);
gate('nothing demanded, any demand', `${claimed} of ${tried}`, '-', true);
if (values.details)
  for (const [wrapping, texts] of bySort)
    console.error(`${wrapping}: ${texts.length}, ${JSON.stringify(texts.slice(0, 4))}`);

const all = Object.values(sets).flatMap(([sentences]) => sentences);
const broken = all.filter(({ text }) => !isWhole(text, readRequest(text).sentences));
gate('read, unread or quiet', `${all.length - broken.length} of ${all.length}`, 'each', broken.length === 0);
const MIB = 1_048_576;
const fill = (text) => text.repeat(Math.ceil(MIB / text.length)).slice(0, MIB);
const timed = (text) => {
  const start = process.cpuUsage().user;
  readRequest(text);
  return (process.cpuUsage().user - start) / 1_000_000;
};
const TEXTS = {
  '1 MiB of patterns': [
    'If the door is open, the alarm must sound within 5 s, otherwise it must stay silent. ',
    2,
  ],
  '1 MiB of prose': ['Orders over 500 EUR are sent to the shop by mail. ', 2],
  '1 MiB of amounts': ['5 s at most 5 s ', 4],
  '1 MiB of joints': [`If a ${'and '.repeat(48)}is is, x must go. `, 4],
  '1 MiB of marks': ['“must, “if, ', 4],
  '1 MiB of lists': ['All of the following must:\n- go, and go\n', 4],
  '1 MiB without an end': ['a page must load and if it must, ', 4],
};
for (const [name, [sort, bound]] of Object.entries(TEXTS)) {
  const text = fill(sort);
  timed(text.slice(0, 65_536));
  const [half, whole] = [timed(text.slice(0, text.length / 2)), timed(text)];
  gate(name, `${whole.toFixed(2)} s`, `<= ${bound} s`, whole <= bound);
  gate(`… and half of it`, `${half.toFixed(2)} s`, 'linear', whole <= 3 * half + 0.1);
}
const { judgeTasks } = await import('./language/tasks.mjs');
for (const [name, set] of [
  ['everyday tasks', 'everyday.json'],
  ['tasks of the second author', 'tasks'],
]) {
  const { asked, right, refused, wrong, judged } = await judgeTasks(set);
  gate(
    `${name}, by files`,
    `${right} right, ${refused} refused, ${wrong} wrong of ${asked}`,
    '0 wrong',
    wrong === 0,
  );
  if (values.details)
    for (const { name: task, outcome, why } of judged)
      if (outcome !== 'right') console.error(`${task}: ${outcome}: ${why}`);
}
for (const [name, bound, folders] of [
  ['lines of the reader', 1_500, ['proposers/src/language']],
  [
    '… with the plan notation and plan files',
    3_800,
    ['proposers/src/language', 'proposers/src/tasks', 'planner/src/shell/plans'],
  ],
]) {
  const lines = folders.flatMap((path) => {
    const at = new URL(`../packages/${path}/`, import.meta.url);
    return readdirSync(at).flatMap((file) => readFileSync(new URL(file, at), 'utf8').split('\n').slice(1));
  });
  gate(name, `${lines.length}`, `<= ${bound}`, lines.length <= bound);
}
rows.push(['see', 'decoys', 'node scripts/decoys.mjs', '0 wins but the two of spec language §3']);
const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at].length)));
for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
