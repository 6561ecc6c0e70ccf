/** `assay check` of a gate's policy, and of a coding agent's settings that become one. */
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPolicy, readPermissions } from '@assay/gate/policy';
import { readPolicy, type Policy } from '@assay/gate/machine';
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import type { Output } from '../call/output.js';
import { readJson, shortenName } from '../files/read.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { commandLine, padded, plain, renderPointer, show, styled } from '../terminal/shown.js';

/** Reads a policy, or settings with permissions; null where it is neither, which whoever reads plans explains. */
export async function readPolicyFile(path: string): Promise<JsonObject | null> {
  const given = await readJson(path).catch(() => null);
  const isPolicy = isObject(given) && (Object.hasOwn(given, 'gate') || Object.hasOwn(given, 'permissions'));
  return isPolicy ? given : null;
}

/**
 * Prints what a policy says and what of it does nothing: exit 1 where a rule never matches or is needless. Settings
 * are printed as a policy, on stdout alone. Raises `Stop` (exit 2): `bad_policy` with its place.
 */
export function checkPolicyFile(
  { output }: { readonly output: Output },
  given: Json,
  path: string,
): ExitCode {
  const taken = readPermissions(given, findRoot(path));
  const read = readPolicy(taken?.policy ?? given);
  const name = shortenName(path);
  if (read._tag === 'Left') {
    const { at, expected } = read.left.detail;
    throw misuse(
      'bad_policy',
      `not a policy: ${renderPointer(at)} must be ${expected}`,
      name,
      'see docs/formats/gate.md',
    );
  }
  const policy = read.right;
  const findings = checkPolicy(policy);
  const leftOut = taken?.leftOut ?? [];
  output.document({ file: name, policy: policy.given, findings, left_out: leftOut });
  const tell = taken === null ? output.line.bind(output) : output.note.bind(output);
  if (taken !== null && !output.isJson) output.reply(taken.policy, 2);
  tell(show`${padded(show`policy`, 12)}${describePolicy(policy)}`);
  for (const { permission, because } of leftOut)
    tell(show`${padded(styled('open', show`left out`), 12)}${permission}: ${because}`);
  for (const { id, kind, because } of findings)
    tell(show`${padded(styled(kind === 'unbounded' ? 'open' : 'bad', show`${kind}`), 12)}${id}: ${because}`);
  if (taken !== null) {
    tell(
      show`${padded(show`next`, 12)}save the policy, and add to these settings: "hooks": ${JSON.stringify(HOOKS)}`,
    );
    tell(show`${padded(show`try it`, 12)}run the command once with an empty input: it must say "ask".`);
    tell(show`${padded(show``, 12)}A hook that cannot start stops no call.`);
  }
  if (taken === null) output.brief(show`${name}: ${findings.length} findings`);
  return findings.some(({ kind }) => kind !== 'unbounded') ? EXIT.no : EXIT.done;
}

/** Whole paths: a hook has neither this folder nor, where `assay` is not installed for all, its name. */
const BIN = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));
const COMMAND = plain(
  commandLine([process.execPath, BIN, 'gate', '--policy', '/PATH/policy.json', '--hook']),
);
const HOOK = [{ matcher: '*', hooks: [{ type: 'command', command: COMMAND }] }];
const HOOKS = {
  PreToolUse: HOOK,
  PostToolUse: HOOK,
  PostToolUseFailure: HOOK,
};

/** Raises `Stop` `unbounded` for a budget of tokens that nothing is held of before a model is asked. */
export function refuseUnbounded(given: Json, path: string): void {
  const read = readPolicy(given);
  if (read._tag === 'Left') return;
  for (const { id, kind, because } of checkPolicy(read.right)) {
    const { unit = '' } = read.right.budgets.find((budget) => budget.id === id) ?? {};
    if (kind === 'unbounded' && /^(?:input_|output_)?tokens$/.test(unit))
      throw misuse(
        'unbounded',
        `the budget "${id}" cannot be held: ${because}`,
        shortenName(path),
        `add "bounds": [{"tool": "model/*", "unit": "${unit}", "max": 50000, "at": "/bound/${unit}"}]`,
      );
  }
}

function describePolicy({ rules, budgets, otherwise, unjudged, isObserving }: Policy): string {
  const count = (effect: string): number => rules.filter((rule) => rule.effect === effect).length;
  const verb = { deny: 'refuses', ask: 'asks a person about' } as const;
  return (
    `${count('deny')} deny, ${count('ask')} ask and ${count('allow')} allow rules, ` +
    `${budgets.length} ${budgets.length === 1 ? 'budget' : 'budgets'}; ` +
    `it ${verb[otherwise]} what no rule matches, and ` +
    `${verb[unjudged]} what a deny rule cannot judge${isObserving ? '; it only observes, and stops nothing' : ''}`
  );
}

/** The project of `PROJECT/.claude/settings.json`; null for a person's own settings and files elsewhere. */
function findRoot(path: string): string | null {
  const folder = dirname(resolve(path));
  const root = dirname(folder);
  return basename(folder) === '.claude' && root !== homedir() ? root : null;
}
