/**
 * Pictures of numbers: bars made of parts, and lines with their limits. Straight or in steps, never a curve.
 */
import type { Axis, Block, Unit } from '@assay/kernel/view';
import type { VNode } from 'preact';
import { plainText, short, shortAmount, SvgPart, Tag, ToRecord, Words } from './text.js';

type Of<T extends Block['t']> = Extract<Block, { readonly t: T }>;
/** Rows drawn at once; the table below has all. */
const DRAWN_MAX = 200;

/** Bars of parts, one a row, with the limits across. */
export function Stack({ block }: { readonly block: Of<'stack'> }): VNode {
  const { parts, rows, limits, unit } = block;
  const sums = rows.map(({ values }) =>
    values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0),
  );
  const most = Math.max(1, findRange(sums)[1], ...limits.map(({ at }) => at));
  return (
    <div class="stack">
      <Legend names={parts} />
      {rows.slice(0, DRAWN_MAX).map((row, index) => (
        <div class={`srow ${row.tone}`} key={index}>
          <div class="sl">
            <ToRecord record={row.record}>
              <b>
                <Words text={row.label} />
              </b>
            </ToRecord>
            {row.tag === '' ? null : <Tag tone={row.tone}>{row.tag}</Tag>}
            <small>
              <Words text={row.note} />
            </small>
          </div>
          {row.total === null && (sums[index] ?? 0) === 0 ? (
            <div class="none">no score</div>
          ) : (
            <Bar
              values={row.values}
              most={most}
              limits={limits.map(({ at }) => at)}
              unit={unit}
              parts={parts}
            />
          )}
          <div class="tot">{row.total === null ? '–' : shortAmount(row.total, unit)}</div>
        </div>
      ))}
      {limits.map(({ label, at }) => (
        <p class="key" key={label}>
          <i class="dash" /> {label} {shortAmount(at, unit)}
        </p>
      ))}
    </div>
  );
}

type BarGiven = {
  readonly values: readonly (number | null)[];
  readonly most: number;
  readonly limits: readonly number[];
  readonly unit: Unit;
  readonly parts: readonly string[];
};

function Bar({ values, most, limits, unit, parts }: BarGiven): VNode {
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 1000 26" preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const wide = (Math.max(0, value ?? 0) / most) * 1000;
        const from = x;
        x += wide;
        return wide === 0 ? null : (
          <rect key={index} class={`h${index % 8}`} x={from} width={Math.max(0, wide - 2)} y="0" height="26">
            <title>{`${parts[index] ?? ''} ${shortAmount(value ?? 0, unit)}`}</title>
          </rect>
        );
      })}
      {limits.map((at) => (
        <line key={at} class="lim" x1={(at / most) * 1000} x2={(at / most) * 1000} y1="0" y2="26" />
      ))}
    </svg>
  );
}

function Legend({ names }: { readonly names: readonly string[] }): VNode {
  return (
    <p class="legend">
      {names.map((name, index) => (
        <span key={name}>
          <i class={`h${index % 8}`} />
          {name}
        </span>
      ))}
    </p>
  );
}

const WIDTH = 960;
const HEIGHT = 330;
const EDGE = { left: 64, right: 170, top: 34, bottom: 44 } as const;
const MARKERS = [
  'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0',
  'M-4,-4h8v8h-8z',
  'M0,-5l5,9h-10z',
  'M-5,0l5,-5l5,5l-5,5z',
];

/** Lines over an axis, with limits across and marks above. */
export function Series({ block }: { readonly block: Of<'series'> }): VNode {
  const { lines, limits, marks, x, unit } = block;
  const points = lines.flatMap((one) => one.points);
  if (points.length === 0) return <p class="none">no measurements</p>;
  const xs = [...points.map(([at]) => at), ...marks.map((mark) => mark.x)];
  const ys = [...points.map(([, value]) => value), ...limits.map(({ at }) => at), 0];
  const [x0, x1] = findRange(xs);
  const [y0, y1] = findRange(ys);
  const wide = WIDTH - EDGE.left - EDGE.right;
  const high = HEIGHT - EDGE.top - EDGE.bottom;
  const toX = (at: number): number => EDGE.left + (x1 === x0 ? wide / 2 : ((at - x0) / (x1 - x0)) * wide);
  const toY = (at: number): number => EDGE.top + high - (y1 === y0 ? 0 : ((at - y0) / (y1 - y0)) * high);
  const ends = spread(lines.map((one) => toY(one.points.at(-1)?.[1] ?? 0)));
  return (
    <div class="scroll">
      <svg
        class="series"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="group"
        aria-label={`${lines.map(({ name }) => plainText(name)).join(', ')} by ${x.label}; the table below has the numbers`}
      >
        {listTicks(y0, y1, 5).map((at) => (
          <g key={at}>
            <line class="rule" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={toY(at)} y2={toY(at)} />
            <text class="axis" x={EDGE.left - 8} y={toY(at) + 4} text-anchor="end">
              {shortAmount(at, unit)}
            </text>
          </g>
        ))}
        {listTicks(x0, x1, 8)
          .filter((at) => Number.isInteger(at))
          .map((at) => (
            <text key={at} class="axis" x={toX(at)} y={HEIGHT - EDGE.bottom + 20} text-anchor="middle">
              {onAxis(at, x)}
            </text>
          ))}
        <text class="axis" x={EDGE.left + wide / 2} y={HEIGHT - 6} text-anchor="middle">
          {x.label}
        </text>
        {limits.map(({ label, at }) => (
          <g key={label}>
            <line class="lim" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={toY(at)} y2={toY(at)} />
            <text class="axis" x={EDGE.left + 6} y={toY(at) - 5}>
              {label}
            </text>
          </g>
        ))}
        {marks.slice(0, DRAWN_MAX).map((mark, index) => (
          <SvgPart key={index} class={`mark ${mark.tone}`} record={mark.record}>
            <line x1={toX(mark.x)} x2={toX(mark.x)} y1={EDGE.top - 8} y2={EDGE.top + high} />
            <text x={toX(mark.x)} y={EDGE.top - 14} text-anchor={chooseEdge(toX(mark.x))}>
              {mark.label}
            </text>
          </SvgPart>
        ))}
        {lines.map((one, index) => (
          <g key={index} class={`ln c${index % 8} ${one.main ? 'main' : ''}`}>
            <path
              d={drawPath(
                one.points.map(([at, value]) => [toX(at), toY(value)] as const),
                one.step,
              )}
            />
            {one.points.length <= 60
              ? one.points.map(([at, value]) => (
                  <path
                    key={at}
                    class="pt"
                    d={MARKERS[index % 4] ?? ''}
                    transform={`translate(${toX(at)},${toY(value)})`}
                  >
                    <title>{`${plainText(one.name)} ${shortAmount(value, unit)} at ${onAxis(at, x)}`}</title>
                  </path>
                ))
              : null}
            <text x={WIDTH - EDGE.right + 12} y={(ends[index] ?? 0) + 4}>
              {short(one.name, 24)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Straight from point to point, or level up to the next one; never a curve through what nobody measured. */
function drawPath(points: readonly (readonly [x: number, y: number])[], isStep: boolean): string {
  return points
    .map(([x, y], index) => (index === 0 ? `M${x},${y}` : isStep ? `H${x}V${y}` : `L${x},${y}`))
    .join('');
}

function onAxis(at: number, { unit }: Axis): string {
  return unit === 'record' ? String(at) : shortAmount(at, unit);
}

function chooseEdge(x: number): 'start' | 'middle' | 'end' {
  return x < EDGE.left + 60 ? 'start' : x > WIDTH - EDGE.right - 60 ? 'end' : 'middle';
}

/** Places of labels, moved apart where they would lie on each other. */
function spread(places: readonly number[]): readonly number[] {
  const order = places.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  let last = -Infinity;
  const moved: number[] = [];
  for (const { at, index } of order) {
    last = Math.max(at, last + 17);
    moved[index] = last;
  }
  return moved;
}

/** The least and the greatest of numbers; 0 and 1 where there are none. */
export function findRange(numbers: readonly number[]): readonly [number, number] {
  return [
    numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0),
    numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 1),
  ];
}

/** Round numbers between two, about so many: steps of 1, 2 or 5 times a power of ten. */
function listTicks(from: number, to: number, about: number): readonly number[] {
  const rough = (to - from) / about;
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}
