/** The tool `find_files`: files by what is known of them. Source: 003 §R3, place 1, beside `mdfind`. */
import { ok, type Json, type Result } from '@assay/kernel';
import * as z from 'zod';
import { readErrno } from '@assay/host/files';
import {
  type CallContext,
  ended,
  type Ended,
  toolForm,
  type ToolForm,
  canonicalInput,
} from '../calls/call.js';
import type { Refusal } from '../refusal.js';
import { contains, computeDigest, readingFor, type Budget } from '../search/contents.js';
import { matchesName, parseNamePattern, type NamePattern } from '../search/pattern.js';
import { byCodeUnits, scan, unreadable, type Cut, type Entry } from '../search/scan.js';
import { withSpot } from '../workspace/descend.js';
import { parsePath, type InsidePath } from '../workspace/path.js';
import { listed } from './glob.js';

const Whole = z.int().min(0);

/**
 * All filters given must hold. `name`: a pattern of the name. `ext`: without its dot, ASCII case does not
 * matter. `contains`: these characters, as UTF-8, exactly. Sizes in bytes, both ends included; times in
 * milliseconds since 1970, both ends included. `limit`: so many lines, after sorting; a limit that was asked
 * for cuts nothing off in the sense of `truncated`. `except`: not the file at this path, through whatever
 * links its folders lead; nothing where nothing is there. `digests`: each line says the SHA-256 of its file
 * too; what is read for it counts as searched.
 */
const Input = z.strictObject({
  under: z.string().optional(),
  name: z.string().optional(),
  ext: z.string().min(1).optional(),
  contains: z.string().min(1).optional(),
  min_size: Whole.optional(),
  max_size: Whole.optional(),
  modified_from: Whole.optional(),
  modified_to: Whole.optional(),
  sort: z.enum(['path', 'size', 'mtime']).optional(),
  order: z.enum(['up', 'down']).optional(),
  limit: z.int().min(1).optional(),
  digests: z.literal(true).optional(),
  except: z.string().optional(),
});

type FindInput = z.infer<typeof Input>;

type Found = {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly sha256: string | null;
};
type Search = {
  readonly asked: FindInput;
  readonly name: NamePattern | null;
  readonly under: InsidePath;
  readonly except: InsidePath | null;
};

/** Reads `"*.md"` (a pattern of the name) or an object of filters. */
export const FIND_FILES: ToolForm = toolForm(Input, 'name', (asked) => {
  const under = parsePath(asked.under ?? '.');
  if (under._tag === 'Left') return under;
  const name = asked.name === undefined ? null : parseNamePattern(asked.name);
  if (name?._tag === 'Left') return name;
  const except = asked.except === undefined ? null : parsePath(asked.except);
  if (except?._tag === 'Left') return except;
  const search: Search = {
    asked,
    name: name?.right ?? null,
    under: under.right,
    except: except?.right ?? null,
  };
  const sought = [search.under, ...(search.except === null ? [] : [search.except])];
  const say = (places: readonly (string | null)[]): string => {
    const [at, not] = sought.map(({ text }, index) => places[index] ?? text);
    return canonicalInput(canonicalizeInput(asked, at ?? '.', not ?? null));
  };
  return ok({
    input: say([]),
    about: { sought, follow: true, say },
    act: (context) => act(context, search),
  });
});

/** What is asked, said in one way: defaults are left out, paths are canonical. */
function canonicalizeInput(asked: FindInput, under: string, except: string | null): Json {
  const said: [string, Json][] = [];
  for (const [key, value] of Object.entries(asked))
    if (value !== undefined && key !== 'under' && key !== 'except')
      said.push([key, key === 'ext' ? extension(String(value)) : value]);
  if (under !== '.') said.push(['under', under]);
  if (except !== null) said.push(['except', except]);
  const defaults = new Map<string, Json>([
    ['sort', 'path'],
    ['order', 'up'],
  ]);
  return Object.fromEntries(said.filter(([key, value]) => defaults.get(key) !== value));
}

async function act(context: CallContext, search: Search): Promise<Ended> {
  const found: Found[] = [];
  const { contains: text, digests } = search.asked;
  const budget: Budget = { left: context.limits.searchBytes };
  const reading = text === undefined ? null : readingFor(Buffer.from(text, 'utf8'), budget);
  let cut: Cut | null = null;
  const except = search.except === null ? ok(null) : await resolvePlace(context, search.except);
  if (except._tag === 'Left') return ended(except.left);
  const scanned = await scan(
    context,
    { make: false, follow: true, found: context.aim.at(0) },
    search.under,
    async (entry) => {
      if (entry.look.isDirectory()) return ok({ down: true });
      if (entry.path.text === except.right || !isMeant(search, entry)) return ok({ down: false });
      const wanted =
        reading === null
          ? ok('yes' as const)
          : await looked(() => contains(context, entry, reading), 'no', 'unknown');
      if (wanted._tag === 'Left') return wanted;
      const isWanted = wanted.right === 'yes';
      const digest =
        isWanted && digests === true
          ? await looked(() => computeDigest(context, entry, budget), 'gone', null)
          : ok('none');
      if (digest._tag === 'Left') return digest;
      if (wanted.right === 'unknown' || digest.right === null)
        cut ??= budget.left === 0 ? { code: 'search_limit', why: null } : unreadable(entry.path);
      else if (isWanted && digest.right !== 'gone')
        found.push({
          path: entry.path.text,
          size: entry.look.size,
          mtime: entry.look.mtimeMs,
          sha256: digest.right === 'none' ? null : digest.right,
        });
      return ok({ down: false });
    },
  );
  if (scanned._tag === 'Left') return ended(scanned.left);
  const lines = found
    .sort(makeOrder(search.asked))
    .map(({ path, size, mtime, sha256 }) =>
      JSON.stringify({ path, size, mtime_ms: mtime, ...(sha256 === null ? {} : { sha256 }) }),
    );
  return listed(context, lines.slice(0, search.asked.limit), scanned.right.cut ?? cut);
}

/**
 * Where in the workspace a path leads, as a walk comes by it; null where nothing of the workspace can be
 * there.
 */
async function resolvePlace(context: CallContext, path: InsidePath): Promise<Result<Refusal, string | null>> {
  const place = await withSpot(
    context.workspace,
    path,
    { make: false, follow: false, found: context.aim.at(1) },
    (spot) => Promise.resolve(ok(spot.path.text)),
  );
  return place._tag === 'Left' && NOWHERE.has(place.left.code) ? ok(null) : place;
}

const NOWHERE: ReadonlySet<string> = new Set([
  'not_found',
  'not_a_folder',
  'leaves_workspace',
  'symlink_loop',
]);

function isMeant({ asked, name }: Search, { name: own, look }: Entry): boolean {
  return (
    (name === null || matchesName(name, own)) &&
    (asked.ext === undefined || findExtension(own) === extension(asked.ext)) &&
    look.size >= (asked.min_size ?? 0) &&
    look.size <= (asked.max_size ?? Infinity) &&
    Math.floor(look.mtimeMs) >= (asked.modified_from ?? -Infinity) &&
    Math.floor(look.mtimeMs) <= (asked.modified_to ?? Infinity)
  );
}

/**
 * Looks into a file: `gone` where it is not there any more, `shut` where the system does not let it be read.
 */
async function looked<T, G, S>(
  look: () => Promise<Result<Refusal, T>>,
  gone: G,
  shut: S,
): Promise<Result<Refusal, T | G | S>> {
  try {
    return await look();
  } catch (error) {
    const errno = readErrno(error);
    if (errno === 'ENOENT') return ok(gone);
    if (errno === 'EACCES' || errno === 'EPERM' || errno === 'ELOOP') return ok(shut);
    throw error;
  }
}

function makeOrder({ sort = 'path', order = 'up' }: FindInput): (left: Found, right: Found) => number {
  const sign = order === 'up' ? 1 : -1;
  // Equal sizes and times stand by their paths, upward, whatever the order.
  return (left, right) =>
    sort === 'path'
      ? sign * byCodeUnits(left.path, right.path)
      : sign * (left[sort] - right[sort]) || byCodeUnits(left.path, right.path);
}

/** What stands after the last dot, in small ASCII letters; a name that only begins with a dot has none. */
function findExtension(name: string): string | null {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? null : extension(name.slice(dot));
}

function extension(text: string): string {
  return text.replace(/^\./, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
