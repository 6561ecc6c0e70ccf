/**
 * What the workflow has done outside. Temporal may run an activity more than once: the till gets a key, and a
 * group that is stored already is stored.
 */

/** `answers`: {next, approval, pay}, by the kind of a request. */
export function activities(store, answers) {
  const append = async (runId, before, records) => {
    const appended = await store.append(runId, before, records);
    const last = records.at(-1).record_hash;
    const isStored =
      appended._tag === 'Right' ||
      (appended.left.code === 'stale_head' && appended.left.actual?.hash === last);
    if (!isStored) throw new Error(`append: ${appended.left.code}`);
  };
  return { append, ...answers };
}
