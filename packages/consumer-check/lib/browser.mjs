/**
 * The scenario outside Node: as one bundle in a bare context that has the language and the text codec
 * only, and in chromium where there is one.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { root } from '../../../scripts/lib/run.mjs';

const tools = createRequire(join(root, 'scripts', 'checks', 'package.json'));
/** Where Chromium is; undefined where there is none. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
/** How it is started, so that it asks the network for nothing. */
export const LAUNCH = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One script for browsers, from the packages installed in `folder`. */
export async function bundle(folder) {
  const { build } = tools('esbuild');
  const result = await build({
    entryPoints: [join(folder, 'browser.mjs')],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return result.outputFiles[0].text;
}

/** Runs the bundle in a context without host objects and without code from strings. */
export function runBare(code) {
  const context = createContext(
    { TextEncoder, TextDecoder },
    { codeGeneration: { strings: false, wasm: false } },
  );
  runInContext(code, context, { timeout: 30_000 });
  return [...context.ASSAY_LINES].join('\n');
}

/** Runs the bundle in a chromium page that may not open a connection; null where there is no chromium. */
export async function runChromium(code) {
  if (CHROMIUM === undefined) return null;
  const { chromium } = tools('playwright-core');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: LAUNCH, headless: true });
  try {
    const page = await browser.newPage();
    const asked = [];
    await page.route('**/*', (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await page.setContent('<!doctype html><title>scenario</title>');
    await page.addScriptTag({ content: code });
    const lines = await page.evaluate(() => globalThis.ASSAY_LINES);
    if (asked.length > 0) throw new Error(`the page asked the network for ${asked.join(', ')}`);
    return lines.join('\n');
  } finally {
    await browser.close();
  }
}
