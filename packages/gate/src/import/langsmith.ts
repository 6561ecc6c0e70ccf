/**
 * Runs of LangSmith. A run of a tool may hold its input as a text of Python; the model's own call, where there, is
 * JSON. Source: gate/G18; docs/formats/import.md.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { readJsonText, type Format, type Said } from './session.js';
import { readIso } from './time.js';

type Asked = { readonly args: Json; readonly said: Said | null };

/** The format. */
export const langsmith: Format = {
  name: 'langsmith',
  isRow: (row) => {
    const run = listObjects(readField(row, 'runs'))[0] ?? row;
    return readText(run, 'run_type') !== '' && readText(run, 'trace_id') !== '';
  },
  open(sink) {
    const asked = new Map<string, Asked>();
    return (row, at) => {
      for (const run of 'runs' in row ? listObjects(readField(row, 'runs')) : [row]) {
        const metadata = readField(readField(run, 'extra'), 'metadata');
        const outputs = readField(run, 'outputs');
        const model = readText(metadata, 'ls_model_name');
        if (readText(run, 'run_type') === 'llm')
          for (const message of listMessages(outputs, 0)) {
            const provider = readText(metadata, 'ls_provider') || null;
            const said = model === '' ? null : { provider, model, hash: at.hash(message) };
            for (const call of listObjects(readField(message, 'tool_calls'))) {
              const args =
                readField(call, 'args') ?? readJsonText(readField(readField(call, 'function'), 'arguments'));
              asked.set(readText(call, 'id'), { args, said });
            }
          }
        if (readText(run, 'run_type') !== 'tool') continue;
        const [own, tool] = [readText(run, 'id'), readText(run, 'name')];
        if (own === '' || tool === '') return 'tool without a name or id';
        const given = readField(outputs, 'output') ?? outputs;
        const output = readField(given, 'kwargs') ?? given;
        const callId = readText(output, 'tool_call_id');
        const result = sink.keepResult(readField(output, 'content') ?? output);
        const isOk = readText(run, 'error') === '' && readText(output, 'status') !== 'error';
        const [began, ended] = [readIso(readField(run, 'start_time')), readIso(readField(run, 'end_time'))];
        const plain = readPlainInput(readField(run, 'inputs'));
        const session = readText(run, 'trace_id') || at.file;
        // What the model said may stand after the tool's run.
        sink.later(() => {
          const { args = null, said = null } = asked.get(callId) ?? {};
          const input = args ?? plain;
          sink.add(session, {
            ...{ id: own, tool, at: began, file: at.file, line: at.line, said },
            principal: readText(metadata, 'langgraph_node') || 'agent',
            input: input === null ? null : sink.keepInput(input),
          });
          if (ended !== null) sink.settle(session, own, { at: ended, isOk, by: null, result });
        });
      }
      return null;
    };
  },
};

/** Messages with calls, however the outputs of a model are nested. */
function listMessages(value: Json, depth: number): readonly JsonObject[] {
  if (isArray(value)) return depth < 8 ? value.flatMap((item) => listMessages(item, depth + 1)) : [];
  if (!isObject(value) || depth >= 8) return [];
  if (listObjects(readField(value, 'tool_calls')).length > 0) return [value];
  return ['generations', 'messages', 'message', 'kwargs', 'choices', 'output'].flatMap((key) =>
    listMessages(readField(value, key), depth + 1),
  );
}

/** The input of a tool's run where it is JSON: a text of Python is none. */
function readPlainInput(inputs: Json): Json {
  const text = readField(inputs, 'input');
  if (typeof text !== 'string') return isObject(inputs) && Object.keys(inputs).length > 0 ? inputs : null;
  const value = readJsonText(text);
  return typeof value === 'string' ? null : value;
}
