/** Ledger: every record as a row of one height, of which only those in sight are drawn. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { KINDS, type Ask, type Checked, type Filter, type Listed, type Row } from '../data/calls.js';
import { useAnswer } from './asking.js';
import { Words } from './text.js';

const HIGH = 32;
const SEEN = 20;
const AHEAD = 30;
const EVERYTHING: Filter = { kind: null, source: null, found: null };

type Given = {
  readonly ask: Ask;
  readonly checked: Checked;
  readonly found: string;
  readonly onFound: (text: string) => void;
};

/** The list with its filters. */
export function LedgerPage({ ask, checked, found, onFound }: Given): VNode {
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const listed = useAnswer(ask, 'list', { ...filter, found: found === '' ? null : found }, [
    filter,
    found,
    checked,
  ]);
  const choose = (key: 'kind' | 'source', value: string): void =>
    setFilter({ ...filter, [key]: value === '' ? null : value });
  const kinds = KINDS.filter((_, kind) => checked.kinds.includes(kind));
  return (
    <section class="card">
      <h2>Ledger</h2>
      <div class="filters">
        <label>
          kind
          <select onChange={(event) => choose('kind', event.currentTarget.value)}>
            <option value="">all</option>
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <label>
          source
          <select onChange={(event) => choose('source', event.currentTarget.value)}>
            <option value="">all</option>
            {checked.sources.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          holds the text
          <input
            id="search"
            type="search"
            value={found}
            onInput={(event) => onFound(event.currentTarget.value)}
          />
        </label>
        <span class="dim" role="status">
          {listed === undefined ? 'searching…' : renderCount(listed, checked, found)}
        </span>
      </div>
      {listed === undefined ? null : <Window ask={ask} listed={listed} />}
    </section>
  );
}

function renderCount({ positions, more }: Listed, { records }: Checked, found: string): string {
  if (positions.length === 0) return 'no record of this file has it; letter case does not matter';
  const first = more
    ? `the first ${positions.length} that hold it`
    : `${positions.length} of ${records} records`;
  return found === '' ? first : `${first}; the browser's own search sees only the rows drawn`;
}

function Window({ ask, listed: { positions } }: { readonly ask: Ask; readonly listed: Listed }): VNode {
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.min(Math.floor(top / HIGH) - AHEAD, positions.length - SEEN));
  const seen = [...positions.subarray(first, first + SEEN + 2 * AHEAD)];
  const told = useAnswer(ask, 'rows', seen, [first, positions]);
  const rows = new Map((told ?? []).map((row) => [row.at, row]));
  const move = (event: KeyboardEvent): void => {
    const link = (event.target as HTMLElement).closest('[data-row]');
    const to =
      event.key === 'ArrowDown'
        ? link?.nextElementSibling
        : event.key === 'ArrowUp'
          ? link?.previousElementSibling
          : null;
    if (!(to instanceof HTMLElement)) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <>
      {seen.length === positions.length ? null : (
        <p class="paper">
          Of {positions.length} records only those in sight are on paper; the file has all of them.
        </p>
      )}
      <div
        class="window"
        role="table"
        aria-label="records"
        aria-rowcount={positions.length}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={move}
        tabindex={0}
      >
        <div class="pad" role="rowgroup" style={{ height: `${positions.length * HIGH}px` }}>
          {seen.map((at, index) => (
            <RowView key={at} at={at} row={rows.get(at) ?? null} place={first + index} />
          ))}
        </div>
      </div>
    </>
  );
}

function RowView({
  at,
  row,
  place,
}: {
  readonly at: number;
  readonly row: Row | null;
  readonly place: number;
}): VNode {
  return (
    <div
      class={`row ${row?.tone ?? 'faint'}`}
      role="row"
      aria-rowindex={place + 1}
      data-row={at}
      tabindex={0}
      style={{ top: `${place * HIGH}px` }}
      onClick={() => open(at)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open(at);
      }}
    >
      <span class="at" role="cell">
        {at}
      </span>
      <span class={`kd t${row === null ? 0 : KINDS.indexOf(row.kind)}`} role="cell">
        {row?.kind ?? '…'}
      </span>
      <span class="by" role="cell">
        {row === null || row.source === null ? null : (
          <span class={`chip src-${row.source}`}>{row.source.replaceAll('_', ' ')}</span>
        )}
      </span>
      <span class="text" role="cell">
        {row === null ? null : <Words text={row.text} />}
      </span>
    </div>
  );
}

function open(at: number): void {
  location.hash = `#/record/${at}`;
}
