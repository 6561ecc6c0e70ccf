/** Paper, forced colours and reduced motion: every verdict and picture is still told, and nothing runs over. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { check, ended, go, golden, opened, reported, verdictsIn } from './lib.mjs';
import { roundLines } from '../../../controller/bench/rounds.mjs';

const NAMES = ['intent-several-proposers', 'controller-e2e-change-path', 'planner-e1-agent'];
const ROUTES = ['overview', 'decision', 'course', 'result', 'ledger', 'break', 'check'];
/** Width of A4 paper without its margins, in CSS pixels. */
const PAPER = { width: 718, height: 1_047 };

for (const name of NAMES)
  check(`on paper: ${name}`, async () => {
    const page = await opened(reported(`paper-${name}`, golden(name)), { viewport: PAPER });
    await ended(page);
    await page.emulateMedia({ media: 'print' });
    for (const route of ROUTES) {
      await go(page, `#/${route}`);
      assert.ok((await verdictsIn(page)).length === 5, route);
      await page.waitForFunction(() => document.querySelector('main').innerText.trim().length > 40);
      const { over, controls } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        controls: [...document.querySelectorAll('button, input, nav')].filter(
          (one) => one.getClientRects().length > 0,
        ).length,
      }));
      assert.deepEqual([route, Math.max(0, over), controls], [route, 0, 0]);
    }
    assert.equal((await page.pdf({ format: 'A4' })).subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(page.broken, []);
    await page.close();
  });

check('on paper, which is white, text is dark whatever theme was chosen', async () => {
  const page = await opened(reported('dark-paper', golden('tally-success')));
  await ended(page);
  await page.selectOption('.theme select', 'dark');
  await page.emulateMedia({ media: 'print' });
  const colour = await page.evaluate(() => getComputedStyle(document.body).color);
  assert.ok(/[0-9]+/.exec(colour)[0] < 60, colour);
  await page.close();
});

check('on paper, a long ledger is the rows in sight, and says so', async () => {
  const lines = roundLines(2_000, (bytes) => hash('sha256', bytes));
  const page = await opened(reported('long-paper', Buffer.from([...lines].join(''))));
  await ended(page);
  await go(page, '#/ledger');
  await page.waitForSelector('[data-row="20"] .text');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.ok(pdf.match(/\/Type\s*\/Page\b/g).length < 8);
  await page.emulateMedia({ media: 'print' });
  assert.match(await page.innerText('main'), /Of 2000 records only those in sight are on paper/);
  await page.close();
});

check('forced colours: what a colour says has a border, and marks of pictures keep theirs', async () => {
  const page = await opened(reported('forced', golden('planner-e1-agent')), { forcedColors: 'active' });
  await ended(page);
  const bare = await page.$$eval('.chip, .card', (all) =>
    all.filter((one) => getComputedStyle(one).borderTopStyle === 'none').map((one) => one.className),
  );
  assert.deepEqual(bare, []);
  await page.waitForSelector('main svg.lanes rect');
  const bars = await page.$$eval('main svg.lanes rect', (all) =>
    all.map((one) => getComputedStyle(one).forcedColorAdjust),
  );
  assert.ok(bars.length > 0 && bars.every((adjust) => adjust === 'none'));
  await page.close();
});

check('reduced motion: nothing moves', async () => {
  const page = await opened(reported('still', golden('tally-success')), { reducedMotion: 'reduce' });
  await ended(page);
  const moving = await page.$$eval(
    '*',
    (all) =>
      all.filter((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName !== 'none' || !/^0s(?:, 0s)*$/.test(transitionDuration);
      }).length,
  );
  assert.equal(moving, 0);
  await page.close();
});
