/** The `human` proposer: a person gives readings, in a dialogue over whatever carries lines. */
import type { InterpretationsBody } from '@assay/kernel/intent';
import type { Dialogue, Port } from '@assay/host';
import { openSession, reply, type HumanAnswer } from './session.js';

/** Name under which a person's proposals are recorded. */
export const HUMAN_PROPOSER = 'human';

/**
 * Asks a person for readings of a request. Never rejects of itself; giving up is the final failure `denied`.
 */
export async function proposeByHand(body: InterpretationsBody, { say, ask }: Dialogue): Promise<HumanAnswer> {
  for (let turn = openSession(body); ; ) {
    for (const line of turn.say) say(line);
    if (turn.answer !== null) return turn.answer;
    turn = reply(turn.session, await ask(turn.prompt));
  }
}

/**
 * A person as a port: source `human`, proposer `human`. The same call made again gets the same answer, and
 * nobody is asked twice.
 */
export function humanPort(dialogue: Dialogue): Port {
  const given = new Map<string, Promise<HumanAnswer>>();
  const askPerson = (key: string, body: InterpretationsBody): Promise<HumanAnswer> => {
    const answer = given.get(key) ?? proposeByHand(body, dialogue);
    given.set(key, answer);
    return answer;
  };
  return {
    source: 'human',
    proposer: HUMAN_PROPOSER,
    perform: async (request, { key }) => {
      const { value, failure } = await askPerson(key, request.body as InterpretationsBody);
      return failure === null ? { value } : { failure };
    },
  };
}
