/**
 * Who plays the roles of a controller run, by name: rules, recordings, language models.
 *
 * @module
 */
import { namedPlayer, playersOf, recordedPlayer, type Player, type Players } from '@assay/controller/shell';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { CAST } from '@assay/controller';
import type { Miss } from '../../options/proposers.js';
import type { ModelOptions } from '../../options/llm.js';
import { shownModel } from '../../options/shown-model.js';
import { misuse } from '../../problems/problem.js';

/** The roles of a call. `misses`: what recordings had no answer to, once the run is over. */
export type NamedPlayers = Players & { readonly misses: ReadonlyMap<string, Miss> };

type Role = Parameters<typeof playersOf>[0][number]['role'];

/**
 * Reads `--proposer` options: `rules`, `recorded:FILE` and `llm:PROVIDER/MODEL` for every role, `R2=NAME` for
 * one; a role that none is named for is played by the rules, and so is one of which a recording for every
 * role has no answer. Raises `Stop`: `bad_value`, and those of opening recordings and models.
 */
export async function readPlayers(given: readonly string[], models: ModelOptions): Promise<NamedPlayers> {
  const misses = new Map<string, Miss>();
  const named: { readonly role: Role; readonly player: Player }[] = [];
  for (const option of given) {
    const [role, name] = roleOf(option);
    named.push({ role, player: await playerNamed(name, misses, models) });
  }
  return { ...playersOf(named, rulesPlayer), misses };
}

const RECORDED = 'recorded:';

function roleOf(option: string): readonly [role: Role, name: string] {
  const found = /^(R[0-9][ab]?)=(.+)$/s.exec(option);
  if (found === null) return [null, option];
  const role = CAST.find((one) => one === found[1]);
  if (role === undefined)
    throw misuse(
      'bad_value',
      'unknown role',
      `--proposer ${found[1] ?? ''}`,
      `the roles are ${CAST.join(', ')}`,
    );
  return [role, found[2] ?? ''];
}

async function playerNamed(name: string, misses: Map<string, Miss>, models: ModelOptions): Promise<Player> {
  if (name === 'rules') return rulesPlayer;
  if (name.startsWith(RECORDED)) {
    const { proposerOf } = await import('../../options/proposers.js');
    const { ports, kinds } = await proposerOf(name, misses, { person: null, models });
    return recordedPlayer(ports, kinds ?? new Map());
  }
  if (name.startsWith('llm:')) {
    const { proposer, portFor, units } = await (await import('../../options/models.js')).modelInRoles(
      name,
      models,
    );
    return namedPlayer(proposer, portFor, units);
  }
  throw misuse(
    'bad_value',
    'only rules, a recording or a language model can play a role',
    `--proposer ${shownModel(name, models.env)}`,
    'give rules, recorded:FILE or llm:PROVIDER/MODEL, or R2=llm:PROVIDER/MODEL for one role',
  );
}
