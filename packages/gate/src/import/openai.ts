/**
 * What OpenAI's SDKs write: items of the Responses API and messages of chat completions, and spans of the Agents SDK.
 * Source: gate/G18; docs/formats/import.md.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { readJsonText, type Format } from './session.js';
import { readIso, readSeconds } from './time.js';

const LISTS = ['input', 'output', 'messages', 'choices', 'items', 'data'];

/** A request, an answer, or the list of a conversation. */
export const openaiItems: Format = {
  name: 'openai-items',
  isRow: (row) => listItems(row).some(isItem),
  open: (sink) => (row, at) => {
    const model = readText(row, 'model');
    const time = readSeconds(readField(row, 'created_at')) ?? readSeconds(readField(row, 'created'));
    const session = readText(row, 'conversation') || readText(row, 'session_id') || at.file;
    const items = listItems(row);
    for (const item of items) {
      for (const { id, tool, given } of listCalls(item))
        sink.add(session, {
          ...{ id, tool, principal: 'agent', at: time, file: at.file, line: at.line },
          input: given === null ? null : sink.keepInput(readJsonText(given)),
          said: model === '' ? null : { provider: 'openai', model, hash: at.hash(item) },
        });
      if (!isResult(item)) continue;
      const result = sink.keepResult(readField(item, 'output') ?? readField(item, 'content'));
      const isOk = readText(item, 'status') !== 'failed' && readText(item, 'error') === '';
      const id = ['call_id', 'tool_call_id', 'id']
        .map((key) => readText(item, key))
        .find((each) => each !== '');
      sink.settle(session, id ?? '', { at: null, isOk, by: null, result });
    }
    return items.some(isItem) ? null : readText(row, 'type');
  },
};

/** The items of a row: of its lists, of its choices, or itself. */
function listItems(row: JsonObject): readonly JsonObject[] {
  const inner = LISTS.flatMap((key) => listObjects(readField(row, key))).map((item) => {
    const message = readField(item, 'message');
    return isObject(message) ? message : item;
  });
  return inner.length > 0 ? inner : [row];
}

type Brought = { readonly id: string; readonly tool: string; readonly given: Json };

/** The calls of an item: itself, or those of a message. */
function listCalls(item: JsonObject): readonly Brought[] {
  const own = /^(?:function|custom_tool|mcp)_call$/.test(readText(item, 'type')) ? [item] : [];
  const calls = [...own, ...listObjects(readField(item, 'tool_calls'))].map((call) => {
    const named = readField(call, 'function') ?? readField(call, 'custom') ?? call;
    const given = readField(named, 'arguments') ?? readField(named, 'input');
    return { id: readText(call, 'call_id') || readText(call, 'id'), tool: readText(named, 'name'), given };
  });
  return calls.filter(({ id, tool }) => id !== '' && tool !== '');
}

function isResult(item: JsonObject): boolean {
  const type = readText(item, 'type');
  const isOutput = /^(?:function|custom_tool)_call_output$/.test(type);
  // A call that the provider made holds what came of it.
  const isMade = type === 'mcp_call' && ['output', 'error'].some((key) => readText(item, key) !== '');
  return isOutput || isMade || (readText(item, 'role') === 'tool' && readText(item, 'tool_call_id') !== '');
}

function isItem(item: JsonObject): boolean {
  const isMessage =
    ['system', 'developer', 'user', 'assistant'].includes(readText(item, 'role')) && 'content' in item;
  return isMessage || listCalls(item).length > 0 || isResult(item);
}

/** As its exporter sends them: functions name neither their call nor the message that it stood in. */
export const openaiAgents: Format = {
  name: 'openai-agents',
  isRow: (row) =>
    ['trace.span', 'trace'].includes(readText(listObjects(readField(row, 'data'))[0] ?? row, 'object')),
  open(sink) {
    const agents = new Map<string, string>();
    const parents = new Map<string, string>();
    /** An agent ends after what it called: who called is looked up at the end. */
    const findAgent = (span: string): string => {
      let at = span;
      for (let steps = 0; steps < STEPS_MAX && at !== ''; steps += 1) {
        const name = agents.get(at);
        if (name !== undefined) return name;
        at = parents.get(at) ?? '';
      }
      return 'agent';
    };
    return (row, at) => {
      const spans = 'data' in row ? listObjects(readField(row, 'data')) : [row];
      for (const span of spans) {
        const object = readText(span, 'object');
        if (object !== 'trace.span' && object !== 'trace') sink.note(`a row of type ${object.slice(0, 40)}`);
        if (object !== 'trace.span') continue;
        const data = readField(span, 'span_data');
        const [id, parent, type] = [
          readText(span, 'id'),
          readText(span, 'parent_id'),
          readText(data, 'type'),
        ];
        parents.set(id, parent);
        if (type === 'agent') agents.set(id, readText(data, 'name'));
        if (type !== 'function') continue;
        const tool = readText(data, 'name');
        if (tool === '' || id === '') return 'function without a name or id';
        const session = readText(span, 'trace_id') || at.file;
        const input = sink.keepInput(readJsonText(readField(data, 'input')));
        const isKnown = readField(data, 'input') !== null;
        const [began, ended] = [readIso(readField(span, 'started_at')), readIso(readField(span, 'ended_at'))];
        const result = sink.keepResult(readField(data, 'output'));
        const isOk = !isObject(readField(span, 'error'));
        sink.later(() => {
          const call = { id, tool, principal: findAgent(parent), at: began, file: at.file, line: at.line };
          sink.add(session, { ...call, input: isKnown ? input : null, said: null });
          if (ended !== null) sink.settle(session, id, { at: ended, isOk, by: null, result });
        });
      }
      return null;
    };
  },
};

/** Spans above a span that are looked at. */
const STEPS_MAX = 100;
