/**
 * The text of a page: the policy before anything else, style, script, and the empty data element.
 * Source: explorer/X9.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { DATA_ID, KEPT_ID } from '../data/packed.js';

const NO_SCRIPT =
  'This page checks a run in your own browser, and scripts are switched off here: nothing was checked, ' +
  'and nothing is shown. Open it where scripts run, or type: assay verify report.html';

/**
 * A page of a style and a script; `hasEngine`: WebAssembly is let through. Throws a RangeError where the
 * script would end its element.
 */
export function pageOf(style: string, script: string, hasEngine = false): string {
  if (/<\/script|<!--/i.test(script)) throw new RangeError('pageOf: the script holds the end of its element');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'${hasEngine ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src '${hashOf(style)}'`,
    'worker-src blob:',
    "connect-src 'none'",
    "img-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types assay',
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en" data-assay="checking">',
    '<head>',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<title>assay report</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<noscript><p>${NO_SCRIPT}</p></noscript>`,
    '<div id="app"></div>',
    `<script>${script}</script>`,
    `<script type="application/gzip" id="${DATA_ID}"></script>`,
    `<script type="application/gzip" id="${KEPT_ID}"></script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A hash as a policy names it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
