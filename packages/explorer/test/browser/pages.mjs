/** Each page in each state: what a reader finds, with the keyboard alone, and without a fault that axe knows. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLine, formatHeadLine, openRun, orThrow } from '@assay/kernel';
import { verify } from '@assay/verifier';
import { renderReport, viewerPath } from '@assay/explorer';
import { buildShell } from '@assay/explorer/build';
import {
  axe,
  check,
  checkEach,
  ended,
  folder,
  go,
  golden,
  lookAt,
  machines as known,
  opened,
  reported,
  shellOf,
  verdictsIn,
  written,
} from './lib.mjs';
import { roundLines } from '../../../controller/bench/rounds.mjs';
import { machines } from '../tools/own-machine.mjs';

/** Pages that are of the machine, and those that are alike for every machine. */
const OWN = ['overview', 'decision', 'course', 'result', 'graph'];
const ALIKE = ['ledger', 'record/2', 'diff', 'break', 'check'];
const KINDS = [
  'intent-several-proposers',
  'controller-e2e-change-path',
  'memory-refine-one-path',
  'planner-e1-agent',
];
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const viewer = pathToFileURL(viewerPath()).href;
const on = (page, name) => page.setInputFiles('input[type=file]', join(folder, name));

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong. */
async function faultsIn(page, runOnly = ALL_RULES) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (only) => globalThis.axe.run(document, { runOnly: only }),
    runOnly,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`,
  );
}

for (const scheme of ['light', 'dark'])
  checkEach(`axe finds nothing on any page, ${scheme}`, KINDS, async (name) => {
    const page = await opened(reported(`axe-${name}`, golden(name)), {
      bypassCSP: true,
      colorScheme: scheme,
    });
    await ended(page);
    for (const route of name === KINDS[0] ? [...OWN, ...ALIKE] : OWN) {
      await go(page, `#/${route}`);
      await page.waitForTimeout(120);
      await page.evaluate(() =>
        document.querySelectorAll('details.twin').forEach((one) => (one.open = true)),
      );
      // The other theme differs in its colours alone.
      assert.deepEqual(await faultsIn(page, scheme === 'dark' ? ['color-contrast'] : ALL_RULES), [], route);
    }
    await page.close();
  });

check('axe finds nothing where a check failed, and where there is no file', async () => {
  const broken = Buffer.from(golden('tally-success').toString().replace('"decision"', '"decisiom"'));
  for (const url of [reported('broken', broken), viewer]) {
    const page = await opened(url, { bypassCSP: true, colorScheme: 'light' });
    await ended(page);
    assert.deepEqual(await faultsIn(page), []);
    await page.close();
  }
});

check('keys alone: pages, rows, records, search, help, and the switch', async () => {
  const page = await opened(reported('keys', golden('intent-several-proposers')));
  await ended(page);
  // A page takes keys once it is painted.
  const press = async (...keys) => {
    await page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 200))),
        ),
    );
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('g', 'l');
  await page.waitForSelector('[data-row="3"]');
  await press('j', 'j', 'j');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.row), '2');
  await press('ArrowDown', 'k', 'Enter');
  await page.waitForSelector('[data-page=record]');
  assert.equal(await page.evaluate(() => location.hash), '#/record/2');
  await press('j');
  await page.waitForFunction(() => location.hash === '#/record/3');
  await press('/');
  assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
  await page.keyboard.type('lit_until');
  await page.waitForSelector('main[data-page=ledger] [data-row]');
  await page.evaluate(() => document.activeElement.blur());
  await press('?');
  assert.ok(await page.isVisible('dialog'));
  await page.check('#keys-off');
  await press('Escape', 'g', 'd');
  assert.equal(await page.evaluate(() => location.hash), '#/record/3');
  // Every page is reached with Tab and Enter.
  const links = new Set();
  await page.evaluate(() => document.activeElement.blur());
  for (let at = 0; at < 40; at += 1) {
    await press('Tab');
    links.add(await page.evaluate(() => document.activeElement.getAttribute('href')));
  }
  for (const route of ['#/overview', '#/graph', '#/break', '#/check']) assert.ok(links.has(route), route);
  await page.close();
});

check('on a phone the transcript begins in the first screen, and nothing runs over', async () => {
  for (const name of [...KINDS, 'gate-support', 'tally-success']) {
    const page = await opened(reported(`phone-${name}`, golden(name)), {
      viewport: { width: 400, height: 800 },
    });
    await ended(page);
    const top = await page.$eval(
      '#transcript, [data-panel=transcript]',
      (one) => one.getBoundingClientRect().top,
    );
    const over = await page.evaluate(() => document.documentElement.scrollWidth - 400);
    assert.deepEqual([name, top < 560, over], [name, true, 0]);
    await page.close();
  }
});

check('the transcript: refusals alone, one source alone, and a record beside it', async () => {
  const page = await opened(reported('transcript', golden('tally-spend-and-failures')));
  await ended(page);
  const turns = () => page.$$eval('#transcript .turn', (all) => all.map((one) => one.className));
  await page.waitForSelector('#transcript .turn');
  const all = (await turns()).length;
  await page.check('#transcript input[type=checkbox]');
  await page.waitForFunction((before) => document.querySelectorAll('.turn').length < before, all);
  assert.ok((await turns()).every((name) => name.includes('bad')));
  await page.uncheck('#transcript input[type=checkbox]');
  await page.selectOption('#transcript select', 'human');
  await page.waitForFunction(() => document.querySelector('.turn:not(.person)') === null);
  assert.match(await page.innerText('.turn'), /clerk/);
  await page.click('.turn .cover');
  await page.waitForSelector('aside h2');
  assert.match(await page.innerText('aside'), /clerk/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('aside', { state: 'detached' });
  await page.close();
});

/** What the Overview says: what, why, who, and what is not checked. */
const WORDS = {
  'intent-several-proposers': [
    'Decided',
    '“whole”',
    'synthetic',
    'not checked · no_head',
    'not checked · unsigned',
  ],
  'intent-below-min-score': ['Refused', 'below_min_score', '1 synthetic', 'not checked · no_head'],
  'controller-e2e-change-path': ['Done', 'write the report', 'tool', 'not checked · no_head'],
  'controller-e2e-abandon': ['Abandoned', 'not judged', 'not checked · no_head'],
  'memory-refine-one-path': ['10 experiences', 'caution', 'human', 'not checked · no_head'],
  'planner-e1-agent': [
    'Fits with 1 change',
    'under 50,000 cents',
    't8: a',
    '4 synthetic',
    'not checked · no_head',
  ],
  'planner-e1c-hopeless': ['Does not fit', 'under 4,000 cents', '54,500 cents over'],
  'tally-success': ['not checked · no_head', 'answers from'],
};
checkEach('the Overview says what, why, who, and what is not checked', Object.keys(WORDS), (name) =>
  lookAt(reported(`words-${name}`, golden(name)), async (page) => {
    await ended(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    const text = await page.innerText('body');
    for (const word of WORDS[name]) assert.ok(text.includes(word), `${word} in\n${text.slice(0, 1_500)}`);
  }),
);

checkEach(
  'Break it: each attack is caught as announced, or offers nothing',
  [...KINDS, 'tally-success'],
  (name) =>
    lookAt(reported(`break-${name}`, golden(name)), async (page) => {
      await ended(page);
      await go(page, '#/break');
      await page.click('button.primary');
      await page.waitForFunction(
        () => !/not tried yet|forging/.test(document.querySelector('main').textContent),
      );
      const rows = await page.$$eval('tr[data-attack]', (all) => all.map((row) => row.innerText));
      assert.equal(rows.length, 6);
      for (const row of rows) assert.match(row, /caught, as announced|offers nothing/);
      assert.match(await page.innerText('.never'), /No check can show/);
      assert.doesNotMatch(await page.innerText('main'), /not caught/);
    }),
);

check('what if: turned knobs decide again, tinted and called no evidence', async () => {
  const page = await opened(reported('knobs', golden('intent-several-proposers')));
  await ended(page);
  await go(page, '#/decision');
  await page.$eval('[data-knob]', (knob) => {
    knob.value = knob.max;
    knob.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.click('[data-panel=knobs] button.primary');
  await page.waitForSelector('.tried .verdict');
  assert.match(await page.innerText('[data-panel=knobs]'), /Not evidence/);
  await page.close();
});

check('10,000 records: few rows are drawn, the last is reached, and a search finds it', async () => {
  const page = await opened(reported('many', Buffer.from([...roundLines(10_000, sha256)].join(''))));
  assert.equal(await ended(page), 'checked');
  // A tree unfolds by itself as far as 200 branches go, and further where that is asked for.
  assert.ok((await page.$$('.tree li')).length <= 200);
  await page.click('.tree summary');
  await page.waitForSelector('.tree ul li');
  await go(page, '#/ledger');
  await page.waitForSelector('[data-row="20"] .text');
  assert.ok((await page.$$('[data-row]')).length < 200);
  await page.$eval('.window', (list) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.waitForSelector('[data-row="9999"] .text');
  const isFound = (timeout) =>
    page.waitForFunction(() => /browser's own search/.test(document.querySelector('main').innerText), null, {
      timeout,
    });
  await page.fill('#search', '"record_hash":"0000');
  // Seen once on a busy machine: what was typed while the list was drawn was lost. Typed again, it counts.
  await isFound(10_000).catch(async () => {
    console.log(await page.innerText('.filters'));
    await page.fill('#search', '');
    await page.fill('#search', '"record_hash":"0000');
    await isFound(30_000);
  });
  await go(page, '#/graph');
  await page.waitForSelector('main table');
  await page.click('main table button');
  await page.waitForSelector('.dag .node');
  assert.deepEqual(page.broken, []);
  await page.close();
});

check('the viewer: a ledger, a report, a second one beside it, a head line, and what is none', async () => {
  const page = await opened(viewer);
  writeFileSync(join(folder, 'a.jsonl'), golden('tally-success'));
  writeFileSync(join(folder, 'b.jsonl'), golden('tally-refused'));
  writeFileSync(join(folder, 'c.bin'), Buffer.from([0, 1, 2, 3]));
  await on(page, 'a.jsonl');
  await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
  await go(page, '#/diff');
  await on(page, 'b.jsonl');
  await page.waitForSelector('[data-same]');
  assert.match(await page.innerText('main'), /part at decision/);
  await go(page, '#/check');
  const { document } = verify('x', golden('tally-success'), { machines: known });
  await page.fill('.outside label:first-child input', formatHeadLine(document.head));
  await page.click('.outside button');
  await page.waitForSelector('[data-check=completeness][data-verdict=held]');
  await page.fill('.outside label:first-child input', 'assay-head:1:2:nonsense');
  await page.click('.outside button');
  await page.waitForSelector('[role=alert]');
  assert.equal(await ended(page), 'error');
  await on(page, 'c.bin');
  await page.waitForSelector('[data-check=integrity][data-verdict=failed]');
  assert.match(await page.textContent('h1'), /Do not rely/);
  reported('dropped', golden('intent-unicode'));
  await page.goto('about:blank');
  await page.goto(viewer);
  await on(page, 'dropped.html');
  await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
  assert.deepEqual(page.broken, []);
  await page.close();
});

check('where workers are refused, the same verdicts come from the main thread', async () => {
  const url = reported('no-worker', golden('tally-success'));
  const page = await opened('about:blank');
  await page.addInitScript(() => {
    globalThis.Worker = () => undefined;
  });
  await page.goto(url);
  assert.equal(await ended(page), 'checked');
  await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
  await page.close();
});

check('where a policy refuses the worker only once it was made, the verdicts come all the same', async () => {
  const ledger = golden('tally-success');
  const text = renderReport(ledger, shellOf(ledger)).replace('worker-src blob:', "worker-src 'none'");
  const page = await opened(written('late-refusal', text));
  assert.equal(await ended(page), 'checked');
  await page.waitForSelector('[data-check=rederivation][data-verdict=held]');
  await page.close();
});

check('a page that is served under a name with a broken escape is not blank', async () => {
  const ledger = golden('tally-success');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(renderReport(ledger, shellOf(ledger)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await opened(`http://127.0.0.1:${server.address().port}/100%.html`);
  assert.equal(await ended(page), 'checked');
  await page.close();
  server.closeAllConnections();
  server.close();
});

check('a shell for a machine of the user, built from its module: it re-derives and draws', async () => {
  const { page: shell } = await buildShell({
    module: fileURLToPath(new URL('../tools/own-machine.mjs', import.meta.url)),
  });
  const [own] = machines;
  const policy = { voters: 1, quorum: 1, attempts: 1 };
  const input = { question: 'Where?', options: ['here', 'there'] };
  const begun = openRun(own, { run_id: 'own', ts_base: 't', policy, input, base: null, engine: null });
  const ledger = Buffer.from(
    orThrow(begun)
      .records.map((record) => `${encodeLine(record)}\n`)
      .join(''),
  );
  const page = await opened(written('own', renderReport(ledger, shell)));
  assert.equal(await ended(page), 'checked');
  assert.ok(
    (await verdictsIn(page)).some(([name, verdict]) => name === 'rederivation' && verdict === 'held'),
  );
  assert.ok((await page.$$('[data-panel]')).length > 0);
  await page.close();
  // Without a view the page says how the run ended, and that it holds.
  const { page: blind } = await buildShell({
    module: fileURLToPath(new URL('../tools/no-view.mjs', import.meta.url)),
  });
  const bare = await opened(written('own-no-view', renderReport(ledger, blind)));
  assert.equal(await ended(bare), 'checked');
  assert.match(await bare.$eval('.head', ({ textContent }) => textContent), /^Still open.*recomputed/);
  await bare.close();
  // The pages of ours say that they do not know it, and draw nothing.
  const other = await opened(reported('own-unknown', ledger));
  assert.equal(await ended(other), 'checked');
  assert.ok((await verdictsIn(other)).some(([, , code]) => code === 'unknown_machine'));
  assert.deepEqual(await other.$$('[data-panel]'), []);
  await other.close();
});
