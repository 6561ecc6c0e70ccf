/**
 * How one decision of a world came about, as a chain: actions, checks in order, who paid.
 *
 * @module
 */
import {
  ecologyMachine,
  explain,
  type Ecology,
  type EcologyEvent,
  type EcologyState,
  type Told,
} from '@assay/ecology';
import { describeRefusal, formatScrip } from '@assay/ecology/view';
import { nativeSha256 } from '@assay/host';
import {
  follow,
  isObject,
  ledgerRecord,
  type EvidenceRecord,
  type Failed,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { shortenName } from '../../files/read.js';
import { auctionLines, moveLines } from './auction-lines.js';
import { actionText } from './event-lines.js';
import { misuse, orStop, unsound, type Stop } from '../../problems/problem.js';
import { padded, show, type Shown } from '../../terminal/shown.js';
import type { PartTold } from '../../start/kit.js';

/** Most steps that are told of one decision. */
const STEPS_MAX = 400;

/**
 * How the decision at a position came about, derived again up to there; null where no answer was decided on. Raises
 * `Stop`: `other_machine`, and exit 3 where it differs.
 */
export async function decisionTold(
  records: readonly EvidenceRecord[],
  index: number,
  ledger: string,
): Promise<PartTold | null> {
  const kind = records[index]?.kind;
  if (kind !== 'decision' && kind !== 'proposal' && kind !== 'rejection') return null;
  const at = kind === 'proposal' ? index : index - 1;
  const told = stepsAt(await chooseMachine(records, ledger), records, at, ledger);
  const { steps, before } = told;
  const events = eventsAt(records[at + 1]);
  const metered = events.filter((event) => event.t === 'use');
  const lines = [
    ...steps.slice(0, STEPS_MAX).map(renderFact),
    ...(steps.length > STEPS_MAX ? [show`${steps.length - STEPS_MAX} more`] : []),
    ...metered.map(
      ({ a, r, x }) =>
        show`${padded(show`metered`, 9)} ${x} ${r === 'cpu' ? 'µs of CPU' : 'tokens'}, paid by ${a}`,
    ),
    ...(before === null ? [] : [...auctionLines(before, events), ...moveLines(before, events, steps)]),
    ...(steps.length === 0 ? [show`no contract was called, and no agent acted`] : []),
  ];
  return { document: { record: index, steps, metered }, lines };
}

function eventsAt(record: EvidenceRecord | undefined): readonly EcologyEvent[] {
  const read = record === undefined ? null : ledgerRecord(record);
  const events = read?.kind === 'decision' && read.payload !== undefined ? read.payload.events : [];
  return events as unknown as readonly EcologyEvent[];
}

/** The machine that derives a ledger again. Raises `Stop`: `other_machine`. */
export async function chooseMachine(
  records: readonly EvidenceRecord[],
  ledger: string,
): Promise<ReturnType<typeof readEngine>> {
  const first = records[0] === undefined ? null : ledgerRecord(records[0]);
  const engine = first?.kind === 'genesis' ? (first.payload?.machine.engine ?? null) : null;
  if (engine === null) return readEngine(null);
  const { ENGINE_ID } = await import('@assay/ecology/sandbox/id');
  if (engine !== ENGINE_ID)
    throw misuse(
      'other_machine',
      `its contracts ran in another engine: ${engine}`,
      shortenName(ledger),
      'use the version of assay that wrote it',
    );
  return readEngine(await (await import('@assay/ecology/sandbox/node')).nodeEngine());
}

function readEngine(engine: Parameters<typeof ecologyMachine>[0]): {
  readonly engine: Parameters<typeof ecologyMachine>[0];
  readonly machine: Ecology;
} {
  return { engine, machine: ecologyMachine(engine) };
}

/** A ledger that its machine does not derive, as a problem. */
export function differs(ledger: string): (failed: Failed) => Stop {
  return ({ code, record }) =>
    unsound(
      code,
      `the ledger is not what the machine derives, at record ${record}`,
      shortenName(ledger),
      'see assay verify',
    );
}

/** What the machine tells while it decides on the proposal at an index. */
function stepsAt(
  { engine, machine }: ReturnType<typeof readEngine>,
  records: readonly EvidenceRecord[],
  at: number,
  ledger: string,
): { readonly steps: readonly Told[]; readonly before: EcologyState | null } {
  let told: readonly Told[] = [];
  let before: EcologyState | null = null;
  let isThere = false;
  const watched: Ecology = {
    ...machine,
    decide: (state, answer, context) => {
      if (isThere) before = state;
      const steps = isThere ? explain(engine, state, answer, context) : null;
      if (steps?._tag === 'Right') told = steps.right;
      return machine.decide(state, answer, context);
    },
  };
  const [genesis, ...rest] = records.slice(0, at + 1);
  if (genesis === undefined) return { steps: [], before };
  let seen = orStop(follow(watched, genesis, { sha256: nativeSha256, checked: true }), differs(ledger));
  for (const [index, record] of rest.entries()) {
    isThere = index === rest.length - 1;
    seen = orStop(seen.feed(record), differs(ledger));
  }
  return { steps: told, before };
}

function renderFact({ what, about }: Told): Shown {
  const text = (key: string): string => renderText(about[key] ?? null);
  const scrip = (key: string): string =>
    typeof about[key] === 'number' ? `${formatScrip(about[key])} scrip` : text(key);
  const details = isObject(about['details'] ?? null) ? (about['details'] as JsonObject) : {};
  const hash = (): string =>
    typeof about['hash'] === 'string' ? `, code ${about['hash'].slice(0, 12)}` : '';
  const name = padded(show`${what}`, 9);
  switch (what) {
    case 'action':
      return show`${name} ${text('agent')}: ${actionText(about['action'] ?? null)}`;
    case 'check': {
      const isAllowed = about['allowed'] === true;
      const fuel = about['fuel'] === undefined ? '' : `, ${text('fuel')} fuel`;
      const { why, reason } = about;
      const said = typeof reason === 'string' ? JSON.stringify(reason) : typeof why === 'string' ? why : '';
      return show`${name} ${text('contract')} ${isAllowed ? 'allows' : 'refuses'} ${text('action')} of ${text('artifact')}${said === '' ? '' : `: ${said}`}${hash()}${fuel}`;
    }
    case 'charge':
      if (about['why'] !== undefined)
        return show`${name} ${scrip('amount')} from ${text('payer')}, who has ${scrip('has')}, to ${text('to')}: ${text('why')}; no one pays`;
      return show`${name} ${text('payer')} pays ${scrip('amount')} to ${text('to')}${about['mandate'] === true ? ' by its mandate' : ''} (${text('contract')})`;
    case 'invoke':
      return show`${name} ${text('artifact')}.${text('method')}${hash()}; ${text('payer')} pays for its run`;
    case 'ran':
      return show`${name} ${text('artifact')}: ${text('fuel')} fuel, paid by ${text('payer')}`;
    case 'refused':
      return show`${name} ${text('code')}: ${details['failure'] === undefined ? '' : `${text('agent')}, `}${describeRefusal(text('message'), details)}`;
    case 'done':
      return show`${name} ${text('agent')} paid ${scrip('price_paid')}`;
    default:
      return show`${name} ${Object.entries(about)
        .map(([key, value]) => `${key} ${renderText(value)}`)
        .join(', ')}`;
  }
}

function renderText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
