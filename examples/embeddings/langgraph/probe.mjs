/**
 * `node probe.mjs postgres://…`: LangGraph's checkpoints in PostgreSQL, gone on from after an edit and with a
 * changed reducer. Prints one JSON document.
 */
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { add, ANSWERS, changed, FROM, print, seen, TO, versionsOf } from '../testing/probe.mjs';
import { sql } from '../testing/database.mjs';

const [, , url] = process.argv;
const NAMES = ['first', 'second', 'third'];

/**
 * Three nodes, one answer each; the graph stops before the third. `reduce` is the reducer of the channel
 * `total`.
 */
function graph(checkpointer, reduce, names = NAMES) {
  const builder = new StateGraph(
    Annotation.Root({ total: Annotation({ reducer: reduce, default: () => 0 }) }),
  );
  for (const [index, name] of names.entries()) builder.addNode(name, () => ({ total: ANSWERS[index] }));
  for (const [index, name] of names.entries()) builder.addEdge(index === 0 ? START : names[index - 1], name);
  return builder.addEdge(names[2], END).compile({ checkpointer, interruptBefore: names.slice(2) });
}

/** Runs two nodes, does something to the tables, and goes on from the checkpoint. */
async function wentOn(thread, reduce, edit, names) {
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  const config = { configurable: { thread_id: thread } };
  try {
    await graph(saver, add).invoke({}, config);
    await edit?.(thread);
    return (await graph(saver, reduce, names).invoke(null, config)).total;
  } finally {
    await saver.end();
  }
}

/** Alters the total where the last checkpoint of a thread has it. */
const edit = (thread) =>
  sql(url, "UPDATE checkpoint_blobs SET blob = $2 WHERE thread_id = $1 AND channel = 'total' AND blob = $3", [
    thread,
    String(ANSWERS[0] + TO),
    String(ANSWERS[0] + FROM),
  ]);

print({
  host: 'LangGraph',
  versions: versionsOf(import.meta.dirname, [
    '@langchain/langgraph',
    '@langchain/langgraph-checkpoint-postgres',
  ]),
  control: await seen(() => wentOn('control', add)),
  edited: await seen(() => wentOn('edited', add, edit)),
  changed: await seen(() => wentOn('changed', changed)),
  shape: await seen(() => wentOn('shape', add, undefined, ['first', 'second', 'last'])),
});
