/** What the policy of a page refuses, tried by code in the page itself; and a ledger that means harm. */
import assert from 'node:assert/strict';
import { advance, encodeLine, openRequests, openRun, orThrow } from '@assay/kernel';
import { renderReport, shellFor } from '@assay/explorer';
import { tally } from '@assay/testing/tally';
import { renderPage } from '../../dist/build/build.js';
import { check, ended, go, golden, opened, shellOf, written } from './lib.mjs';

/** Tried in the page: each is refused, or the name of what was let through is told. */
const PROBE = `;if (typeof document !== 'undefined') addEventListener('DOMContentLoaded', async () => {
  const told = {};
  const tried = async (name, go) => {
    try { told[name] = (await go()) === false ? 'refused' : 'let through'; } catch { told[name] = 'refused'; }
  };
  // False where the policy reports that it refused this.
  const violating = (directive, go) => new Promise((settle) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      if (event.effectiveDirective === directive) settle(false);
    });
    go();
    setTimeout(() => settle(true), 1000);
  });
  const inserted = (tag, attributes) => new Promise((settle) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.addEventListener('load', () => settle(true));
    element.addEventListener('error', () => settle(false));
    document.body.append(element);
    setTimeout(() => settle(false), 300);
  });
  await tried('fetch', () => fetch('https://example.com/'));
  await tried('beacon', () => violating('connect-src', () => navigator.sendBeacon('https://example.com/', 'x')));
  await tried('image', () => inserted('img', { src: 'https://example.com/x.png' }));
  await tried('data image', () => inserted('img', { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }));
  await tried('frame', () => violating('frame-src', () => {
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://example.com/' }));
  }));
  await tried('eval', () => (0, eval)('1'));
  await tried('function', () => new Function('return 1')());
  await tried('inline script', async () => {
    const script = document.createElement('script');
    script.append('globalThis.pwned = true');
    document.body.append(script);
    return globalThis.pwned === true;
  });
  await tried('innerHTML', () => { document.createElement('p').innerHTML = '<b>x</b>'; });
  await tried('second worker', () => new Worker(URL.createObjectURL(new Blob(['1']))));
  await tried('second policy', () => trustedTypes.createPolicy('assay', { createScriptURL: (url) => url }));
  await tried('inline style', async () => {
    const element = document.createElement('p');
    element.setAttribute('style', 'color: rgb(1, 2, 3)');
    document.body.append(element);
    return getComputedStyle(element).color === 'rgb(1, 2, 3)';
  });
  document.documentElement.dataset.told = JSON.stringify(told);
});`;

check(
  'fetch, image, eval, inline script, innerHTML and a second worker are refused to code in the page',
  async () => {
    const shell = shellFor('tally');
    const [, style] = /<style>([^]*?)<\/style>/.exec(shell);
    const [, script] = /<script>([^]*?)<\/script>/.exec(shell);
    const page = await opened(
      written('probe', renderReport(golden('tally-success'), renderPage(style, script + PROBE))),
    );
    await page.waitForSelector('html[data-told]', { state: 'attached' });
    const told = JSON.parse(await page.getAttribute('html', 'data-told'));
    assert.equal(Object.keys(told).length, 12);
    assert.deepEqual(
      Object.entries(told).filter(([, outcome]) => outcome !== 'refused'),
      [],
    );
    assert.equal(await ended(page), 'checked');
    await page.close();
  },
);

const HOSTILE = [
  '<script>globalThis.pwned = 1</script>',
  '</script><script>globalThis.pwned = 2</script>',
  '<img src=x onerror="globalThis.pwned = 3">',
  'javascript:globalThis.pwned=4',
  'safe \u202egnp.exe \u0000 \u200b\ufeff end',
  '<!-- --> ]]> {{pwned}} ${pwned}',
];

/** A tally whose notes are hostile. */
function hostileLedger() {
  const policy = { voters: 9, quorum: 9, attempts: 20 };
  const input = { question: HOSTILE.join(' '), options: ['here', HOSTILE[1]] };
  let step = orThrow(
    openRun(tally, { run_id: 'hostile', ts_base: 't', policy, input, base: null, engine: null }),
  );
  const lines = step.records.map(encodeLine);
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key-${at}`, at]));
  const deep = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
  const values = [...HOSTILE, 'W'.repeat(1_000_000), wide, deep];
  for (const value of values) {
    const [request] = openRequests(step.run);
    if (request === undefined) break;
    const answered = advance(step.run, {
      request_id: request.id,
      source: 'synthetic',
      proposer: 'mallory',
      confidence: null,
      value: { option: value },
      failure: null,
      at_us: null,
      spent: {},
      cites: [],
      provenance: { model: HOSTILE[0] },
    });
    if (answered._tag === 'Left') continue;
    step = answered.right;
    lines.push(...step.records.map(encodeLine));
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

for (const [name, ledger] of [
  ['a hostile tally', hostileLedger()],
  ['intent-hostile-text', golden('intent-hostile-text')],
])
  check(`${name}: nothing runs, nothing overflows, what is hidden shows`, async () => {
    const page = await opened(written(name.replaceAll(' ', '-'), renderReport(ledger, shellOf(ledger))));
    assert.equal(await ended(page), 'checked');
    const records = ledger.toString().trimEnd().split('\n').length;
    const routes = ['overview', 'decision', 'course', 'result', 'graph', 'ledger', 'check', 'diff'];
    const all = [
      ...routes.map((route) => `#/${route}`),
      ...Array.from({ length: records }, (_, at) => `#/record/${at}`),
    ];
    let text = '';
    for (const route of all) {
      await go(page, route);
      if (route.startsWith('#/record')) await page.waitForSelector('section.card');
      await page.evaluate(() =>
        document.querySelectorAll('details.twin').forEach((one) => (one.open = true)),
      );
      text += await page.innerText('main');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${route} is ${wide} pixels too wide`);
    }
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
    assert.equal(await page.evaluate(() => ({}).polluted), undefined);
    if (name === 'a hostile tally') assert.match(text, /\\u\{202e\}/);
    assert.doesNotMatch(text, /[\u202a-\u202e]/);
    assert.equal(text.includes('\0'), false);
    assert.deepEqual([page.asked, page.broken], [[], []]);
    await page.close();
  });
