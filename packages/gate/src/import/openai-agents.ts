/**
 * Spans of the OpenAI Agents SDK, as its exporter sends them: functions name neither their call nor the message that
 * it stood in. Source: gate/G18; docs/formats/import.md.
 *
 * @module
 */
import { isObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { readJsonText, type Format } from './session.js';
import { readIso } from './time.js';

/** The format. */
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
