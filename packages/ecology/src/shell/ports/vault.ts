/**
 * Secrets of agents: values stay with the operator, the ledger holds names and salted commitments, and agents pass
 * handles `secret:NAME`. Source: specs/ecology.md B8; 004 L8442.
 *
 * @module
 */
import { createHmac } from 'node:crypto';
import {
  classOfError,
  holdsSecret,
  Later,
  PortError,
  stringsIn,
  type Port,
  type PortAnswer,
} from '@assay/host';
import { err, isArray, isObject, ok, type Json, type Result } from '@assay/kernel';
import type { EcologyState } from '../../world/state.js';

/** Values by name, and the salt of their commitments, which is a secret too. */
export type Vault = { readonly salt: string; readonly secrets: { readonly [name: string]: string } };

/** No secrets. */
export const NO_VAULT: Vault = Object.freeze({ salt: '', secrets: Object.freeze({}) });

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Handles are whole strings, or stand in one as `${secret:NAME}`. */
const HANDLE = /^secret:([A-Za-z_][A-Za-z0-9_]{0,63})$|\$\{secret:([A-Za-z_][A-Za-z0-9_]{0,63})\}/g;

/** Reads a vault from JSON: {salt, secrets: {NAME: value}}; salt and values of at least 8 characters. */
export function parseVault(
  value: Json,
): Result<{ readonly code: 'bad_vault'; readonly path: string }, Vault> {
  const bad = (path: string) => err({ code: 'bad_vault', path } as const);
  if (!isObject(value)) return bad('');
  const { salt, secrets } = value;
  if (typeof salt !== 'string' || salt.length < 8) return bad('/salt');
  if (secrets === undefined || !isObject(secrets)) return bad('/secrets');
  for (const [name, secret] of Object.entries(secrets))
    if (!NAME.test(name) || typeof secret !== 'string' || secret.length < 8) return bad(`/secrets/${name}`);
  return ok({ salt, secrets: secrets as { readonly [name: string]: string } });
}

/** What the ledger holds of a secret: HMAC-SHA256 of its value under the vault's salt and its name. Null: none. */
export function commitSecret({ salt, secrets }: Vault, name: string): string | null {
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  return value === undefined ? null : createHmac('sha256', `${salt}\0${name}`).update(value).digest('hex');
}

/**
 * Arguments with values in the place of handles. Left: the first name that the agent does not hold, or whose value is
 * not the one that was committed to.
 */
export function fillSecrets(
  vault: Vault,
  state: EcologyState,
  agent: string,
  args: Json,
): Result<string, Json> {
  let fault: string | null = null;
  const fill = (text: string): string =>
    text.replaceAll(HANDLE, (handle: string, whole: string | undefined, part: string | undefined) => {
      const name = whole ?? part ?? '';
      const held = state.secrets.get(`${agent} ${name}`);
      if (held === undefined || held !== commitSecret(vault, name)) fault ??= name;
      return fault === null ? (vault.secrets[name] ?? handle) : handle;
    });
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return fill(value);
    if (isArray(value)) return value.map(walk);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
      : value;
  };
  const filled = walk(args);
  return fault === null ? ok(filled) : err(fault);
}

/** A port whose answers are looked through before they are recorded: one that holds a secret is `malformed`. */
export function guardPort(port: Port, vault: Vault): Port {
  if (vault === NO_VAULT) return port;
  const secrets = [...Object.values(vault.secrets), vault.salt];
  return {
    ...port,
    perform: async (request, call) => {
      const answer = await port.perform(request, call).catch((error: unknown) => {
        throw withoutSecrets(error, secrets);
      });
      if (!holdsSecret(stringsIn(answer).join('\n'), secrets)) return answer;
      const { spent = {}, at_us = null } = answer;
      const failure = { code: 'malformed', final: true, detail: { code: 'secret' } } as const;
      return { failure, spent, at_us, provenance: { secret_withheld: true } } satisfies PortAnswer;
    },
  };
}

/** An error as it may be recorded and told: of one that holds a secret, its class and cost alone. */
function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (Later.isLater(error) || !(error instanceof Error)) return error;
  const { provenance, spent } = error as Partial<PortError>;
  const told = [error.message, String(error.stack), ...stringsIn(provenance), ...stringsIn(error.cause)];
  if (!holdsSecret(told.join('\n'), secrets)) return error;
  const failureClass = classOfError(error);
  if (failureClass === null) return new Error('an error that holds a secret');
  return new PortError(failureClass, spent === undefined ? {} : { spent });
}
