/** The tool `glob`: paths by pattern. Source: 003 §R3, place 2. */
import { err, ok, type Result } from '@assay/kernel';
import * as z from 'zod';
import {
  type CallContext,
  done,
  ended,
  type Ended,
  toolForm,
  type ToolForm,
  aboutText,
  canonicalInput,
  plainInput,
} from '../calls/call.js';
import type { Refusal } from '../refusal.js';
import {
  beginPath,
  isMatch,
  parsePathPattern,
  stepPath,
  type PathPattern,
  type Progress,
} from '../search/pattern.js';
import { byCodeUnits, scan, type Cut } from '../search/scan.js';
import { insidePath, pathLine } from '../workspace/path.js';

/** `folders`: folders too, each with a slash at its end. */
const Input = z.strictObject({ pattern: z.string(), folders: z.boolean().optional() });

/** A path that fits. */
type Match = { readonly path: string; readonly isFolder: boolean };

/** Reads `"*.md"` or `{pattern, folders?}`. */
export const GLOB: ToolForm = toolForm(Input, 'pattern', ({ pattern: text, folders }) => {
  const pattern = parsePathPattern(text);
  if (pattern._tag === 'Left') return pattern;
  const said = (as: string): string =>
    folders === true ? canonicalInput({ folders, pattern: as }) : plainInput('pattern', as);
  return ok({
    input: said(text),
    about: aboutText(said(text.split('/').filter(isName).join('/'))),
    act: (context) => act(context, pattern.right, folders === true),
  });
});

function isName(part: string): boolean {
  return part !== '' && part !== '.';
}

async function act(context: CallContext, pattern: PathPattern, folders: boolean): Promise<Ended> {
  const found = await matches(context, pattern);
  if (found._tag === 'Left') return ended(found.left);
  const wanted = found.right.matches.filter(({ isFolder }) => folders || !isFolder);
  const lines = wanted.map(({ path, isFolder }) => pathLine(isFolder ? `${path}/` : path));
  return listed(context, lines, found.right.cut);
}

/** Files and folders that fit, by the code units of their paths. */
async function matches(
  context: CallContext,
  pattern: PathPattern,
): Promise<Result<Refusal, { readonly matches: readonly Match[]; readonly cut: Cut | null }>> {
  const found: Match[] = [];
  // Where the pattern stands in each folder that is open, the workspace first.
  const progress: Progress[] = [beginPath(pattern)];
  const scanned = await scan(
    context,
    { make: false, follow: true },
    insidePath([]),
    ({ path, name, look }) => {
      const depth = path.segments.length;
      const here = stepPath(pattern, progress[depth - 1] ?? new Set(), name);
      progress[depth] = here;
      if (isMatch(pattern, here)) found.push({ path: path.text, isFolder: look.isDirectory() });
      return Promise.resolve(ok({ down: here.size > 0 }));
    },
  );
  if (scanned._tag === 'Left') return err(scanned.left);
  return ok({
    matches: found.sort((left, right) => byCodeUnits(left.path, right.path)),
    cut: scanned.right.cut,
  });
}

/** Lines as an output, as many as are allowed; `truncated` says when they are not all. */
export function listed(context: CallContext, lines: readonly string[], cut: Cut | null): Ended {
  const not = cut ?? (lines.length > context.limits.results ? RESULT_LIMIT : null);
  const whole = done(
    lines
      .slice(0, context.limits.results)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return not === null ? whole : { ...whole, status: 'truncated', ...not };
}

const RESULT_LIMIT: Cut = { code: 'result_limit', why: null };
