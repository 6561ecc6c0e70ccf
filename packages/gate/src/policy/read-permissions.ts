/**
 * The permissions of Claude Code's settings as a policy. Source: gate/G18.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { EFFECTS, type PolicyFile, type RuleFile as Given } from './policy.js';

/** A permission that is not taken over, and why. */
export type LeftOut = { readonly permission: string; readonly because: string };

/**
 * Reads `permissions` of a settings file: a policy that asks where no rule matches (`dontAsk`: refuses), and what it
 * leaves out. `root`: the absolute folder that relative paths start at, null where it is not known; then such a path
 * denies in any folder and allows nothing. Null: this is no settings file.
 */
export function readPermissions(
  settings: Json,
  root: string | null,
): { readonly policy: PolicyFile; readonly leftOut: readonly LeftOut[] } | null {
  const permissions = isObject(settings) ? settings['permissions'] : undefined;
  if (permissions === undefined || !isObject(permissions)) return null;
  const leftOut: LeftOut[] = [];
  const mode = readText(permissions, 'defaultMode');
  const strict = mode === 'dontAsk' ? 'deny' : 'ask';
  const rules = { deny: [] as Given[], ask: [] as Given[], allow: [] as Given[] };
  for (const effect of EFFECTS)
    for (const permission of listTexts(permissions, effect)) {
      const read = readPermission(permission, effect === 'allow' ? root : (root ?? ''));
      if (typeof read === 'string') leftOut.push({ permission, because: read });
      else rules[effect].push(...read.map((rule, at) => nameRule(rule, `${effect} ${permission}`, at)));
    }
  if (mode === 'acceptEdits') rules.allow.push({ tool: EDITS }, { tool: 'NotebookEdit' });
  else if (!['', 'default', 'dontAsk'].includes(mode))
    leftOut.push({ permission: `defaultMode ${mode}`, because: 'a gate has no such mode' });
  return { policy: { gate: 1, ...rules, otherwise: strict, unjudged: strict }, leftOut };
}

/** A rule named after its permission; its own words name it where that is too long. */
function nameRule(rule: Given, name: string, at: number): Given {
  return name.length > ID_MAX ? rule : { id: at === 0 ? name : `${name}, notebooks`, ...rule };
}

function listTexts(permissions: JsonObject, name: string): readonly string[] {
  const list = permissions[name];
  return isArray(list) ? [...new Set(list.filter((each) => typeof each === 'string'))] : [];
}

const ID_MAX = 100;
const EDITS = ['Edit', 'Write', 'MultiEdit'];

/** The rules of one permission, or why there are none. `root`: '' for any folder. */
function readPermission(permission: string, root: string | null): readonly Given[] | string {
  const [, tool = '', inner] = /^([^()]+)(?:\((.*)\))?$/s.exec(permission) ?? [];
  if (tool === '') return 'it is not written as Tool or Tool(…)';
  if (inner === undefined || inner === '*') {
    const isServer = /^mcp__(?!.*__)/.test(tool);
    return tool === 'Edit'
      ? [{ tool: [...EDITS, 'NotebookEdit'] }]
      : [{ tool: isServer ? `${tool}__*` : tool }];
  }
  if (tool === 'Bash') return readCommand(inner);
  if (['Read', 'Edit', 'Write'].includes(tool)) {
    const globs = listGlobs(inner, root);
    if (typeof globs === 'string') return globs;
    const glob = { glob: globs };
    if (tool === 'Read') return [{ tool, when: { '/file_path': glob } }];
    return [
      { tool: tool === 'Edit' ? EDITS : tool, when: { '/file_path': glob } },
      ...(tool === 'Edit' ? [{ tool: 'NotebookEdit', when: { '/notebook_path': glob } }] : []),
    ];
  }
  const [, name = '', value = ''] = /^([A-Za-z_][\w-]*):(.+)$/s.exec(inner) ?? [];
  if (name === '') return `what ${tool} takes in brackets is not known`;
  if (name === 'domain') return [{ tool, when: { '/url': { host: value } } }];
  return [{ tool, when: { [`/${name}`]: { like: value } } }];
}

function readCommand(inner: string): readonly Given[] | string {
  const words = inner.replace(/(?::| )\*$/, '');
  if (words.includes('*')) return 'a star inside a command is not taken over: write the rule by hand';
  const test = words === inner ? { is: inner } : { command: words };
  return [{ tool: 'Bash', when: { '/command': test } }];
}

/** A path of a permission, which follows .gitignore, as patterns of whole paths; or why there is none. */
function listGlobs(path: string, root: string | null): readonly string[] | string {
  if (path.startsWith('~')) return 'a path in the home folder is not taken over: write it in full';
  if (path.startsWith('//')) return [path.slice(1), `${path.slice(1)}/**`];
  if (root === null) return 'a relative path allows nothing here: its folder is not known';
  const plain = path.replace(/^\.?\//, '').replace(/\/$/, '');
  const isAnywhere = root === '' || !path.includes('/');
  const base = `${root}${isAnywhere ? '/**' : ''}/${plain}`.replace(/^\/\*\*/, '**');
  return plain.endsWith('**') ? [base] : [base, `${base}/**`];
}
