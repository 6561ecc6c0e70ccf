/** Pictures of what is not a number over an axis: grids, lanes, trees, graphs and passages. */
import { useState } from 'preact/hooks';
import type { Axis, Block, Branch, Stretch, Tone } from '@assay/kernel/view';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import { findRange } from './charts.js';
import { plainText, short, shortAmount, SvgPart, Tag, ToRecord, Words } from './text.js';

type Of<T extends Block['t']> = Extract<Block, { readonly t: T }>;
const DRAWN_MAX = 200;
const OPEN_DEPTH = 2;
/** Of two marks on one stretch, the one drawn. */
const ORDER: readonly Tone[] = ['bad', 'plain', 'good', 'faint', 'open'];

/** Cells in rows and columns; those that something fell into stand out. */
export function Grid({ block }: { readonly block: Of<'grid'> }): VNode {
  const { columns, rows } = block;
  return (
    <div class="scroll">
      <table class="grid">
        <thead>
          <tr>
            <td />
            {columns.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, DRAWN_MAX).map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map(({ label, tone, visits }, index) => (
                <td key={index} class={visits.length === 0 ? '' : `hit ${tone}`}>
                  {label}
                  {visits.length === 0 ? null : <b>{visits.slice(0, 12).join(' ')}</b>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const WIDTH = 960;
const STEP = 30;
const TOP = 52;

/** What lasts, in lanes from left to right; or what goes between lanes, from top to bottom. */
export function Lanes({ block }: { readonly block: Of<'lanes'> }): VNode {
  return block.spans.length > 0 ? <Spans block={block} /> : <Arrows block={block} />;
}

function Spans({ block: { lanes, spans, axis } }: { readonly block: Of<'lanes'> }): VNode {
  const [from, to] = findRange(spans.flatMap((span) => [span.from, span.to]));
  const share = (length: number): number => (100 * length) / Math.max(1, to - from);
  const drawn = spans.slice(0, DRAWN_MAX);
  return (
    <div role="group" aria-label={`lanes by ${axis.label}; the table below has them`}>
      <div class="ends dim">
        <span>{axis.ends?.[0] ?? onAxis(from, axis)}</span>
        <span>
          {axis.ends?.[1] ?? onAxis(to, axis)} {axis.label}
        </span>
      </div>
      {lanes.slice(0, DRAWN_MAX).map((lane, index) => (
        <div class="lrow" key={index}>
          <span class="sl">
            <Words text={lane.name} />
            <small class="dim">{lane.note}</small>
          </span>
          <svg class="lanes">
            {drawn
              .filter(({ lane: own }) => own === index)
              .map((span, at, all) => (
                <SpanView
                  key={at}
                  span={span}
                  at={share(span.from - from)}
                  wide={share(span.to - span.from)}
                  isAlone={all.length === 1}
                />
              ))}
          </svg>
        </div>
      ))}
    </div>
  );
}

type SpanGiven = {
  readonly span: Of<'lanes'>['spans'][number];
  readonly at: number;
  readonly wide: number;
  readonly isAlone: boolean;
};

/** A bar. Alone in its lane, its label may run over it, to the side with more room; among others it ends with it. */
function SpanView({ span, at, wide, isAlone }: SpanGiven): VNode {
  const width = `${Math.max(0.5, wide)}%`;
  const isLeft = isAlone && at > 50;
  const label = (
    <text
      x={isLeft ? `${Math.min(100, at + wide)}%` : isAlone ? `${at}%` : 0}
      dx={isLeft ? -5 : 5}
      y="18"
      text-anchor={isLeft ? 'end' : 'start'}
    >
      <title>{plainText(span.label)}</title>
      {plainText(span.label)}
    </text>
  );
  return (
    <SvgPart class={`span ${span.tone}`} record={span.record}>
      <rect x={`${at}%`} y="2" width={width} height="24" rx="3" />
      {isAlone ? (
        label
      ) : (
        <svg x={`${at}%`} width={width}>
          {label}
        </svg>
      )}
    </SvgPart>
  );
}

function Arrows({ block: { lanes, arrows, axis } }: { readonly block: Of<'lanes'> }): VNode {
  const drawn = arrows.slice(0, DRAWN_MAX);
  const wide = WIDTH / Math.max(1, lanes.length);
  const toX = (lane: number): number => wide * (lane + 0.5);
  const height = TOP + (drawn.length + 1) * STEP;
  return (
    <div class="scroll">
      <svg
        class="lanes"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="group"
        aria-label={`what went between whom, by ${axis.label}; the table below has it`}
      >
        {lanes.map((lane, index) => (
          <g key={index}>
            <text class="lane" x={toX(index)} y="16" text-anchor="middle">
              {short(lane.name, 18)}
            </text>
            <text class="axis" x={toX(index)} y="31" text-anchor="middle">
              {lane.note.slice(0, Math.floor(wide / 6.8))}
            </text>
            <line class="rule" x1={toX(index)} x2={toX(index)} y1="40" y2={height} />
          </g>
        ))}
        {drawn.map((arrow, index) => {
          const y = TOP + 14 + index * STEP;
          const [x1, x2] = [toX(arrow.from), toX(arrow.to)];
          const back = x2 >= x1 ? -1 : 1;
          const path = x1 === x2 ? `M${x1},${y - 8}h26v14h-20` : `M${x1},${y}H${x2 + back * 7}`;
          return (
            <SvgPart key={index} class={`arrow ${arrow.tone}`} record={arrow.record}>
              <path class="shaft" d={path} />
              <path class="tip" d={x1 === x2 ? `M${x1},${y + 6}l8,-4v8z` : `M${x2},${y}l${back * 8},-4v8z`} />
              <text
                x={x1 === x2 ? x1 + 32 : (x1 + x2) / 2}
                y={y - 5}
                text-anchor={x1 === x2 ? 'start' : 'middle'}
              >
                {arrow.label}
              </text>
            </SvgPart>
          );
        })}
      </svg>
    </div>
  );
}

function onAxis(at: number, { unit }: Axis): string {
  return unit === 'record' ? String(at) : shortAmount(at, unit);
}

/** Branches that unfold. */
export function Tree({
  roots,
  depth = 0,
  open = levelsOpen(roots),
}: {
  readonly roots: readonly Branch[];
  readonly depth?: number;
  readonly open?: number;
}): VNode {
  return (
    <ul class={depth === 0 ? 'tree' : ''}>
      {roots.slice(0, DRAWN_MAX).map((root, index) => (
        <li key={index}>
          {root.under.length === 0 ? (
            <BranchLine branch={root} record={root.record} />
          ) : (
            <Folded branch={root} depth={depth} open={open} />
          )}
        </li>
      ))}
      {roots.length > DRAWN_MAX ? (
        <li class="dim">and {roots.length - DRAWN_MAX} more, in the table</li>
      ) : null}
    </ul>
  );
}

/** How many levels unfold by themselves: as many as there is room for. */
function levelsOpen(roots: readonly Branch[]): number {
  let [level, drawn] = [roots, roots.length];
  for (let depth = 0; depth < OPEN_DEPTH; depth += 1) {
    level = level.flatMap(({ under }) => under);
    drawn += level.length;
    if (drawn > DRAWN_MAX) return depth;
  }
  return OPEN_DEPTH;
}

/** A branch with others under it, which are drawn once it is unfolded. */
function Folded({
  branch,
  depth,
  open,
}: {
  readonly branch: Branch;
  readonly depth: number;
  readonly open: number;
}): VNode {
  const [isOpen, setOpen] = useState(depth < open);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <BranchLine branch={branch} record={null} />
      </summary>
      {branch.record === null ? null : (
        <p class="to">
          <a href={`#/record/${branch.record}`}>record {branch.record}</a>
        </p>
      )}
      {isOpen ? <Tree roots={branch.under} depth={depth + 1} open={open} /> : null}
    </details>
  );
}

/** A branch in a line; `record`: where the line leads, null within a summary, which is a button itself. */
function BranchLine({
  branch: { label, tag, tone, note },
  record,
}: {
  readonly branch: Branch;
  readonly record: number | null;
}): VNode {
  return (
    <>
      {tag === '' ? null : <Tag tone={tone}>{tag}</Tag>}
      <ToRecord record={record}>
        <Words text={label} />
      </ToRecord>{' '}
      <span class="note">
        <Words text={note} />
      </span>
    </>
  );
}

/** A text with its stretches marked; each mark says in words what it is. */
export function Passage({ block: { text, spans } }: { readonly block: Of<'passage'> }): VNode {
  const points = [...text];
  const edges = new Set([0, points.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  const cuts = [...edges].filter((at) => at >= 0 && at <= points.length).sort((a, b) => a - b);
  const labels = [...new Map(spans.map((span) => [renderLegend(span), span])).entries()].slice(0, 8);
  return (
    <div class="passage">
      <p>
        {cuts.slice(0, -1).map((from, index) => {
          const to = cuts[index + 1] ?? from;
          const on = spans.filter(({ start, end }) => start <= from && end >= to);
          const shown = lines(points.slice(from, to).join(''));
          const top = on.toSorted((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone))[0];
          return top === undefined ? (
            <span key={from}>{shown}</span>
          ) : (
            <mark key={from} class={top.tone} title={on.map(({ label }) => label).join(', ')}>
              {shown}
            </mark>
          );
        })}
      </p>
      <p class="legend">
        {labels.map(([label, { tone }]) => (
          <span key={label}>
            <mark class={tone}>{'\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0'}</mark> {label}
          </span>
        ))}
      </p>
    </div>
  );
}

/** What a stretch is, without its number. */
function renderLegend({ label }: Stretch): string {
  return label.replace(/\s*[#(]?\d+[.\d]*\)?$/, '').replace(/:.*$/, '');
}

function lines(text: string): readonly (string | VNode)[] {
  return text
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [visible(line)] : [<br key={index} />, visible(line)]));
}
