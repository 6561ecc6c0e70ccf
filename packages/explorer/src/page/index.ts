/**
 * The start of a page: one script is both the page and its worker. Source: explorer/X7.
 *
 * @packageDocumentation
 */
import { h, render } from 'preact';
import { DATA_ID, KEPT_ID } from '../data/packed.js';
import { App, type Source } from './app.js';
import { connect, serve, type PartsOf } from './client.js';

export type { Parts } from '../engine/deriving.js';
export { unpackEngine } from './contract-engine.js';

/**
 * Starts the explorer with the machines of this shell: in a document it draws the page, in a worker it answers
 * it. The data stands behind the script, so it is read once the document is whole; the frame is drawn before.
 * `parts` is called where the checking is done, once.
 */
export function start(parts: PartsOf): void {
  if (typeof document === 'undefined') {
    serve(parts);
    return;
  }
  const client = connect(document.currentScript?.textContent ?? '', parts);
  const source = new Promise<Source>((tell) => {
    const found = (): void => tell(readSource());
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', found);
    else found();
  });
  const root = document.getElementById('app');
  root?.replaceChildren();
  if (root !== null) render(h(App, { client, source }), root);
}

/** Where the first file comes from: this page's own data, or nothing yet. */
function readSource(): Source {
  const elements = [...document.querySelectorAll(`#${DATA_ID}`)];
  const packed = elements.map(({ textContent }) => textContent);
  if (packed.join('') === '') return null;
  const label = decoded(location.pathname.split('/').at(-1) ?? '') || 'report.html';
  const kept = document.getElementById(KEPT_ID)?.textContent ?? '';
  return (beside) => ({ t: 'packed', packed, kept, label, beside });
}

/** A part of an address in words; as it stands where it is none. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
