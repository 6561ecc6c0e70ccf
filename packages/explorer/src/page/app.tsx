/** The frame around every page: name of the run, trust bar, routes, search, theme, keys. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Beside, Checked, Given, News, Refused } from '../data/calls.js';
import { PanelView } from './blocks.js';
import { BreakPage } from './break.js';
import { CheckPage } from './check.js';
import type { Client } from './client.js';
import { DiffPage } from './diff.js';
import { GraphPage } from './graph.js';
import { Help, useKeys } from './keys.js';
import { Knobs } from './knobs.js';
import { LedgerPage } from './ledger.js';
import { Overview } from './overview.js';
import { RecordPage } from './record.js';
import { makeAddress, isServed, RunsPage, useFollowing } from './runs.js';
import { Empty, Theme } from './shell.js';
import { TrustBar } from './trust.js';

const NOTHING: Beside = { head: null, proofs: null, key: null };
const NO_NEWS: News = { records: 0, bytes: 0 };
/** Pages by route, with their names; those of panels only where there are any. */
const PAGES = [
  ['overview', 'Overview'],
  ['decision', 'Decision'],
  ['course', 'Timeline'],
  ['result', 'Result'],
  ['graph', 'Graph'],
  ['ledger', 'Ledger'],
  ['diff', 'Diff'],
  ['break', 'Break it'],
  ['check', 'How to check'],
] as const;

/** What is opened first; null: the page waits for a file. */
export type Source = ((beside: Beside) => Given) | null;

type State = { readonly checked: Checked | null; readonly refused: Refused | null; readonly news: News };

/** The application. */
export function App({
  client,
  source,
}: {
  readonly client: Client;
  readonly source: Promise<Source>;
}): VNode {
  const [state, setState] = useState<State>({ checked: null, refused: null, news: NO_NEWS });
  /** Undefined until the document is whole. */
  const [open, setOpen] = useState<Source | undefined>(undefined);
  const [beside, setBeside] = useState(NOTHING);
  const [route, setRoute] = useState(readRoute());
  const [found, setFound] = useState('');
  const [run, setRun] = useState<string | null>(null);
  useEffect(() => {
    const onHash = (): void => setRoute(readRoute());
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    void source.then((first) =>
      setOpen((before: Source | undefined) => (before === undefined ? first : before)),
    );
  }, []);
  // Before the page is drawn again: the worker need not wait for that.
  useLayoutEffect(() => {
    if (open === undefined) return;
    if (open === null) return tellHooks('checked');
    tellHooks('checking');
    setState({ checked: null, refused: null, news: NO_NEWS });
    const check = async (): Promise<void> => {
      const answer = await client.askTelling('load', open(beside), (news) =>
        setState((before) => ({ ...before, news })),
      );
      const isRefused = answer.t === 'refused';
      setState((before) => (isRefused ? { ...before, refused: answer } : { ...before, checked: answer }));
      tellHooks(isRefused ? 'error' : 'checked');
    };
    check().catch((error: unknown) => {
      const refused: Refused = {
        t: 'refused',
        says: `This page failed and checked nothing: ${visible(String(error))}`,
        next: 'Check the file with assay verify.',
      };
      setState((before) => ({ ...before, refused }));
      tellHooks('error');
    });
  }, [open, beside]);
  const onFiles = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file === undefined) return;
    setBeside(NOTHING);
    setRun(null);
    const dropped: Source = (given) => ({ t: 'bytes', bytes: file, label: file.name, beside: given });
    setOpen(() => dropped);
    location.hash = '#/overview';
  };
  const { checked, refused, news } = state;
  // A record is shown beside the page that led to it.
  const beneath = useRef('overview');
  if (route.page !== 'record') beneath.current = route.page;
  const page = beneath.current;
  useKeys(route, page, checked);
  const onRun = (id: string): void => {
    setRun(id);
    // What was brought for one run says nothing of another.
    if (id !== run) setBeside(NOTHING);
    const served: Source = (given) => ({ t: 'url', url: makeAddress('run', id), label: id, beside: given });
    setOpen(() => served);
  };
  // One after the other: what grew meanwhile is read in the next turn.
  const growing = useRef<Promise<void>>(Promise.resolve());
  const grow = async (id: string): Promise<void> => {
    const answer = await client.ask('grow', makeAddress('run', id));
    // Another run may have been written in its place: it is read from its start before it is called broken.
    if (answer.t === 'checked' && answer.document.checks.integrity.verdict === 'failed') return onRun(id);
    setState((before) =>
      answer.t === 'refused' ? { ...before, refused: answer } : { ...before, checked: answer },
    );
  };
  // What is told while a file is being checked is asked for once it is.
  const missed = useRef<number | null>(null);
  const onMore = (bytes: number): void => {
    missed.current = checked === null ? bytes : null;
    if (refused !== null || run === null || checked === null || bytes === checked.bytes) return;
    if (checked.mayGrow) growing.current = growing.current.then(() => grow(run)).catch(() => undefined);
    else onRun(run);
  };
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    if (checked !== null && missed.current !== null) onMore(missed.current);
  }, [checked]);
  useFollowing(
    run,
    (bytes) => latest.current(bytes),
    () => onRun(run ?? ''),
  );
  return (
    <div
      class="shell"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onFiles(event.dataTransfer?.files);
      }}
    >
      <header>
        <span class="mark" aria-hidden="true">
          ◈
        </span>
        <b>assay</b>
        {checked === null || checked.run === null ? null : (
          <>
            <span class="run">{visible(checked.run.id)}</span>
            <span class="chip">{visible(checked.run.machine)}</span>
          </>
        )}
        {run === null ? null : (
          <button
            type="button"
            onClick={() => {
              setRun(null);
              setOpen(null);
            }}
          >
            all runs
          </button>
        )}
        <span class="gap" />
        {checked === null ? null : (
          <label class="search">
            <span class="away">search the ledger</span>
            <input
              id="find"
              type="search"
              placeholder="search  /"
              value={found}
              onInput={(event) => {
                setFound(event.currentTarget.value);
                if (route.page !== 'ledger') location.hash = '#/ledger';
              }}
            />
          </label>
        )}
        <Theme />
      </header>
      {open === null ? (
        <main>{isServed() ? <RunsPage ask={client.ask} onRun={onRun} /> : <Empty onFiles={onFiles} />}</main>
      ) : (
        <>
          {refused === null || checked !== null ? <TrustBar checked={checked} news={news} /> : null}
          {checked === null ? null : <Nav checked={checked} current={page} />}
          <main id="main" data-page={page} tabindex={-1}>
            {page === 'overview' || refused !== null ? null : <h1 class="away">{renderName(page)}</h1>}
            {refused === null ? null : (
              <RefusedView refused={refused} isAfter={checked !== null} onFiles={onFiles} />
            )}
            {checked === null ? null : page === 'ledger' ? (
              <LedgerPage ask={client.ask} checked={checked} found={found} onFound={setFound} />
            ) : page === 'graph' ? (
              <GraphPage ask={client.ask} checked={checked} />
            ) : page === 'break' ? (
              <BreakPage ask={client.ask} checked={checked} />
            ) : page === 'diff' ? (
              <DiffPage ask={client.ask} checked={checked} />
            ) : page === 'check' ? (
              <CheckPage checked={checked} beside={beside} onBeside={setBeside} />
            ) : page === 'overview' ? (
              <Overview ask={client.ask} checked={checked} />
            ) : (
              <PanelsView client={client} checked={checked} page={page} />
            )}
          </main>
          {checked === null || route.page !== 'record' ? null : (
            <aside class="side" data-page="record" aria-label={`record ${route.at}`}>
              <a class="shut" href={`#/${page}`}>
                close
              </a>
              <RecordPage ask={client.ask} at={route.at} checked={checked} />
            </aside>
          )}
        </>
      )}
      <Help />
    </div>
  );
}

function PanelsView({
  client,
  checked,
  page,
}: {
  readonly client: Client;
  readonly checked: Checked;
  readonly page: string;
}): VNode {
  const panels = checked.picture?.panels.filter((panel) => panel.page === page) ?? [];
  return (
    <>
      {panels.map((panel) => (
        <PanelView key={panel.id} panel={panel} />
      ))}
      {page === 'decision' ? <Knobs ask={client.ask} checked={checked} /> : null}
      {panels.length === 0 && (page !== 'decision' || checked.knobs.length === 0) ? (
        <section class="card">
          <h2>Nothing to show here</h2>
          <p>This run has no panel here. The ledger page has every record.</p>
        </section>
      ) : null}
    </>
  );
}

function Nav({ checked, current }: { readonly checked: Checked; readonly current: string }): VNode {
  const has = (page: string): boolean =>
    checked.picture?.panels.some((panel) => panel.page === page) === true ||
    (page === 'decision' && checked.knobs.length > 0);
  return (
    <nav aria-label="pages">
      {PAGES.filter(([page]) => !['decision', 'course', 'result'].includes(page) || has(page)).map(
        ([page, name]) => (
          <a key={page} href={`#/${page}`} aria-current={page === current ? 'page' : undefined}>
            {name}
          </a>
        ),
      )}
    </nav>
  );
}

/** Why a file was not read, or not read on: `isAfter`, what was read before is shown still. */
function RefusedView({
  refused,
  isAfter,
  onFiles,
}: {
  readonly refused: Refused;
  readonly isAfter: boolean;
  readonly onFiles: (files: FileList | null) => void;
}): VNode {
  return (
    <section class="card" role="alert">
      <h1>{isAfter ? 'The rest was not checked' : 'Nothing was checked'}</h1>
      <p class="subject">{refused.says}</p>
      <p>
        {refused.next} {isAfter ? 'The records read so far are still shown, with their verdicts.' : ''}
      </p>
      <p>
        <input
          type="file"
          aria-label="another file"
          onChange={(event) => onFiles(event.currentTarget.files)}
        />
      </p>
    </section>
  );
}

function renderName(page: string): string {
  return PAGES.find(([known]) => known === page)?.[1] ?? page;
}

type Route = { readonly page: string; readonly at: number };

function readRoute(): Route {
  const [, page = 'overview', at = '0'] = /^#\/([a-z]+)(?:\/([0-9]{1,12}))?$/.exec(location.hash) ?? [];
  const isKnown = page === 'record' || PAGES.some(([known]) => known === page);
  return { page: isKnown ? page : 'overview', at: Number(at) };
}

function tellHooks(state: 'checking' | 'checked' | 'error'): void {
  document.documentElement.dataset['assay'] = state;
}
