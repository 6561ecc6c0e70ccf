/**
 * What a memory comes to at a moment, as a document: one row for each tag.
 *
 * @module
 */
import {
  chooseAction,
  megramsIn,
  potentialsOfTag,
  listTags,
  type Action,
  type MemoryPolicy,
  type Shelf,
  type Tag,
} from '../memory/index.js';

/** A tag at a moment. Potentials in units of 10^-9 of a whole Megram. */
type TagRow = {
  readonly space: string;
  readonly entity: string;
  readonly m: number;
  readonly k: number;
  readonly c: number;
  readonly attention_nano: number;
  readonly decision_nano: number;
  readonly action: Action;
};

/** The row of a tag. */
function tagRow(tag: Tag, policy: MemoryPolicy, at_us: number): TagRow {
  const levels = [...megramsIn(tag)].map(({ level }) => level);
  const count = (layer: string): number => levels.filter((level) => level === layer).length;
  const potentials = potentialsOfTag(tag, at_us);
  return {
    space: tag.space,
    entity: tag.entity,
    m: count('M'),
    k: count('K'),
    c: count('C'),
    ...potentials,
    action: chooseAction(potentials, policy),
  };
}

/** The rows of all tags, in ascending order of space and entity. */
export function tagRows(shelf: Shelf, policy: MemoryPolicy, at_us: number): readonly TagRow[] {
  return listTags(shelf).map((tag) => tagRow(tag, policy, at_us));
}
