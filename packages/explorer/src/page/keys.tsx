/**
 * Keys: `j` and `k` from record to record, `Enter` to open, `g` and a letter to a page, `/` to search, `?` for
 * help. They can be switched off.
 */
import { useEffect } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Checked } from '../data/calls.js';

const PLACES: { readonly [key: string]: string } = {
  o: 'overview',
  d: 'decision',
  c: 'course',
  r: 'result',
  g: 'graph',
  l: 'ledger',
  b: 'break',
  h: 'check',
};
const HELP = 'keys';
const OFF = 'keys-off';

/** Listens to keys while a run is shown. */
export function useKeys(
  { page, at }: { readonly page: string; readonly at: number },
  beneath: string,
  checked: Checked | null,
): void {
  useEffect(() => {
    let isGoing = false;
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const isTyping = /^(?:input|select|textarea)$/i.test(target.tagName);
      const isOff = (document.getElementById(OFF) as HTMLInputElement | null)?.checked === true;
      if (isTyping || isOff || event.ctrlKey || event.metaKey || event.altKey || checked === null) return;
      const place = isGoing ? PLACES[event.key] : undefined;
      isGoing = event.key === 'g' && !isGoing;
      if (place !== undefined) location.hash = `#/${place}`;
      else if (event.key === 'Escape' && page === 'record') location.hash = `#/${beneath}`;
      else if (event.key === '?') (document.getElementById(HELP) as HTMLDialogElement | null)?.showModal();
      else if (event.key === '/') focusSearch();
      else if (event.key === 'j' || event.key === 'k') step(event.key === 'j' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    const step = (by: number): void => {
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const isBeside = page === 'record';
      const here = rows.findIndex((row) =>
        isBeside ? row.dataset['row'] === String(at) : row === document.activeElement,
      );
      const row = rows[here === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, here + by))];
      const next = Math.min((checked?.records ?? 1) - 1, Math.max(0, at + by));
      // Beside a page that has no row of this record: from record to record.
      if (isBeside) location.hash = `#/record/${here === -1 ? next : row?.dataset['row']}`;
      row?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [page, at, beneath, checked]);
}

function focusSearch(): void {
  (document.getElementById('search') ?? document.getElementById('find'))?.focus();
}

/** The help, and the switch. */
export function Help(): VNode {
  return (
    <dialog id={HELP} aria-label="keys">
      <h2>Keys</h2>
      <table class="tbl">
        <tbody>
          {[
            ['j, k', 'next and previous record'],
            ['Enter, Escape', 'open the record, close it'],
            ['/', 'search'],
            [
              'g, then a letter',
              Object.entries(PLACES)
                .map(([key, page]) => `${key} ${page}`)
                .join(', '),
            ],
            ['?', 'this help'],
          ].map(([key, says]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td>{says}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label>
          <input id={OFF} type="checkbox" /> switch these keys off
        </label>
      </p>
      <form method="dialog">
        <button type="submit">close</button>
      </form>
    </dialog>
  );
}
