/**
 * Which calls a plan declares: its tool and what it is called on, read in one way by the machine and by an
 * executor. Source: 003 §R2, §R3; dec-G21.
 *
 * @module
 */
import { admit } from '@assay/kernel';
import { objectIn, onePathOf, pathOfCut, TEXTS } from './inputs.js';
import { ANY_TARGET } from './plan.js';
import { collapsed, isLonePath } from './paths.js';
import type { Target } from './tools.js';

/**
 * True where `uses` names the tool with `*`, with this very input, with the same file said in another way
 * (`./a//b` is `a/b`, also in an object's `path`, `from` and `to`, and as the one member of an object, where
 * a tool takes that member as a text alone), or with the one file that an input of several members is about.
 * What is declared is no pattern: `out/*` is a file of that name. White space is part of a name here, unlike
 * where an input is blocked: to read too much into a block is safe, into a declaration not.
 */
export function isDeclared({ tool, target }: Target, uses: readonly Target[]): boolean {
  const said = readingOf(target);
  const path = fileOf(target);
  const about: Reading | null = path === null ? null : { key: 'path', text: path };
  return uses.some((use) => {
    if (use.tool !== tool) return false;
    if (use.target === ANY_TARGET || use.target === target) return true;
    const declared = readingOf(use.target);
    return isSame(declared, said) || (about !== null && isSame(declared, about));
  });
}

/**
 * An input with its paths said in one way. `key`: the one member of an object that this is the text of; null
 * for a text alone, which may be any of them; "" for an object of several.
 */
type Reading = { readonly key: string | null; readonly text: string };

function isSame(one: Reading, other: Reading): boolean {
  return one.text === other.text && (one.key === other.key || one.key === null || other.key === null);
}

/** A line, and what else is not read, stays letter by letter what it is. */
function readingOf(target: string): Reading {
  const object = objectIn(target);
  if (object === null) return { key: null, text: isLonePath(target) ? collapsed(target) : target };
  const [only, ...more] = Object.entries(object);
  if (
    only !== undefined &&
    more.length === 0 &&
    typeof only[1] === 'string' &&
    (TEXTS.has(only[0]) || only[0] === 'command')
  )
    return { key: only[0], text: TEXTS.has(only[0]) && isLonePath(only[1]) ? collapsed(only[1]) : only[1] };
  const plain = admit(
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        typeof value === 'string' && PATHS.has(key) ? collapsed(value) : value,
      ]),
    ),
  );
  return { key: '', text: plain._tag === 'Left' ? target : plain.right.text };
}

/**
 * The one file that an input is about: a plan may know it before it knows the rest. Null for a move and a
 * list, which are about several.
 */
function fileOf(target: string): string | null {
  const object = objectIn(target);
  const path = object === null ? pathOfCut(target) : onePathOf(object);
  return path === null ? null : collapsed(path);
}

const PATHS: ReadonlySet<string> = new Set(['path', 'from', 'to']);
