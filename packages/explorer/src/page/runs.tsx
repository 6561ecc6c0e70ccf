/** Runs: what the server of this page has, and following one that grows. */
import { useEffect, useState } from 'preact/hooks';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import { megabytes } from './trust.js';

type Run = { readonly id: string; readonly bytes: number | null };

/** True where this page comes from `assay report --serve`. */
export function isServed(): boolean {
  return document.documentElement.dataset['source'] === 'server';
}

/** Where the server of this page has the bytes of a run, or tells of them. */
export function makeAddress(kind: 'run' | 'follow', id: string): string {
  return new URL(`${kind}/${encodeURIComponent(id)}`, location.href.split('#')[0]).href;
}

/** The list. A run is chosen at once where it is the only one. */
export function RunsPage({ onRun }: { readonly onRun: (id: string) => void }): VNode {
  const [runs, setRuns] = useState<readonly Run[] | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const get = async (): Promise<void> => {
      const found = (await (await fetch('runs')).json()) as readonly Run[];
      setRuns(found);
      const [only] = found;
      if (found.length === 1 && only !== undefined) onRun(only.id);
    };
    get().catch(() => setGone(true));
  }, []);
  if (isGone)
    return (
      <section class="card" role="alert">
        <h1>The server is gone</h1>
        <p>
          Start assay report --serve again; what was checked before is still shown in the pages that are open.
        </p>
      </section>
    );
  return (
    <section class="card" data-page="runs" aria-label="runs">
      <h1 class="small">Runs</h1>
      <p class="says">
        Each is checked in this page when it is opened; the server gives its bytes and no verdict.
      </p>
      {runs === null ? <p class="dim">reading…</p> : null}
      {runs?.length === 0 ? (
        <p class="none">There is no ledger here. Name a folder with *.jsonl files, or a store.</p>
      ) : null}
      <table class="tbl">
        <tbody>
          {runs?.map(({ id, bytes }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" data-run={id} onClick={() => onRun(id)}>
                  {visible(id)}
                </button>
              </th>
              <td>{bytes === null ? '' : megabytes(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Follows a run. `onMore`: how many bytes there are by now; `onAnew`: they are others than before. */
export function useFollowing(id: string | null, onMore: (bytes: number) => void, onAnew: () => void): void {
  useEffect(() => {
    if (id === null) return undefined;
    const events = new EventSource(makeAddress('follow', id));
    events.addEventListener('message', ({ data }) => onMore(Number(data)));
    events.addEventListener('anew', onAnew);
    return () => events.close();
  }, [id]);
}
