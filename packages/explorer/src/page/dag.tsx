/**
 * A graph drawn: kinds by shape, so that no colour is needed. Nodes stand in columns by their distance from what
 * nothing leads to. It fits its frame, and can be zoomed.
 */
import { useState } from 'preact/hooks';
import type { Text, Tone } from '@assay/kernel/view';
import type { VNode } from 'preact';
import { findRange } from './charts.js';
import { plainText, short, SvgPart } from './text.js';

const WIDE = 168;
const HIGH = 46;
const GAP_X = 60;
const GAP_Y = 16;
const DRAWN_MAX = 200;

/** A node to draw. */
export type DagNode = {
  readonly id: string;
  readonly shape: string;
  readonly label: Text;
  readonly tone: Tone;
  readonly record: number | null;
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
  /** Null: it fits. */
  const [scale, setScale] = useState<number | null>(null);
  if (nodes.length === 0) return <p class="none">no node was recorded</p>;
  if (nodes.length > DRAWN_MAX)
    return <p class="none">{nodes.length} nodes are too many to draw; the table has them.</p>;
  const places = layOut(nodes, edges);
  const width = Math.max(...[...places.values()].map(([x]) => x)) + WIDE / 2 + 8;
  const height = Math.max(...[...places.values()].map(([, y]) => y)) + HIGH / 2 + 8;
  const isDim = (id: string): boolean => path !== null && !path.has(id);
  const zooms = [
    ['fit', null],
    ['−', (scale ?? 1) / 1.4],
    ['+', (scale ?? 1) * 1.4],
  ] as const;
  return (
    <>
      <p class="zoom">
        {zooms.map(([name, to]) => (
          <button
            key={name}
            type="button"
            aria-label={name === '+' ? 'larger' : name === '−' ? 'smaller' : name}
            onClick={() => setScale(to)}
          >
            {name}
          </button>
        ))}
      </p>
      <div class="scroll dag">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={scale === null ? '100%' : width * scale}
          style={scale === null ? { maxWidth: `${width}px` } : {}}
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
    </>
  );
}

/** Columns by distance from the nodes that nothing leads to. */
function layOut(
  nodes: readonly DagNode[],
  edges: readonly Edge[],
): ReadonlyMap<string, readonly [number, number]> {
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
  const columns: string[][] = [];
  for (const { id } of nodes) (columns[depth.get(id) ?? 0] ??= []).push(id);
  const places = new Map<string, readonly [number, number]>();
  const near = new Map<string, string[]>();
  for (const { from, to } of edges) (near.get(to) ?? near.set(to, []).get(to))?.push(from);
  const tallest = findRange(columns.map((ids) => ids.length))[1];
  for (const [column, ids = []] of columns.entries()) {
    const left = 8 + WIDE / 2 + column * (WIDE + GAP_X);
    const top = 8 + HIGH / 2 + ((tallest - ids.length) / 2) * (HIGH + GAP_Y);
    // Beside what it hangs on: the mean of their heights.
    const wanted = new Map(
      ids.map((id) => {
        const heights = (near.get(id) ?? []).flatMap((from) => places.get(from)?.[1] ?? []);
        return [id, heights.reduce((sum, y) => sum + y, 0) / Math.max(1, heights.length)] as const;
      }),
    );
    ids.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    for (const [row, id] of ids.entries()) places.set(id, [left, top + row * (HIGH + GAP_Y)]);
  }
  return places;
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
