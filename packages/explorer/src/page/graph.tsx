/** Graph: the context graph, its table first; the path to the decision stands out. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Ask, Checked, GraphNode, GraphShown } from '../data/calls.js';
import { useAnswer } from './asking.js';
import { Unfolded } from './blocks.js';
import { Dag } from './dag.js';
import { Copy, isFailed } from './overview.js';
import { Said } from './text.js';

const ROWS_MAX = 500;

/** The graph of the file. */
export function GraphPage({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const [around, setAround] = useState<string | null>(null);
  const [hasPath, setPath] = useState(false);
  const graph = useAnswer(ask, 'graph', around, [around, checked]);
  if (graph === undefined) return <p class="dim">reading the graph…</p>;
  const path = hasPath ? pathTo(graph) : null;
  const isWhole = graph.nodes.length === graph.total && graph.isDrawn;
  return (
    <section class="card" aria-label="context graph">
      <h2>Context graph</h2>
      <p class="says">
        {graph.total} nodes: what {isFailed(checked) ? 'the file says that ' : ''}the machine based its
        decisions on. An arrow leads from what depends to what it depends on.
      </p>
      {graph.total === 0 ? null : (
        <p class="filters">
          <label>
            <input
              type="checkbox"
              checked={hasPath}
              onChange={(event) => setPath(event.currentTarget.checked)}
            />{' '}
            only what the last decision rests on
          </label>
          {around === null ? null : (
            <button type="button" onClick={() => setAround(null)}>
              all nodes
            </button>
          )}
          <span>
            <Copy text={mermaid(graph)} what="the graph as Mermaid" /> <span class="dim">as Mermaid</span>
          </span>
          {!graph.isDrawn ? null : (
            <span>
              <Copy text={svgText} what="the graph as SVG" /> <span class="dim">as SVG</span>
            </span>
          )}
        </p>
      )}
      {isWhole ? (
        <Unfolded title="the same as a table">{() => <Nodes graph={graph} onAround={setAround} />}</Unfolded>
      ) : null}
      {graph.isDrawn ? <Dag nodes={graph.nodes.map(drawn)} edges={graph.edges} path={path} /> : null}
      {!graph.isDrawn ? (
        <p class="remark open">
          Over 200 nodes are not drawn at once. Choose one below to see what lies around it.
        </p>
      ) : null}
      {isWhole ? null : <Nodes graph={graph} onAround={setAround} />}
    </section>
  );
}

function drawn({ id, kind, record, said }: GraphNode): Parameters<typeof Dag>[0]['nodes'][number] {
  return { id, shape: kind, label: said === '' ? kind : [{ said }], tone: 'plain', record };
}

function Nodes({
  graph,
  onAround,
}: {
  readonly graph: GraphShown;
  readonly onAround: (id: string) => void;
}): VNode {
  const shown = graph.nodes.slice(0, ROWS_MAX);
  const named = new Map(graph.nodes.map((node, index) => [node.id, index + 1]));
  return (
    <div class="scroll">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">node</th>
            <th scope="col">kind</th>
            <th scope="col">says</th>
            <th scope="col">leads to</th>
            <th scope="col">record</th>
            <th scope="col">around it</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, kind, said, record }, index) => (
            <tr key={id}>
              <th scope="row">{index + 1}</th>
              <td>{kind}</td>
              <td>{said === '' ? <span class="dim">–</span> : <Said text={said} />}</td>
              <td>
                {graph.edges
                  .filter(({ from }) => from === id)
                  .slice(0, 20)
                  .map(({ to, kind: edge }) => `${edge.replaceAll('_', ' ')} ${named.get(to) ?? ''}`)
                  .join(', ')}
              </td>
              <td>
                <a href={`#/record/${record}`}>{record}</a>
              </td>
              <td>
                <button
                  type="button"
                  aria-label={`what lies around node ${index + 1}`}
                  onClick={() => onAround(id)}
                >
                  show
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {graph.nodes.length > shown.length ? (
        <p class="dim">and {graph.total - shown.length} more in the ledger</p>
      ) : null}
    </div>
  );
}

/** Ids of the last decision and of all it rests on. */
function pathTo({ nodes, edges }: GraphShown): ReadonlySet<string> {
  const last = nodes.findLast(({ kind }) => kind === 'decision') ?? nodes.at(-1);
  const found = new Set<string>();
  const waiting = last === undefined ? [] : [last.id];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const { from, to } of edges) if (from === id) waiting.push(to);
  }
  return found;
}

/** The graph as Mermaid: numbers and kinds only, no text of the evidence. */
function mermaid({ nodes, edges }: GraphShown): string {
  const named = new Map(nodes.map(({ id }, index) => [id, `n${index + 1}`]));
  return [
    'graph LR',
    ...nodes.map(({ kind }, index) => `  n${index + 1}["${index + 1} ${kind}"]`),
    ...edges.map(({ from, to, kind }) => `  ${named.get(from) ?? ''} -->|${kind}| ${named.get(to) ?? ''}`),
  ].join('\n');
}

/** The drawing as a file of its own: its colours are written into it, and its links are gone. */
function svgText(): string {
  const drawing = document.querySelector('.dag svg');
  if (drawing === null) return '';
  const copy = drawing.cloneNode(true) as Element;
  const parts = [...drawing.querySelectorAll('path, text')];
  copy.querySelectorAll('path, text').forEach((part, at) => {
    const from = parts[at];
    if (from === undefined) return;
    const style = getComputedStyle(from);
    for (const name of [
      'fill',
      'stroke',
      'stroke-width',
      'stroke-dasharray',
      'opacity',
      'font-size',
      'font-family',
    ])
      part.setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll('a').forEach((link) => link.removeAttribute('href'));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
