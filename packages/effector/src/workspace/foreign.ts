/**
 * Names of the workspace that other programs act on: what belongs to git, and files that are executed or read
 * as configuration without a person's command.
 *
 * @module
 */
/** A name as the most forgiving file system compares it: without case, forms and invisible characters. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');
}

/** `.git` in every spelling that a file system may take for it, the short names of Windows included. */
const GIT_NAME = /^(?:\.git|git~\d+)[ .]*(?::.*)?$/su;

/** True for `.git`, a folder or a file. It is no part of a workspace: git executes what its files say. */
export function isGitName(name: string): boolean {
  return GIT_NAME.test(foldName(name));
}

/**
 * Names that a program looks for by itself, beside hidden ones. What a person runs by name (a Makefile, a
 * script) is not among them.
 */
const STARTED_NAMES: readonly RegExp[] = [
  // npm and its kin run install scripts of these, and whatever stands in node_modules.
  /^(?:package\.json|binding\.gyp|node_modules)$/u,
  // Python runs these at its start, pytest before each test.
  /^(?:sitecustomize\.py|usercustomize\.py|conftest\.py|.+\.pth)$/u,
  // Agents take these for orders.
  /^(?:agents|claude|gemini)\.md$/u,
  // Continuous integration runs these after a push.
  /^(?:jenkinsfile|(?:azure|bitbucket)-pipelines\.ya?ml|appveyor\.ya?ml|buildspec\.ya?ml|cloudbuild\.ya?ml)$/u,
  // Managers of git hooks and editors.
  /^(?:lefthook\.ya?ml|.+\.code-workspace)$/u,
  // A desktop starts these; with HEAD git takes a folder for a repository and runs what its config says.
  /^(?:.+\.desktop|launchagents|head|.+\.git)$/u,
];

/**
 * True where a part of a path is hidden (begins with a dot), or is a name that programs look for by themselves:
 * a shell's profile, `.envrc`, `.npmrc`, `.husky`, `.github`, `.vscode`, `package.json`.
 */
export function isStartedByItself(path: string): boolean {
  return path.split('/').some((segment) => {
    const name = foldName(segment);
    return (name.startsWith('.') && name !== '.') || STARTED_NAMES.some((pattern) => pattern.test(name));
  });
}
