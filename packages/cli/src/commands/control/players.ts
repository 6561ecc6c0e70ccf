/**
 * Who plays the roles of a controller run, by name: rules, recordings, language models.
 *
 * @module
 */
import { CAST, type CastRole } from '@assay/controller';
import { castOf, CONTROL_RULES, controlRulesPort, EXECUTOR, type Casting } from '@assay/agent';
import type { Ports } from '@assay/host';
import { proposerOf, type Miss } from '../../options/proposers.js';
import type { ModelOptions } from '../../options/models.js';
import { shownModel } from '../../options/shown-model.js';
import { misuse } from '../../problems/problem.js';

/**
 * The players of a run. `portsOf`: who answers for a role; null for R3 where its work is done by the tools.
 * `misses`: what recordings had no answer to, once the run is over. `units`: in which its language models are
 * counted; empty where it has none. `namesOf`: every name under which a role is answered; of a recording
 * those of its answers. `unnamed`: roles that no option names anybody for.
 */
export type Players = {
  readonly portsOf: (role: CastRole) => Ports | null;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
  readonly casting: Casting;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly unnamed: ReadonlySet<CastRole>;
};

/**
 * Who plays a role. `ports`: null where its work is done by the tools. `plays`: the roles that it takes where
 * it is named for every one.
 */
type Player = {
  readonly ports: Ports | null;
  readonly name: string | null;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly units: readonly string[];
  readonly plays: readonly CastRole[];
};

/**
 * Reads `--proposer` options: `rules`, `recorded:FILE` and `llm:PROVIDER/MODEL` for every role, `R2=NAME` for
 * one; a role that none is named for is played by the rules, and so is one of which a recording for every
 * role has no answer. Work (R3) is done by the tools, unless a recording has it. Raises `Stop`: `proposer`,
 * and those of opening recordings and models.
 */
export async function readPlayers(given: readonly string[], models: ModelOptions): Promise<Players> {
  const misses = new Map<string, Miss>();
  const [own, shared] = [new Map<CastRole, Player>(), new Map<CastRole, Player>()];
  const played = (role: CastRole): Player | null => own.get(role) ?? shared.get(role) ?? null;
  const take = async (option: string): Promise<void> => {
    const [role, name] = roleOf(option);
    if (role === 'R3' && name !== 'rules' && !name.startsWith(RECORDED))
      throw misuse(
        'proposer',
        'work is done by the tools of the workspace, and by nobody else',
        `--proposer R3=${shownModel(name, models.env)}`,
        'name who plans (R2) and who judges (R4a, R4b); R3=recorded:FILE gives recorded work again',
      );
    const player = role === 'R3' && name === 'rules' ? tools() : await playerNamed(name, misses, models);
    const table = role === null ? shared : own;
    for (const one of role === null ? player.plays : [role]) if (!table.has(one)) table.set(one, player);
  };
  for (const option of given) await take(option);
  const unnamed = new Set(CAST.filter((role) => played(role) === null));
  for (const role of unnamed) await take(`${role}=rules`);
  const casting = Object.fromEntries(CAST.map((role) => [role, played(role)?.name ?? null])) as Casting;
  return {
    portsOf: (role) => played(role)?.ports ?? null,
    misses,
    units: new Set(CAST.flatMap((role) => played(role)?.units ?? [])),
    casting,
    namesOf: (role) => played(role)?.namesOf(role) ?? new Set(),
    unnamed,
  };
}

/** Roles that judge, and do no work. */
const JUDGING: readonly CastRole[] = CAST.filter((role) => role !== 'R3');
const RECORDED = 'recorded:';

function roleOf(option: string): readonly [role: CastRole | null, name: string] {
  const found = /^(R[0-9][ab]?)=(.+)$/s.exec(option);
  if (found === null) return [null, option];
  const role = CAST.find((one) => one === found[1]);
  if (role === undefined)
    throw misuse(
      'proposer',
      'nobody plays this role',
      `--proposer ${found[1] ?? ''}`,
      `the roles are ${CAST.join(', ')}`,
    );
  return [role, found[2] ?? ''];
}

/** The rules write steps and carry none out: that is done by tools, which no policy has to name. */
function tools(): Player {
  return { ports: null, name: null, namesOf: () => new Set([EXECUTOR]), units: [], plays: [] };
}

async function playerNamed(name: string, misses: Map<string, Miss>, models: ModelOptions): Promise<Player> {
  if (name === 'rules') {
    return {
      ports: () => controlRulesPort,
      name: CONTROL_RULES,
      namesOf: () => new Set([CONTROL_RULES]),
      units: [],
      plays: JUDGING,
    };
  }
  if (name.startsWith(RECORDED)) {
    const { ports, units, kinds } = await proposerOf(name, misses, { person: null, models });
    const namesOf = (role: CastRole): ReadonlySet<string> =>
      new Set([...(kinds ?? [])].flatMap(([kind, names]) => (castOf(kind) === role ? [...names] : [])));
    const recorded = CAST.filter((role) => namesOf(role).size > 0);
    // An empty recording has no answer to anything, and is to say so.
    return {
      ports,
      name: null,
      namesOf,
      units,
      plays: recorded.length === 0 ? JUDGING : recorded,
    };
  }
  if (name.startsWith('llm:')) {
    const { port, units } = await (await import('../../options/models.js')).modelFor('roles', name, models);
    return {
      ports: () => port,
      name: port.proposer,
      namesOf: () => new Set([port.proposer]),
      units,
      plays: JUDGING,
    };
  }
  throw misuse(
    'proposer',
    'a role is played by the rules, a recording or a language model',
    `--proposer ${shownModel(name, models.env)}`,
    'give rules, recorded:FILE or llm:PROVIDER/MODEL, or R2=llm:PROVIDER/MODEL for one role',
  );
}
