/**
 * What a library shows.
 *
 * @packageDocumentation
 */
import { compareText, err, ok, type DerivedRecord, type Genesis, type Status } from '@assay/kernel';
import type { Cell, Described, Panel, Picture, Row, View } from '@assay/kernel/view';
import { computeOff, computeQuality } from '../library/reading.js';
import type { LibraryEvent, LibraryState, Tool } from '../library/state.js';
import { sayOff } from '../machine/calibrating.js';
import { NO_TRACK } from '../protocol/resolver.js';

/** A library so far: what each open request asks, and how the run ended. */
type LibraryFold = { readonly asked: ReadonlyMap<string, string>; readonly status: Status | null };

/** What a library shows: tools and how they fared, goals, what was asked of people, the graph. */
export const libraryView: View<LibraryState, LibraryFold> = {
  machine: 'library',
  versions: [1],
  start,
  fold,
  describe,
  show,
  knobs: () => [],
  // A library has no number that could be asked again.
  turn: (policy, [change]) =>
    change === undefined ? ok(policy) : err({ code: 'unknown_knob', detail: { id: change.id } }),
  files: () => [],
  next: () => [{ command: 'verify', args: ['{ledger}'] }],
};

function start({ base }: Genesis): LibraryFold {
  const carried = Object.values(base?.snapshot?.open ?? {});
  return { asked: new Map(carried.map(({ request }) => [request.id, request.kind] as const)), status: null };
}

function fold(seen: LibraryFold, record: DerivedRecord): LibraryFold {
  if (record.kind === 'close') return { ...seen, status: record.payload.status };
  if (record.kind !== 'decision') return seen;
  const asked = new Map([...seen.asked].slice(-OPEN_MAX));
  for (const { id, kind } of record.payload.requests) asked.set(id, kind);
  return { ...seen, asked };
}

/** Invitations stand again and again: the newest ids are the open ones. */
const OPEN_MAX = 16;
const ROWS_MAX = 2_000;

function show({ status }: LibraryFold, state: LibraryState): Picture {
  const { resolvers, patterns, capabilities } = state;
  return {
    tone: 'plain',
    verdict: status === null ? 'Collects' : 'Ended',
    subject: `${resolvers.size} tools, ${patterns.size} goals, ${capabilities.size} requests to people`,
    because: '',
    asked: '',
    panels: [
      workedPanel(state),
      failedPanel(state),
      toolsPanel(state),
      requestsPanel(state),
      edgesPanel(state),
    ],
  };
}

const count = (n: number): Cell => ({ n, unit: 'count', exact: null });
const ppm = (n: number | null): Cell => (n === null ? null : { n, unit: 'ppm', exact: null });
const plain = (cells: readonly Cell[]): Row => ({ record: null, cells, tone: 'plain' });

function panel(
  id: string,
  title: string,
  says: string,
  columns: readonly string[],
  rows: readonly Row[],
): Panel {
  const shown = rows.slice(0, ROWS_MAX);
  return {
    id,
    title,
    says,
    page: 'overview',
    left_out: rows.length - shown.length,
    block: { t: 'table', columns, rows: shown },
  };
}

function toolsPanel({ resolvers, usage }: LibraryState): Panel {
  const rows = resolvers.sorted().map(([id, { label, capabilities, built_by }]) => {
    const used = usage.get(id) ?? { ...NO_TRACK, estimated: 0, actual: 0 };
    const { completeness, efficiency } = computeQuality(used);
    return plain([
      [{ said: id }],
      [{ said: label }],
      capabilities.join(' '),
      built_by === null ? null : [{ said: built_by }],
      count(used.successes),
      count(used.failures),
      ppm(used.sigma_ppm),
      ppm(completeness),
      ppm(efficiency),
    ]);
  });
  return panel(
    'tools',
    'Tools',
    'What each provides, who made it and how it fared.',
    ['tool', 'label', 'provides', 'by', 'held', 'failed', 'best', 'completeness', 'efficiency'],
    rows,
  );
}

/** Each tool with each kind of goal that it was tried for. */
function listTried({ patterns }: LibraryState): readonly (readonly [goal: string, tool: string, Tool])[] {
  return patterns
    .sorted()
    .flatMap(([, { summary, tools }]) => tools.map(([id, tool]) => [summary, id, tool] as const))
    .toSorted(([a, , one], [b, , other]) => compareText(a, b) || other.successes - one.successes);
}

function workedPanel(state: LibraryState): Panel {
  const rows = listTried(state).map(([goal, id, { successes, failures, sigma_ppm, ratios }]) =>
    plain([
      [{ said: goal }],
      [{ said: id }],
      successes + failures === 0 ? null : count(successes + failures),
      successes + failures === 0 ? null : count(successes),
      ppm(sigma_ppm),
      ratios.length === 0 ? null : [{ said: computeOff(ratios).map(sayOff).join(', ') }],
    ]),
  );
  return panel(
    'worked',
    'What has worked for which goals',
    'How often each tool was tried and held, how sure its best was, and what work came to by its estimate: the median.',
    ['goal', 'tool', 'tried', 'held', 'best', 'came to'],
    rows,
  );
}

function failedPanel(state: LibraryState): Panel {
  const rows = listTried(state)
    .flatMap(([goal, id, { modes }]) => modes.map(([mode, n]) => ({ mode, goal, id, n })))
    .toSorted((a, b) => b.n - a.n || compareText(a.mode, b.mode))
    .map(({ mode, goal, id, n }) => plain([[{ said: mode }], [{ said: goal }], [{ said: id }], count(n)]));
  return panel(
    'failed',
    'What failed where',
    'How a tool failed with which goal, and how often.',
    ['failure', 'goal', 'tool', 'times'],
    rows,
  );
}

function requestsPanel({ capabilities }: LibraryState): Panel {
  const rows = capabilities
    .sorted()
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([fingerprint, { capability, status, resolver }]) =>
      plain([capability, status, resolver === null ? null : [{ said: resolver }], fingerprint.slice(0, 12)]),
    );
  return panel(
    'requests',
    'Asked of people',
    'No request is put twice; a withdrawn one may be.',
    ['capability', 'status', 'tool', 'fingerprint'],
    rows,
  );
}

function edgesPanel({ edges }: LibraryState): Panel {
  const rows = edges
    .sorted()
    .map(([, { from, relation, to, ppm: weight }]) =>
      plain([[{ said: from }], relation, [{ said: to }], ppm(weight)]),
    );
  return panel('graph', 'Knowledge graph', 'Edges by their ids.', ['from', 'relation', 'to', 'weight'], rows);
}

function describe(record: DerivedRecord, { asked }: LibraryFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: 'a library begins', tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source } = record.payload;
      return {
        text: [`${asked.get(request_id) ?? 'answer'} by `, { said: proposer }, ` (${source})`],
        tone: 'plain',
      };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = (record.payload.events as unknown as readonly LibraryEvent[])
        .map(({ t }) => t)
        .filter((t, place, all) => t !== 'invited' && t !== 'cited' && all.indexOf(t) === place);
      return { text: events.length === 0 ? 'continues' : events.join(', '), tone: 'plain' };
    }
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close':
      return { text: record.payload.status, tone: 'plain' };
  }
}
