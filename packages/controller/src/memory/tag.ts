/**
 * Tags: what a memory is about, as a space and an entity. Source: 002 §6b, §R2 "Tag derivation"; dec-M1,
 * dec-M5.
 */
import { compareText, cutText } from '@assay/kernel';
import { sized } from '@assay/kernel/shape';

/**
 * A tag. Micro-events: `tool:<name>` with `path:<target>`; of a tool as such or of an intent: with
 * `env:local`.
 */
export type TagName = { readonly space: string; readonly entity: string };

/** Ascending order of tags. */
export function byTag(a: TagName, b: TagName): number {
  return compareText(a.space, b.space) || compareText(a.entity, b.entity);
}

/** The entity of whatever concerns this machine and no single target. Source: 002 §6b. */
export const LOCAL = 'env:local';

/** Most UTF-16 units of a space. */
export const SPACE_UNITS_MAX = 256;
/** Most UTF-16 units of an entity: `path:` and a target of 4,096. */
export const ENTITY_UNITS_MAX = 4_101;

/** Most UTF-16 units of the content of a Megram. */
export const CONTENT_UNITS_MAX = 4_000;

/** The fields of a {@link TagName}, each by its shape. */
export const TAG_NAME = { space: sized(0, SPACE_UNITS_MAX), entity: sized(0, ENTITY_UNITS_MAX) };

/** What a tag is about; null for what no writer may use. */
export type TagKind = 'intent' | 'tool' | 'path';

const INTENT = 'intent:';
const TOOL = 'tool:';
const PATH = 'path:';

/** The tag of all tasks of an intent. */
export function intentTag(slug: string): TagName {
  return { space: cutText(INTENT + slug, SPACE_UNITS_MAX), entity: LOCAL };
}

/** The tag of a tool as such. Source: dec-M1. */
export function toolTag(tool: string): TagName {
  return { space: toolSpace(tool), entity: LOCAL };
}

/**
 * The tag of one target of a tool. A longer target than {@link ENTITY_UNITS_MAX} is cut: what begins alike is
 * remembered as one.
 */
export function pathTag(tool: string, target: string): TagName {
  return { space: toolSpace(tool), entity: cutText(PATH + target, ENTITY_UNITS_MAX) };
}

/** The space under which a tool and all its targets lie. */
export function toolSpace(tool: string): string {
  return cutText(TOOL + tool, SPACE_UNITS_MAX);
}

/** What a tag is about, or null where it is none of the three. */
export function tagKind({ space, entity }: TagName): TagKind | null {
  if (space.length > SPACE_UNITS_MAX || entity.length > ENTITY_UNITS_MAX) return null;
  if (space.startsWith(INTENT)) return entity === LOCAL ? 'intent' : null;
  if (!space.startsWith(TOOL) || space.length === TOOL.length) return null;
  return entity === LOCAL ? 'tool' : entity.startsWith(PATH) ? 'path' : null;
}

/** The tool a tag is about, or null for an intent. */
export function readTool({ space }: TagName): string | null {
  return space.startsWith(TOOL) ? space.slice(TOOL.length) : null;
}

/** The target a tag is about, or null where it is about none. */
export function readTarget({ entity }: TagName): string | null {
  return entity.startsWith(PATH) ? entity.slice(PATH.length) : null;
}

/**
 * The slug of an intent: its first three words, joined by `_`. ASCII capitals become small; words are
 * letters a–z, digits and code points above U+007F, which stay as they are. "" where there is no word.
 * The slug of a slug is itself. Source: dec-M5.
 */
export function intentSlug(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const point of `${text} `) {
    const small = point >= 'A' && point <= 'Z' ? String.fromCharCode(point.charCodeAt(0) + 32) : point;
    if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') || small > '\u007f') word += small;
    else if (word !== '') {
      words.push(word);
      word = '';
      if (words.length === SLUG_WORDS) break;
    }
  }
  return words.join('_');
}

const SLUG_WORDS = 3;
