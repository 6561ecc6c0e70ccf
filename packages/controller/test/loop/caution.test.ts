import { describe, expect, it } from 'vitest';
import type { JudgeBody } from '../../src/index.js';
import type { ControllerEvent } from '../../src/loop/events.js';
import { NO_RECALL } from '../../src/protocol/recall.js';
import type { Action } from '../../src/memory/index.js';
import {
  called,
  criterion,
  planOf,
  play,
  policyWith,
  willing,
  type Cast,
  type Played,
} from '../lib/playing.js';

const uncertain = (...tools: readonly string[]): { readonly value: never } => ({
  value: {
    ...NO_RECALL,
    tags: tools.map((tool) => ({
      space: `tool:${tool}`,
      entity: 'env:local',
      attention_nano: 900_000_000,
      decision_nano: 0,
      action: 'caution' satisfies Action,
    })),
  } as never,
});
const using = (...uses: readonly { readonly tool: string; readonly target: string }[]): Cast => ({
  ...willing,
  plan: () => ({ value: planOf([{ criteria: [criterion('it is done')], uses }], [criterion('all of it')]) }),
  execute: () => ({
    value: {
      status: 'completed',
      output: 'done',
      tool_calls: [called(uses[0]?.tool ?? '', uses[0]?.target ?? '')],
    },
  }),
});
const remembering = policyWith({ memory: true });
const confirmations = (played: Played): readonly unknown[] =>
  played.asked
    .filter(({ kind }) => kind === 'confirm')
    .map(({ body }) => (body as unknown as { actions: unknown }).actions);
const megrams = ({
  events,
}: Played): readonly { readonly space: string; readonly entity: string; readonly state: string }[] =>
  events.flatMap((event: ControllerEvent) =>
    event.t === 'message' && event.kind === 'Megram'
      ? (event.body as unknown as { megrams: readonly never[] }).megrams
      : [],
  );

describe('what memory is of two minds about', () => {
  it('waits for a person where it changes something, and goes on where it only looks or searches', () => {
    for (const tool of ['find_files', 'read_file']) {
      const played = play(remembering, {
        ...using({ tool, target: 'a.txt' }),
        recall: () => uncertain('find_files', 'read_file'),
      });
      expect({ tool, asked: confirmations(played), directive: played.result?.directive }).toEqual({
        tool,
        asked: [],
        directive: 'accept',
      });
    }
    for (const tool of ['write_file', 'shell']) {
      const played = play(remembering, {
        ...using({ tool, target: 'a.txt' }),
        recall: () => uncertain(tool),
        confirm: () => ({ value: { approved: true, note: null } }),
      });
      expect({ tool, asked: confirmations(played), directive: played.result?.directive }).toEqual({
        tool,
        asked: [[{ tool, target: 'a.txt' }]],
        directive: 'accept',
      });
    }
  });

  it('a sub-task that looks and writes waits for its writing alone', () => {
    const played = play(remembering, {
      ...using({ tool: 'write_file', target: 'a.txt' }, { tool: 'read_file', target: 'a.txt' }),
      recall: () => uncertain('read_file', 'write_file'),
      confirm: () => ({ value: { approved: true, note: null } }),
    });
    expect(confirmations(played)).toEqual([[{ tool: 'write_file', target: 'a.txt' }]]);
  });
});

describe('a confirmation that is missing (dec-B9; 003 §9, Law 3)', () => {
  const unconfirmed: Cast = {
    ...using({ tool: 'remove_file', target: 'old.txt' }),
    confirm: () => ({ value: { approved: false, note: null } }),
  };

  it('is remembered against no tool and no input, only as a task that was not done', () => {
    const played = play(policyWith({ ggs: { ...policyWith().ggs, max_replans: 2 } }), {
      ...unconfirmed,
      plan: (_, turn: number) => ({
        value: planOf(
          [
            {
              criteria: [criterion('it is gone')],
              uses: [{ tool: 'remove_file', target: `old-${turn}.txt` }],
            },
          ],
          [criterion('all of it')],
        ),
      }),
    });
    expect(played.result).toMatchObject({ directive: 'abandon', replans: 2 });
    expect(megrams(played)).toMatchObject([{ space: 'intent:write_the_report', state: 'abandon' }]);
  });

  it('leaves what failed beside it to be remembered', () => {
    const both: Cast = {
      ...unconfirmed,
      plan: (_, turn: number) => ({
        value: planOf(
          [
            {
              criteria: [criterion('it is gone')],
              uses: [{ tool: 'remove_file', target: `old-${turn}.txt` }],
            },
            {
              criteria: [criterion('it is written')],
              uses: [{ tool: 'write_file', target: `new-${turn}.txt` }],
            },
          ],
          [criterion('all of it')],
        ),
      }),
      execute: (_: unknown, turn: number) => ({
        value: {
          status: 'completed',
          output: 'done',
          tool_calls: [called('write_file', `new-${turn}.txt`, `wrote ${turn}`)],
        },
      }),
      judge: (body: JudgeBody) => ({
        value: {
          verdicts: body.criteria.map(({ id }) => ({
            criterion: id,
            verdict: 'fail',
            failure_class: 'environmental',
            evidence: 'not there',
          })),
          what_was_wrong: null,
          what_to_do: null,
        },
      }),
    };
    const played = play(
      policyWith({
        limits: { ...policyWith().limits, retries: 0 },
        ggs: { ...policyWith().ggs, max_replans: 1 },
      }),
      both,
    );
    const written = megrams(played).map(({ space }) => space);
    expect(written).toContain('tool:write_file');
    expect(written).not.toContain('tool:remove_file');
  });
});
