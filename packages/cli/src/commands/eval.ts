/**
 * `assay eval`: how well the rules read annotated requests.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { errnoOf } from '@assay/host/files';
import type { Context } from '../context.js';
import { readAnnotatedFile } from '../evaluation/annotated-file.js';
import { readFolder, type Half } from '../evaluation/annotated-folder.js';
import type { Annotated } from '../evaluation/annotation.js';
import { detailLines } from '../evaluation/details.js';
import { figuresOf } from '../evaluation/figures.js';
import { readByRules } from '../evaluation/reading.js';
import { judge } from '../evaluation/score.js';
import { EXIT, type ExitCode } from '../exit.js';
import { jsonShown } from '../output/json.js';
import { show } from '../output/shown.js';
import { misuse } from '../problem.js';

/**
 * Judges annotated requests of folders, or of files in the other format, and prints all figures as one JSON
 * line. With `--details` misses go to stderr; those of held-back requests only where nothing else was asked
 * for.
 */
export async function evaluate(
  { output }: Context,
  given: readonly string[],
  options: { readonly half: Half; readonly details?: boolean },
): Promise<ExitCode> {
  const requests: Annotated[] = [];
  for (const path of given) requests.push(...(await requestsOf(path, options.half)));
  const judged = requests.map((request) => judge(request, readByRules(request)));
  if (options.details === true || output.isVerbose) {
    const shown = judged.filter(({ annotated }) => !annotated.isHeldBack || options.half === 'held-back');
    for (const one of shown) for (const line of detailLines(one)) output.note(line);
    if (shown.length < judged.length)
      output.note(
        show`assay: ${judged.length - shown.length} held-back requests count and are not shown; --half held-back shows them`,
      );
  }
  const figures = figuresOf(judged);
  output.document(figures);
  output.data(jsonShown(figures));
  return EXIT.done;
}

async function requestsOf(path: string, half: Half): Promise<readonly Annotated[]> {
  if (path === '-')
    throw misuse(
      'no_stdin',
      'annotated requests are not read from standard input',
      '-',
      'name a folder, or a file of the other format',
    );
  if (!isFolder(path)) {
    if (half !== 'all')
      throw misuse('half', 'a file of annotated requests has no halves', path, 'leave --half out');
    return readAnnotatedFile(path);
  }
  return readFolder(path, half);
}

/** Raises `Stop`: `missing_file`, `unreadable`. */
function isFolder(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found.isDirectory();
  } catch (error) {
    const errno = errnoOf(error);
    // A part of the path that is a file, and a name too long, are no such file either.
    if (errno !== 'ENOTDIR' && errno !== 'ENAMETOOLONG')
      throw errno === null
        ? error
        : misuse(
            'unreadable',
            `this cannot be looked at (${errno})`,
            path,
            'check the path and its permissions',
          );
  }
  throw misuse(
    'missing_file',
    'there is no such file or folder',
    path,
    'check the path; it is relative to the current folder',
  );
}
