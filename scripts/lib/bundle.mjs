/**
 * The `assay` command as few files: what the compiler wrote of the command and of our own packages, in
 * chunks.
 *
 * Loading some two hundred modules took longer than the work of a small run. Third-party packages stay
 * outside, and so does what a user may leave out; which modules share a chunk is decided here.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageNames, root } from './run.mjs';

const CLI = join(root, 'packages', 'cli');
const FOLDER = join(CLI, 'dist', 'bundle');
/** What the bundle was made from and what it came to, each file with its SHA-256. Not published. */
const STAMP = join(CLI, 'dist', '.bundle.json');

/**
 * Packages of ours that a user may leave out, because of what they bring along: found at run time or not at
 * all.
 */
const OPTIONAL = ['@assay/store-postgres', '@assay/fleet', '@assay/models', '@assay/mcp'];
/** Found beside the files that it reads: its pages. */
const BESIDE = ['@assay/explorer'];

/**
 * Chunks that commands share, inner ones first: each takes what its modules import along, unless one before
 * has it. What is in none, the command that loads it decides: also modules that import zod or another's
 * encoder, which few load.
 */
const CHUNKS = [
  // Loaded before the command is known, so first, and with nothing else of the host. Apart from the entry:
  // that ends with the command, and no chunk may wait for it.
  [
    'base',
    /^host\/dist\/files\/|^cli\/dist\/(?:problems\/(?:exit|problem)|terminal\/(?:interruption|signals|version))\.js$/,
  ],
  // Whatever is printed is escaped.
  ['kernel', /^(?:kernel\/dist\/(?!intent(?:-\w+)?\/|schemas\/|reference\/)|views\/dist\/escape\/)/],
  ['intent', /^kernel\/dist\/intent(?:-view)?\//],
  // Copying runs verifies them, which driving one does not.
  ['host', /^host\/dist\/(?!copy\/)/],
  // Loaded where a ledger names it, or a task is to be controlled.
  ['memory', /^controller\/dist\/memory\//],
  // Steps of the executor: only where a task is to be controlled.
  ['steps', /^controller\/dist\/(?:steps\/|protocol\/bodies\.)/],
  // Only where a ledger names it.
  ['gate', /^gate\/dist\/(?!import\/|view\/|policy\/(?:check-policy|read-permissions)\.)/],
  // Only where a plan is checked.
  ['planner', /^planner\/dist\/(?!schemas\/|(?:library-)?shell\/)/],
  ['controller', /^controller\/dist\/(?!view\/|memory-view\/|memory\/|audit\/|(?:memory-)?shell\/)/],
  // What a run shows of itself needs no verification.
  ['rendering', /^(?:views\/dist\/(?!machines\/)|verifier\/dist\/attacks\/edit\.js$)/],
  ['verifier', /^verifier\/dist\//],
  // Loads a curve, so only where something is signed or a signature judged.
  ['attest', /^attest\/dist\//],
  ['store-sqlite', /^store-sqlite\/dist\//],
  ['proposers', /^proposers\/dist\/(?!task-rules|tasks\/|solver)/],
  // Roles and steps of the controller: only where a task is to be controlled.
  ['control-rules', /^(?:controller\/dist\/(?:shell|steps)\/|proposers\/dist\/(?:task-rules|tasks\/))/],
  // Only where a plan shares a library or is carried out.
  ['leaves', /^planner\/dist\/(?:library-)?shell\//],
  [
    'common',
    // What judges keys or evidence loads a curve or zod, so few have it.
    new RegExp(
      String.raw`^cli\/dist\/(?:files\/(?!traces)|terminal\/` +
        String.raw`|problems\/(?!wrong-use)|call\/(?:output|person)\.js$)`,
    ),
  ],
  ['machines', /^cli\/dist\/options\/machines\.js$/],
  // What tells of a run needs the intent machine, what begins one the proposers too.
  // What only resume needs is in neither.
  ['running', /^cli\/dist\/(?:options\/(?:settings|request)|start\/(?!stored))/],
  ['asking', /^cli\/dist\/(?:options\/(?:llm|proposers))\.js$/],
];

/** True where the bundle is what would be made now, decided by content. */
export function isBundled() {
  if (!existsSync(STAMP)) return false;
  const { recipe, inputs, outputs } = JSON.parse(readFileSync(STAMP, 'utf8'));
  const isSame = ([path, digest]) => existsSync(join(root, path)) && digestOf(join(root, path)) === digest;
  return (
    recipe === recipeOf() &&
    [...Object.entries(inputs), ...Object.entries(outputs)].every(isSame) &&
    readdirSync(FOLDER).length === Object.keys(outputs).length
  );
}

/** Bundles the command into `packages/cli/dist/bundle`, replacing what is there. A warning is an error. */
export async function bundle() {
  // Loaded only here: most builds have nothing to bundle.
  const { rolldown } = await import('rolldown');
  const warnings = [];
  const graph = await rolldown({
    input: {
      assay: join(CLI, 'dist', 'main.js'),
      thread: join(CLI, 'dist', 'thread.js'),
    },
    cwd: root,
    platform: 'node',
    external: (id) =>
      [...OPTIONAL, ...BESIDE].some((name) => id === name || id.startsWith(`${name}/`)) ||
      !(id.startsWith('.') || isAbsolute(id) || id.startsWith('@assay/')),
    onLog: (_level, log) => {
      // What one command loads when it needs it, and another always, is in a chunk of many commands anyway.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') warnings.push(log.message);
    },
  });
  const groups = CHUNKS.map(([name, pattern], index) => ({
    name,
    priority: CHUNKS.length - index,
    test: (id) => pattern.test(relative(join(root, 'packages'), id).split(sep).join('/')),
  }));
  // Docstrings are for whoever reads the packages: the runtime would read a third more of text at each start.
  const { output } = await graph.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups },
  });
  const inputs = await graph.watchFiles;
  await graph.close();
  if (warnings.length > 0) throw new Error(`the command cannot be bundled:\n${warnings.join('\n')}`);
  write(output, inputs);
}

function write(output, inputs) {
  rmSync(STAMP, { force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const { fileName, code } of output) {
    // Renamed into its place: a command that runs meanwhile reads whole files.
    writeFileSync(`${FOLDER}.part`, code);
    renameSync(`${FOLDER}.part`, join(FOLDER, fileName));
  }
  const names = output.map(({ fileName }) => fileName);
  for (const name of readdirSync(FOLDER))
    if (!names.includes(name)) rmSync(join(FOLDER, name), { recursive: true });
  const stamp = {
    recipe: recipeOf(),
    inputs: digestsOf(inputs.filter((path) => existsSync(path))),
    outputs: digestsOf(names.map((name) => join(FOLDER, name))),
  };
  writeFileSync(STAMP, `${JSON.stringify(stamp, null, 1)}\n`);
}

/** This file, the version of the bundler, and what our packages say of their entries. */
function recipeOf() {
  const manifests = packageNames().map((name) => join(root, 'packages', name, 'package.json'));
  return createHash('sha256')
    .update(
      [fileURLToPath(import.meta.url), join(root, 'package.json'), ...manifests].map(digestOf).join('\n'),
    )
    .digest('hex');
}

/** SHA-256 of files, by path from the root. */
export function digestsOf(paths) {
  return Object.fromEntries(paths.map((path) => [relative(root, path), digestOf(path)]));
}

/** SHA-256 of a file, in hexadecimal. */
export function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
