/** Runs: what the server of this page has, and following one that grows. */
import { useEffect, useState } from 'preact/hooks';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Glance, Refused } from '../data/calls.js';
import { Time } from './text.js';
import { chooseMark, megabytes, verdictWord } from './trust.js';

type Run = { readonly id: string; readonly bytes: number | null };

/** True where this page comes from `assay report --serve`. */
export function isServed(): boolean {
  return document.documentElement.dataset['source'] === 'server';
}

/** Where the server of this page has the bytes of a run, or tells of them. */
export function makeAddress(kind: 'run' | 'follow', id: string): string {
  return new URL(`${kind}/${encodeURIComponent(id)}`, location.href.split('#')[0]).href;
}

/** Runs of a list that are checked, and the largest of them: more would take long. */
const CHECKED_MAX = 500;
const CHECKED_BYTES_MAX = 4_000_000;

type Checking = ReadonlyMap<string, Glance | Refused | 'large'>;

/** The list, checked one after the other. A run is chosen at once where it is the only one. */
export function RunsPage({ ask, onRun }: { readonly ask: Ask; readonly onRun: (id: string) => void }): VNode {
  const [runs, setRuns] = useState<readonly Run[] | null>(null);
  const [checked, setChecked] = useState<Checking>(new Map());
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
  useEffect(() => {
    let isCurrent = true;
    const check = async (): Promise<void> => {
      for (const { id, bytes } of (runs ?? []).slice(0, CHECKED_MAX)) {
        if (!isCurrent) return;
        const url = makeAddress('run', id);
        const beside = { head: null, proofs: null, key: null };
        const isLarge = bytes !== null && bytes > CHECKED_BYTES_MAX;
        const found = isLarge ? 'large' : await ask('glance', { t: 'url', url, label: id, beside });
        setChecked((before: Checking) => new Map([...before, [id, found]]));
      }
    };
    if ((runs?.length ?? 0) > 1) check().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [runs]);
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
      <div class="scroll">
        <table class="tbl">
          <thead>
            <tr>
              {['run', 'machine', 'outcome', 'when', 'checked', 'spent', 'size'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs?.map(({ id, bytes }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" data-run={id} onClick={() => onRun(id)}>
                    {visible(id)}
                  </button>
                </th>
                <GlanceCells found={checked.get(id)} />
                <td class="num">{bytes === null ? '' : megabytes(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function GlanceCells({ found }: { readonly found: Glance | Refused | 'large' | undefined }): VNode {
  if (found === undefined || found === 'large' || found.t === 'refused')
    return (
      <td colSpan={5} class="dim">
        {found === undefined ? '' : found === 'large' ? 'large: checked when it is opened' : found.says}
      </td>
    );
  const { machine, outcome, time, verdict, spent } = found;
  return (
    <>
      <td>{visible(machine)}</td>
      <td>{visible(outcome)}</td>
      <td>{time === null ? '–' : <Time us={time} />}</td>
      <td>
        <span class={`v ${verdict}`}>
          {chooseMark(verdict)} {verdictWord(verdict)}
        </span>
      </td>
      <td class="num">{spent}</td>
    </>
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
