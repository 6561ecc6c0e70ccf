/**
 * What the controller shows of a run.
 *
 * @packageDocumentation
 */
import type { DerivedRecord } from '@assay/kernel';
import type { Described, Picture, View } from '@assay/kernel/view';
import type { ControllerEvent } from '../loop/events.js';
import type { ControllerState } from '../loop/state.js';
import { ROLE_NAMES } from '../protocol/roles.js';
import { withChanges } from '../whatif/changes.js';
import { fold, start, type ControlFold } from './fold.js';
import {
  answersPanel,
  busPanel,
  cellsPanel,
  listKnobs,
  lossPanel,
  reasonsPanel,
  resultBlock,
  resultPanels,
  roundsPanel,
  words,
  workPanel,
} from './panels.js';
import { sayEvents } from './said.js';
import { stopsPanel } from './work.js';

/** What the controller shows: loss, work, decision table, rounds, messages, and the final result. */
export const controllerView: View<ControllerState, ControlFold> = {
  machine: 'controller',
  versions: [1],
  account: { evaluation: [''], final_result: ['/loss', '/grad_l', '/prev_directive', '/replans', '/why'] },
  start,
  fold,
  describe,
  show,
  knobs: ({ rounds }, { setup }) =>
    setup === null || rounds.length === 0 ? [] : listKnobs(setup.policy.ggs),
  turn: (policy, changes) =>
    withChanges(
      policy,
      changes.map(({ id, to }) => ({ name: id, value: to })),
    ),
  files: ({ result }) =>
    result === null
      ? []
      : [
          {
            name: 'final-result.json',
            json: result.content,
            blocks: [resultBlock(result.content, result.record)],
          },
        ],
  next: ({ status, plans }) =>
    status === null
      ? []
      : [
          { command: 'verify', args: ['{ledger}'] },
          // Without a plan no threshold was ever asked.
          ...(!plans.some(({ tag }) => tag === 'plan')
            ? []
            : [{ command: 'whatif', args: ['{ledger}', '--set', 'policy.ggs.epsilon=50000'] }]),
        ],
};

function show(seen: ControlFold, { setup, waiting }: ControllerState): Picture {
  const { request, result, rounds, status } = seen;
  const head: Pick<Picture, 'tone' | 'verdict' | 'subject' | 'because'> =
    result === null
      ? {
          tone: 'open',
          verdict: 'Still open',
          subject: `waiting for ${counted(waiting.size, 'answer')}`,
          because: '',
        }
      : {
          tone: status === 'refused' ? 'bad' : 'good',
          verdict: status === 'refused' ? 'Abandoned' : 'Done',
          subject: [
            `${words(result.content.why ?? result.content.reason)}: `,
            { said: result.content.summary },
          ],
          because: sayBecause(seen),
        };
  const isPlayed = rounds.length > 0 && setup !== null;
  return {
    ...head,
    asked: request === null ? '' : [{ said: request }],
    panels: [
      ...(isPlayed ? [lossPanel(seen, setup.policy.ggs)] : []),
      workPanel(seen),
      ...(isPlayed ? [cellsPanel(seen), roundsPanel(seen), reasonsPanel(seen)] : []),
      ...stopsPanel(seen.stops),
      busPanel(seen),
      answersPanel(seen),
      ...resultPanels(seen),
    ],
  };
}

function sayBecause({ result, rounds }: ControlFold): string {
  const { unmet = [], accountable = [], why = null, costs } = result?.content ?? {};
  return [
    ...(why === null || result === null ? [] : [words(result.content.reason)]),
    counted(rounds.length, 'round'),
    counted(costs?.tool_calls ?? 0, 'tool call'),
    ...(unmet.length === 0 ? [] : [`${unmet.length} not met or not judged`]),
    ...accountable
      .slice(0, 4)
      .map(({ role, failure }) => `${role} ${ROLE_NAMES[role]} failed: ${words(failure)}`),
  ].join(' · ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function describe(record: DerivedRecord, { request, asked }: ControlFold): Described {
  switch (record.kind) {
    case 'genesis':
      return { text: ['asked: ', { said: request ?? '' }], tone: 'plain' };
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const what =
        `${failure === null ? 'answer' : `failure ${failure.code}`} to ` +
        `${asked.get(request_id)?.kind ?? 'a request'} ${request_id} by `;
      return { text: [what, { said: proposer }, ` (${source})`], tone: failure === null ? 'plain' : 'bad' };
    }
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision': {
      const events = record.payload.events as unknown as readonly ControllerEvent[];
      return { text: sayEvents(events), tone: 'plain' };
    }
    case 'artifact':
      return { text: `result ${record.payload.name}`, tone: 'plain' };
    case 'close': {
      const { status, reasons } = record.payload;
      return { text: [status, ...reasons].join(', '), tone: status === 'success' ? 'good' : 'bad' };
    }
  }
}
