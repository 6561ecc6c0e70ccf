/** The demo's run: our request with answers by rules and by hand, or the visitor's with rules alone. */
import type { Json } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { derivedIdentity, memoryStore, type Port, type Ports } from '@assay/host';
import { portsBySlot, rulesPort } from '@assay/proposers';
import { driveMachine } from '../../start/drive-machine.js';
import { type Ended } from '../../start/results.js';
import { demoPolicy, handWritten, INSTRUCTION, PIN, REQUEST, type HandWritten } from './hand-written.js';

/** The run, and of our own request whether the hostile answer moved anything: null for the visitor's. */
export type DemoRun = {
  readonly ended: Ended;
  readonly text: string;
  readonly pin: Json;
  readonly isUnmoved: boolean | null;
};

/** Decides `text`, or our own request where there is none. */
export async function decideDemo(text: string | undefined): Promise<DemoRun> {
  if (text !== undefined) return { ended: await decide(text, null, []), text, pin: null, isUnmoved: null };
  const ended = await decide(REQUEST, PIN, handWritten(INSTRUCTION));
  // The same answers once more, the note saying nothing: what was decided is the same, byte for byte.
  const quiet = await decide(REQUEST, PIN, handWritten(''));
  return {
    ended,
    text: REQUEST,
    pin: PIN,
    isUnmoved: JSON.stringify([...ended.artifacts]) === JSON.stringify([...quiet.artifacts]),
  };
}

async function decide(text: string, pin: Json, byHand: readonly HandWritten[]): Promise<Ended> {
  const policy = demoPolicy(['rules', ...byHand.map(({ slot }) => slot)]);
  const input = { seed_text: text, pin };
  const ports: Ports = portsBySlot(
    new Map<string, Ports>([
      ['rules', () => rulesPort],
      ...byHand.map((answer): [string, Ports] => [answer.slot, () => makePort(answer)]),
    ]),
  );
  const identity = derivedIdentity(input, policy);
  const start = { ...identity, policy, input };
  return driveMachine(intent, { start, identity, kept: { store: memoryStore() } }, { ports, place: '' });
}

function makePort({ proposer, value }: HandWritten): Port {
  return { source: 'synthetic', proposer, perform: () => Promise.resolve({ value }) };
}
