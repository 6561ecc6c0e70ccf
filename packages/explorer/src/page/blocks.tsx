/** A panel: a block drawn, and the same as a table. */
import { useState } from 'preact/hooks';
import type { Block, Panel } from '@assay/kernel/view';
import { makeTwin, type Twin } from '@assay/views';
import type { VNode } from 'preact';
import { Series, Stack } from './charts.js';
import { Dag } from './dag.js';
import { Grid, Lanes, Passage, Tree } from './pictures.js';
import { CellView, Words } from './text.js';

/** Rows of a table before it unfolds, and those of each further step. */
const ROWS_FIRST = 12;
const ROWS_MAX = 200;

/** A panel with its title and what it says. */
export function PanelView({ panel }: { readonly panel: Panel }): VNode {
  const { id, title, says, block, left_out } = panel;
  return (
    <section class="card" data-panel={id} aria-label={title}>
      <h2>{title}</h2>
      <p class="says">{says}</p>
      <BlockView block={block} />
      {left_out === 0 ? null : <p class="dim">{left_out} more are in the ledger; they are not drawn.</p>}
    </section>
  );
}

/** A block, and its twin where a picture was drawn. */
export function BlockView({ block }: { readonly block: Block }): VNode {
  const picture = drawBlock(block);
  if (picture === null) return <TwinView twins={makeTwin(block)} facts={block.t === 'facts'} />;
  return (
    <>
      {picture}
      <Unfolded title="the same as a table">
        {() => <TwinView twins={makeTwin(block)} facts={false} />}
      </Unfolded>
    </>
  );
}

/** The picture of a block; null where its table is the picture. */
function drawBlock(block: Block): VNode | null {
  switch (block.t) {
    case 'note':
      return (
        <p class={`remark ${block.tone}`}>
          <Words text={block.text} />
        </p>
      );
    case 'facts':
    case 'table':
      return null;
    case 'stack':
      return <Stack block={block} />;
    case 'series':
      // One point is no course.
      return new Set(block.lines.flatMap(({ points }) => points.map(([at]) => at))).size < 2 ? null : (
        <Series block={block} />
      );
    case 'grid':
      return <Grid block={block} />;
    case 'lanes':
      return <Lanes block={block} />;
    case 'tree':
      return <Tree roots={block.roots} />;
    case 'graph':
      return <Dag nodes={block.nodes} edges={block.edges} />;
    case 'passage':
      return <Passage block={block} />;
  }
}

/** Something that is made only once it is unfolded. */
export function Unfolded({
  title,
  children,
}: {
  readonly title: string;
  readonly children: () => VNode;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="twin" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  );
}

function TwinView({ twins, facts }: { readonly twins: readonly Twin[]; readonly facts: boolean }): VNode {
  return (
    <>
      {twins.map((twin, index) =>
        twin.t === 'text' ? (
          <p key={index} class={twin.tone}>
            <Words text={twin.text} />
          </p>
        ) : (
          <TableView key={index} twin={twin} facts={facts} />
        ),
      )}
    </>
  );
}

type Table = Extract<Twin, { readonly t: 'table' }>;

function TableView({
  twin: { columns, rows },
  facts,
}: {
  readonly twin: Table;
  readonly facts: boolean;
}): VNode {
  const [most, setMost] = useState(ROWS_FIRST);
  if (rows.length === 0) return <p class="none">nothing</p>;
  const hasPlaces = rows.some(({ record }) => record !== null);
  return (
    <div class="scroll">
      <table class={facts ? 'facts' : 'tbl'}>
        {columns.length === 0 ? null : (
          <thead>
            <tr>
              {columns.map((column, index) =>
                column.length === 0 ? (
                  <td key={index} />
                ) : (
                  <th scope="col" key={index}>
                    <Words text={column} />
                  </th>
                ),
              )}
              {hasPlaces ? <th scope="col">record</th> : null}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.slice(0, most).map(({ cells, tone, record, depth }, index) => (
            <tr key={index} class={tone}>
              {cells.map((cell, at) => {
                const inner = <CellView cell={cell} />;
                return at === 0 ? (
                  <th scope="row" key={at} class={`d${Math.min(depth, 6)}`}>
                    {inner}
                  </th>
                ) : (
                  <td key={at}>{inner}</td>
                );
              })}
              {hasPlaces ? (
                <td>
                  {record === null ? null : (
                    <a href={`#/record/${record}`} data-row={record}>
                      {record}
                    </a>
                  )}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most ? <p class="paper">{rows.length - most} more rows are in the file.</p> : null}
      {rows.length > most ? (
        <button type="button" onClick={() => setMost(most + ROWS_MAX)}>
          show {Math.min(ROWS_MAX, rows.length - most)} more of {rows.length - most}
        </button>
      ) : null}
    </div>
  );
}
