/**
 * Who answers the slots of a run that was begun before: by the policy it was begun under, or as told now.
 *
 * @module
 */
import type { Ports } from '@assay/host';
import { portsBySlot } from '@assay/proposers';
import { misuse } from '../problems/problem.js';
import type { Proposer } from './llm.js';
import { numbered, openProposer, type Asked, type Miss, type Proposers } from './proposers.js';

/** A proposer given now: `slot`, the one it is given for; null where the option names none. */
type Given = { readonly slot: string | null; readonly name: string };

/** `open`: the slots that still wait for an answer; asked only where somebody is missing. */
export type Resumed = {
  readonly slots: readonly string[];
  readonly asked: Asked;
  readonly open: () => Promise<ReadonlySet<string>>;
};

/**
 * Each slot of the policy is answered by what is given for it now; else a slot named `rules` or `human` (or
 * that with a number) by those; else it must have its answer already. `SLOT=NAME` gives one for a slot; as
 * many as there are slots, without slots, are taken in the policy's order, as `run` does; fewer take the
 * slots that `run` would have named for them, a single one the only slot that nobody else serves. Raises
 * `Stop`: `bad_value`, `option_needed`, `no_terminal`, and those of {@link openProposer}.
 */
export async function resumedProposers(
  given: readonly string[],
  { slots, asked, open }: Resumed,
): Promise<Proposers> {
  const misses = new Map<string, Miss>();
  const table = new Map<string, Ports>();
  const units = new Set<string>();
  const bind = (
    slot: string,
    { ports, units: own }: Pick<Proposer, 'ports' | 'units'>,
    option: string,
  ): void => {
    if (!slots.includes(slot))
      throw misuse(
        'bad_value',
        `this run has no slot ${slot}; its slots are ${slots.join(', ')}`,
        `--proposer ${option}`,
        'give --proposer SLOT=NAME for one of them',
      );
    if (table.has(slot))
      throw misuse(
        'bad_value',
        `slot ${slot} has two proposers`,
        `--proposer ${option}`,
        'give one for each slot',
      );
    table.set(slot, ports);
    for (const unit of own) units.add(unit);
  };
  const plain: { readonly option: string; readonly slot: string; readonly proposer: Proposer }[] = [];
  for (const option of given) {
    const { slot, name } = parsed(option);
    const proposer = await openProposer(name, misses, asked);
    if (slot === null) plain.push(...proposer.slots.map((each) => ({ option, slot: each, proposer })));
    else bind(slot, proposer, option);
  }
  const own = numbered(plain.map(({ slot }) => slot));
  const free = slots.filter((slot) => !table.has(slot) && nameFor(slot) === null);
  const isWhole = plain.length === slots.length;
  const [first] = free;
  for (const [index, { option, proposer }] of plain.entries()) {
    const named = own[index] ?? '';
    const isOnly = !slots.includes(named) && plain.length === 1 && free.length === 1;
    bind((isWhole ? slots[index] : isOnly ? first : named) ?? named, proposer, option);
  }
  const missing: string[] = [];
  for (const slot of slots) {
    const name = table.has(slot) ? '' : nameFor(slot);
    if (name === null || (name === 'human' && asked.person === null)) missing.push(slot);
    else if (name !== '') table.set(slot, (await openProposer(name, misses, asked)).ports);
  }
  const waiting = missing.length === 0 ? new Set<string>() : await open();
  const needed = missing.find((slot) => waiting.has(slot));
  if (needed !== undefined) throw wanted(needed);
  return { slots, ports: portsBySlot(table), misses, units };
}

/** True where one of the slots, or of the options, is answered by a person. */
export function asksPerson(given: readonly string[], slots: readonly string[]): boolean {
  return (
    slots.some((slot) => nameFor(slot) === 'human') || given.some((option) => parsed(option).name === 'human')
  );
}

/** `SLOT=NAME` or `NAME`, which may be `recorded:FILE` with any character in it. */
function parsed(option: string): Given {
  const found = /^([^=:]+)=(.+)$/s.exec(option);
  return found === null ? { slot: null, name: option } : { slot: found[1] ?? '', name: found[2] ?? '' };
}

/** The proposer that a slot is named for. */
function nameFor(slot: string): 'rules' | 'human' | null {
  const name = slot.replace(/-[0-9]+$/, '');
  return name === 'rules' || name === 'human' ? name : null;
}

function wanted(slot: string): Error {
  if (nameFor(slot) === 'human')
    return misuse(
      'no_terminal',
      `slot ${slot} waits for a person, but this is not a terminal`,
      `--proposer ${slot}=human`,
      `resume it in a terminal, or give --proposer ${slot}=recorded:FILE`,
    );
  return misuse(
    'option_needed',
    `slot ${slot} waits for an answer, and nothing says who gives it`,
    slot,
    `give --proposer ${slot}=recorded:FILE or ${slot}=llm:PROVIDER/MODEL, as in the first call`,
  );
}
