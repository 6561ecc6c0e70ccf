/**
 * A graph drawn: kinds by shape, so that no colour is needed. Nodes without places stand in rows by their
 * distance from what nothing leads to.
 */
import type { Text, Tone } from '@assay/kernel/view';
import type { VNode } from 'preact';
import { plainText, short, SvgPart } from './text.js';

const WIDE = 168;
const HIGH = 46;
const GAP_X = 60;
const GAP_Y = 16;
const DRAWN_MAX = 200;

/** A node to draw. `x`, `y`: its middle, null where it has no place yet. */
export type DagNode = {
  readonly id: string;
  readonly shape: string;
  readonly label: Text;
  readonly tone: Tone;
  readonly record: number | null;
  readonly x?: number | null;
  readonly y?: number | null;
};
type Edge = { readonly from: string; readonly to: string; readonly kind: string };

/** Nodes and arrows. `path`: ids that stand out; null for none. */
export function Dag({
  nodes,
  edges,
  path = null,
}: {
  readonly nodes: readonly DagNode[];
  readonly edges: readonly Edge[];
  readonly path?: ReadonlySet<string> | null;
}): VNode {
  if (nodes.length === 0) return <p class="none">no node was recorded</p>;
  if (nodes.length > DRAWN_MAX)
    return <p class="none">{nodes.length} nodes are too many to draw; the table has them.</p>;
  const places = layOut(nodes, edges);
  const width = Math.max(...[...places.values()].map(([x]) => x)) + WIDE / 2 + 8;
  const height = Math.max(...[...places.values()].map(([, y]) => y)) + HIGH / 2 + 8;
  const isDim = (id: string): boolean => path !== null && !path.has(id);
  return (
    <div class="scroll dag">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="group"
        aria-label="the graph; the table has its nodes and edges"
      >
        {edges.map(({ from, to, kind }, index) => {
          const [a, b] = [places.get(from), places.get(to)];
          if (a === undefined || b === undefined) return null;
          const [x1, x2] = [a[0] + WIDE / 2, b[0] - WIDE / 2];
          return (
            <path
              key={index}
              class={`edge e-${kind} ${isDim(from) || isDim(to) ? 'dim' : ''}`}
              d={`M${x1},${a[1]}C${x1 + 24},${a[1]} ${x2 - 24},${b[1]} ${x2 - 1},${b[1]}m-7,-4l7,4l-7,4`}
            >
              <title>{kind.replaceAll('_', ' ')}</title>
            </path>
          );
        })}
        {nodes.map(({ id, shape, label, tone, record }) => {
          const [x, y] = places.get(id) ?? [0, 0];
          return (
            <SvgPart
              key={id}
              class={`node s-${shape} ${tone} ${isDim(id) ? 'dim' : ''}`}
              record={record}
              at={[x, y]}
            >
              <path d={outline(shape)} />
              <text y="-5" text-anchor="middle" class="kind">
                {shape.replaceAll('_', ' ')}
              </text>
              <text y="11" text-anchor="middle">
                {short(label, 22)}
              </text>
              <title>{plainText(label).slice(0, 400)}</title>
            </SvgPart>
          );
        })}
      </svg>
    </div>
  );
}

/** Given places; else columns by distance from the nodes that nothing leads to. */
function layOut(
  nodes: readonly DagNode[],
  edges: readonly Edge[],
): ReadonlyMap<string, readonly [number, number]> {
  if (nodes.every(({ x, y }) => typeof x === 'number' && typeof y === 'number'))
    return new Map(nodes.map(({ id, x, y }) => [id, [x ?? 0, y ?? 0] as const]));
  const depth = new Map(nodes.map(({ id }) => [id, 0]));
  for (let round = 0; round < nodes.length; round += 1) {
    let isSettled = true;
    for (const { from, to } of edges) {
      const next = (depth.get(from) ?? 0) + 1;
      if (!depth.has(to) || next <= (depth.get(to) ?? 0) || next >= nodes.length) continue;
      depth.set(to, next);
      isSettled = false;
    }
    if (isSettled) break;
  }
  const filled = new Map<number, number>();
  return new Map(
    nodes.map(({ id }) => {
      const column = depth.get(id) ?? 0;
      const row = filled.get(column) ?? 0;
      filled.set(column, row + 1);
      return [id, [8 + WIDE / 2 + column * (WIDE + GAP_X), 8 + HIGH / 2 + row * (HIGH + GAP_Y)] as const];
    }),
  );
}

/** The outline of a kind, around its middle. */
function outline(shape: string): string {
  const [w, h] = [WIDE / 2, HIGH / 2];
  const r = w - 12;
  switch (shape) {
    case 'decision':
    case 'interpretation':
      return `M${-w},0L${-w + 16},${-h}H${w - 16}L${w},0L${w - 16},${h}H${-w + 16}Z`;
    case 'proposal':
    case 'assumption':
      return `M${-r},${-h}H${w}L${r},${h}H${-w}Z`;
    case 'evidence':
    case 'seed':
      return `M${-w},${-h}H${w - 14}L${w},${-h + 14}V${h}H${-w}Z`;
    case 'artifact':
    case 'outcome':
      return `M${-r},${-h}H${r}Q${w},${-h} ${w},0Q${w},${h} ${r},${h}H${-r}Q${-w},${h} ${-w},0Q${-w},${-h} ${-r},${-h}Z`;
    default:
      return `M${-w},${-h}H${w}V${h}H${-w}Z`;
  }
}
