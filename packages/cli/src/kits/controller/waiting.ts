/**
 * What a task waits for, with the line that lets it go on. Source: calls/C8, calls/C10; design §8.
 *
 * @module
 */
import { actionOf } from '@assay/controller/shell';
import { readBody, type ConfirmBody } from '@assay/controller';
import { runView, type EvidenceRecord, type Request } from '@assay/kernel';
import { textIn } from '../../terminal/fields.js';
import { EXIT } from '../../problems/exit.js';
import { stopOf, type Remedy, type Stop } from '../../problems/problem.js';

type Action = ReturnType<typeof actionOf>;

/**
 * Why a task cannot go on by itself: each action that a person must allow, with what it would lose. `again`:
 * the line to type with these confirmed; null where the run is kept nowhere.
 */
export function waitingStop(
  open: readonly Request[],
  records: readonly EvidenceRecord[],
  again: (confirm: readonly string[]) => Remedy | null,
): Stop {
  const asked = open.flatMap(({ body }) => readBody('confirm', body) ?? []);
  const actions = asked.map(actionOf);
  const said = asked.map((body, at) =>
    saidOf(actions[at] ?? { tool: '', target: '' }, heldWith(records, body)),
  );
  const what =
    said.length === 0 ? open.map(({ kind }) => kind).join(', ') : `a person to allow ${said.join('; ')}`;
  return stopOf({
    code: 'waiting',
    message: `the run waits for ${what}`,
    place: actions.map(optionOf).join(' '),
    remedy: again(actions.map(optionOf)) ?? 'it was kept nowhere; give -o or --store, or --confirm at once',
    exit: EXIT.waiting,
  });
}

function optionOf({ tool, target }: Action): string {
  return `${tool}:${target}`;
}

function saidOf({ tool, target }: Action, held: string | null): string {
  return held === null ? `${tool} ${target}` : `${tool} (${held})`;
}

/** What the tool of this very target said that would lose this, without its code. */
function heldWith(
  records: readonly EvidenceRecord[],
  { target, loses }: Pick<ConfirmBody, 'target' | 'loses'>,
): string | null {
  const view = runView(records);
  if (view._tag === 'Left') return null;
  const { answers, requests } = view.right;
  const said = [...answers].flatMap(([id, given]) =>
    requests.get(id)?.value.kind !== 'call'
      ? []
      : given.flatMap(({ proposal: { value } }) =>
          textIn(value, 'code') === 'needs_confirmation' &&
          textIn(value, 'loses') === (loses ?? '') &&
          textIn(value, 'target') === target
            ? [textIn(value, 'output') || textIn(value, 'why')]
            : [],
        ),
  );
  return said.at(-1)?.replace(/^needs_confirmation: /, '') ?? null;
}
