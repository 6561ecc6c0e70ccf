/**
 * Who answers what a controller run asks: the roles by name, the tools of a workspace, the clock, a person, a memory.
 *
 * @module
 */
import type { Request } from '@assay/kernel';
import { CAST, ROLE_OF, type AskKind, type CastRole } from '@assay/controller';
import { clockPort, type Port, type Ports } from '@assay/host';
import { proposerOf, type Miss } from '../inputs/proposers.js';
import type { ModelOptions } from '../inputs/models.js';
import { misuse } from '../problem.js';

/** Everything but the roles. */
export type Others = { readonly execute: Port; readonly confirm: Port | null; readonly recall: Port | null; readonly now?: () => number };

/** The ports of a run, and what recordings had no answer to, once it is over. */
export type ControlPorts = { readonly ports: Ports; readonly misses: ReadonlyMap<string, Miss> };

/**
 * Reads `--proposer` options: `rules` and `recorded:FILE` for every role, `R2=recorded:FILE` for one. Raises `Stop`: `proposer`, `recording`.
 */
export async function controlPorts(given: readonly string[], { execute, confirm, recall, now }: Others, models: ModelOptions): Promise<ControlPorts> {
  const misses = new Map<string, Miss>();
  const table = new Map<CastRole, Ports>();
  for (const option of given.length === 0 ? ['rules'] : given) {
    const [role, name] = roleOf(option);
    const ports = await portsNamed(name, misses, models);
    for (const one of role === null ? CAST : [role]) if (role !== null || !table.has(one)) table.set(one, ports);
  }
  const clock = clockPort(now === undefined ? {} : { read: now });
  const forKind = (request: Request): Port | null => {
    if (request.kind === 'clock') return clock;
    if (request.kind === 'confirm') return confirm;
    if (request.kind === 'recall') return recall;
    const ports = table.get(castOf(request.kind) ?? 'R1') ?? null;
    const port = ports === null ? null : ports(request);
    // The rules write steps and carry none out: work is done by the tools, unless a recording has it.
    return request.kind === 'execute' && (port === null || port.source === 'rule') ? execute : port;
  };
  return { ports: forKind, misses };
}

function castOf(kind: string): CastRole | null {
  const role = Object.hasOwn(ROLE_OF, kind) ? ROLE_OF[kind as AskKind] : null;
  return CAST.find((one) => one === role) ?? null;
}

function roleOf(option: string): readonly [role: CastRole | null, name: string] {
  const found = /^(R[0-9][ab]?)=(.+)$/s.exec(option);
  if (found === null) return [null, option];
  const role = CAST.find((one) => one === found[1]);
  if (role === undefined) throw misuse('proposer', 'nobody plays this role', `--proposer ${option}`, `the roles are ${CAST.join(', ')}`);
  return [role, found[2] ?? ''];
}

async function portsNamed(name: string, misses: Map<string, Miss>, models: ModelOptions): Promise<Ports> {
  if (name === 'rules') {
    const { controlRulesPort } = await import('@assay/proposers/control');
    return () => controlRulesPort;
  }
  if (name.startsWith('recorded:')) return (await proposerOf(name, misses, { person: null, models })).ports;
  throw misuse('proposer', 'a role is played by the rules or by a recording', `--proposer ${name}`, 'give rules, recorded:FILE, or R2=recorded:FILE for one role');
}
