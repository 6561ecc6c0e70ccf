/**
 * The steps of `action.yml` as a runner carries them out: in order, with their inputs, in a repository.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url));

/**
 * Runs the steps in a folder. `given`: inputs; `github`: what expressions name, such as `base_ref`; `env`: on
 * top. The first step that fails ends it, as on GitHub. Gives the name of each step, its exit code and output.
 */
export function runSteps(folder, given, github, env = {}) {
  const { inputs, runs } = parse(readFileSync(ACTION, 'utf8'));
  const defaults = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']),
  );
  const missing = Object.keys(inputs).find(
    (name) => inputs[name].required === true && given[name] === undefined,
  );
  if (missing !== undefined) throw new Error(`the input ${missing} is required`);
  const known = { inputs: { ...defaults, ...given }, github };
  const done = [];
  for (const step of runs.steps) {
    if (step.if !== undefined && !holds(step.if, known)) continue;
    const own = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text, known)]),
    );
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GITHUB_ACTIONS: 'true', ...env, ...own },
    });
    done.push({ name: step.name, code: status, output: stdout + stderr });
    if (status !== 0) break;
  }
  return done;
}

/** `${{ a.b }}` in a text. */
function filled(text, known) {
  return text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_, path) => valueAt(path, known));
}

function valueAt(path, known) {
  const value = path.split('.').reduce((inner, key) => inner?.[key], known);
  return typeof value === 'string' && value.includes('${{') ? filled(value, known) : String(value ?? '');
}

/** The two conditions that the action uses: `path != 'text'` and `path == 'text'`. */
function holds(condition, known) {
  const [, path, sign, text] = /^([\w.-]+) (==|!=) '([^']*)'$/.exec(condition) ?? [];
  if (path === undefined) throw new Error(`a condition that is not read here: ${condition}`);
  return (valueAt(path, known) === text) === (sign === '==');
}
