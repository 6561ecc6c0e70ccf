/**
 * What people answer in a world: orders of its operator, and scores.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { commitSecret, parseVault, type Vault } from '@assay/ecology/shell';
import { shortenName } from '../../files/read.js';
import { misuse, orStop, badValue } from '../../problems/problem.js';
import type { Asking, Words } from '../../start/kit.js';
import { textIn } from '../../terminal/shown.js';

/** Names the file of the operator's secrets. */
export const VAULT_VARIABLE = 'ASSAY_VAULT';

/** The operator's secrets; null where the environment names no file of them. Raises `Stop`: `bad_vault`. */
export function readVault(env: NodeJS.ProcessEnv): Vault | null {
  const path = env[VAULT_VARIABLE];
  if (path === undefined || path === '') return null;
  const bad = (at: string) =>
    misuse(
      'bad_vault',
      `not a file of secrets${at === '' ? '' : `, at ${at}`}`,
      shortenName(path),
      'write it like {"salt":"…","secrets":{"NAME":"…"}}, each text of at least 8 characters',
    );
  let json: Json;
  try {
    json = JSON.parse(readFileSync(path, 'utf8')) as Json;
  } catch {
    throw bad('');
  }
  return orStop(parseVault(json), ({ path: at }) => bad(at));
}

const WHY = '(?<why>.+)';
const ID = '[a-z0-9][a-z0-9._-]*';

/** Words of an order: `form` up to the colon, behind which the reason stands. */
function order(
  usage: string,
  form: string,
  make: (said: Parameters<Words['value']>[0]) => JsonObject,
): Words {
  return {
    usage: `${usage}: REASON`,
    form: new RegExp(`^${form}: *${WHY}$`, 's'),
    value: (said) => ({ ...make(said), rationale: said['why'] ?? '' }),
  };
}

const ASKED = `(?<agent>${ID}) (?<capability>[^:]+?)`;

const ORDERS: readonly Words[] = [
  order(
    'grant RESOURCE AMOUNT to AGENT',
    `grant (?<resource>[a-z_]+) (?<amount>\\d+) to (?<to>${ID})`,
    (said) => ({
      op: 'grant',
      to: said['to'] ?? '',
      resource: said['resource'] ?? '',
      amount: Number(said['amount']),
    }),
  ),
  order(
    'provision AGENT CAPABILITY [with ARTIFACT] [with secret NAME]',
    `provision ${ASKED}(?: with (?<artifact>${ID}))?(?: with secret (?<secret>[A-Za-z_][A-Za-z0-9_]*))?`,
    ({ agent, capability, artifact, secret }) => ({
      op: 'provision',
      agent_id: agent ?? '',
      capability: capability ?? '',
      approve: true,
      artifact_id: artifact ?? null,
      secret: secret === undefined ? null : { name: secret, commitment: commit(secret) },
    }),
  ),
  order('deny AGENT CAPABILITY', `deny ${ASKED}`, ({ agent, capability }) => ({
    op: 'provision',
    agent_id: agent ?? '',
    capability: capability ?? '',
    approve: false,
  })),
  order('rebind ARTIFACT to CONTRACT', `rebind (?<id>${ID}) to (?<contract>${ID})`, ({ id, contract }) => ({
    op: 'rebind',
    artifact_id: id ?? '',
    access_contract_id: contract ?? '',
  })),
  order(
    'bounty AMOUNT to AGENT from MINTER',
    `bounty (?<amount>\\d+) to (?<to>${ID}) from (?<minter>${ID})`,
    (said) => ({
      op: 'bounty',
      minter: said['minter'] ?? '',
      to: said['to'] ?? '',
      amount: Number(said['amount']),
    }),
  ),
  order('note', 'note', () => ({ op: 'note' })),
  order('stop', 'stop', () => ({ op: 'stop' })),
];

/** Raises `Stop`: `bad_value`, `bad_vault`. */
function commit(name: string): string {
  const vault = readVault(process.env);
  const commitment = vault === null ? null : commitSecret(vault, name);
  if (commitment !== null) return commitment;
  throw badValue(
    vault === null ? 'no file of secrets is named' : `the file of secrets has no ${name}`,
    name,
    `set ${VAULT_VARIABLE} to a file {"salt":"…","secrets":{"${name}":"…"}}`,
  );
}

/** How people answer in a world. */
export const WORLD_ANSWERS: { readonly [kind: string]: Asking } = {
  operator: { asks: () => 'an order of the operator', words: ORDERS },
  score: {
    asks: (body) => `0 to 100 for ${textIn(body, 'artifact_id')}`,
    named: (body) => `score-${textIn(body, 'artifact_id')}`,
    words: [
      { usage: '0 to 100', form: /^(?<score>\d{1,3})$/, value: ({ score }) => ({ score: Number(score) }) },
    ],
  },
  effect: {
    asks: (body) =>
      isObject(body) && 'call' in body
        ? `the result of call ${textIn(body, 'call')} to ${textIn(body, 'target')}`
        : `what ${textIn(body, 'agent')} needs`,
    words: [],
  },
};
