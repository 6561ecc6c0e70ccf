/**
 * What a task waits for: each action that a person must allow, with what it would lose. Source: calls/C8, calls/C10;
 * design §8.
 *
 * @module
 */
import { actionOf } from '@assay/controller/shell';
import { readBody, type ConfirmBody } from '@assay/controller';
import { runView, type EvidenceRecord, type Request } from '@assay/kernel';
import type { Waiting } from '../../start/kit.js';
import { textIn } from '../../terminal/fields.js';

/** Why a task cannot go on by itself. `confirmed`: what was allowed already. */
export function waitingFor(
  open: readonly Request[],
  records: readonly EvidenceRecord[],
  confirmed: readonly string[],
): Waiting {
  const asked = open.flatMap(({ body }) => parseConfirmBody(body) ?? []);
  const actions = asked.map(actionOf);
  const said = asked.map((body, at) => {
    const { tool, target } = actions[at] ?? { tool: '', target: '' };
    const held = heldWith(records, body);
    return held === null ? `${tool} ${target}` : `${tool} (${held})`;
  });
  const options = actions.map(({ tool, target }) => `${tool}:${target}`);
  return {
    said:
      said.length === 0 ? open.map(({ kind }) => kind).join(', ') : `a person to allow ${said.join('; ')}`,
    place: options.join(' '),
    again: { confirm: [...new Set([...confirmed, ...options])] },
  };
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
