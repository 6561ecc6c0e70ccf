/**
 * The options of `resume` for a stored task.
 *
 * @module
 */

/** The options of `resume` that a task may need. */
export type TaskOptions = {
  readonly workspace?: string;
  readonly shell: readonly string[];
  readonly confirm: readonly string[];
  readonly memory?: string;
};

/** The first of these options that is given; null where none is. */
export function taskOption({ workspace, shell, confirm, memory }: TaskOptions): string | null {
  const given = { workspace, shell: shell[0], confirm: confirm[0], memory };
  const found = Object.entries(given).find(([, value]) => value !== undefined);
  return found === undefined ? null : `--${found[0]} ${String(found[1])}`;
}
