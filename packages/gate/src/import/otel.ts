/**
 * OpenTelemetry as OTLP JSON: spans `execute_tool`, and calls of MCP clients. Arguments and results are opt-in there.
 * Source: gate/G18; docs/formats/import.md.
 *
 * @module
 */
import { define, isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { readJsonText, type At, type Format, type Sink } from './session.js';
import { readNanos } from './time.js';

type Span = { readonly span: JsonObject; readonly attributes: JsonObject; readonly at: At };

/** The format. */
export const otel: Format = {
  name: 'otel',
  isRow: (row) => listObjects(readField(row, 'resourceSpans')).length > 0,
  open(sink) {
    const ids = new Set<string>();
    return (row, at) => {
      for (const resource of listObjects(readField(row, 'resourceSpans')))
        for (const scope of listObjects(readField(resource, 'scopeSpans')))
          for (const span of listObjects(readField(scope, 'spans'))) {
            const attributes = readAttributes(span);
            if (!isExecution(attributes) && !isMcpCall(attributes)) continue;
            ids.add(readText(span, 'spanId'));
            // A call of an MCP client below the tool's own span is the same call.
            sink.later(() => {
              if (isExecution(attributes) || !ids.has(readText(span, 'parentSpanId')))
                tellCall(sink, { span, attributes, at });
            });
          }
      return 'resourceSpans' in row || 'resourceMetrics' in row || 'resourceLogs' in row ? null : '';
    };
  },
};

function isExecution(attributes: JsonObject): boolean {
  return readText(attributes, 'gen_ai.operation.name') === 'execute_tool' && !isMcpCall(attributes);
}

function isMcpCall(attributes: JsonObject): boolean {
  return readText(attributes, 'mcp.method.name') === 'tools/call';
}

function tellCall(sink: Sink, { span, attributes, at }: Span): void {
  const read = (name: string): string => readText(attributes, name);
  const id = read('gen_ai.tool.call.id') || readText(span, 'spanId');
  const tool = read('gen_ai.tool.name') || read('mcp.tool.name');
  if (id === '' || tool === '') return sink.note('a tool span without a name or id');
  const session = read('gen_ai.conversation.id') || read('mcp.session.id') || readText(span, 'traceId');
  const given = readField(attributes, 'gen_ai.tool.call.arguments');
  sink.add(session, {
    ...{ id, tool, file: at.file, line: at.line, said: null },
    at: readNanos(readField(span, 'startTimeUnixNano')),
    principal: read('gen_ai.agent.name') || 'agent',
    input: given === null ? null : sink.keepInput(readJsonText(given)),
  });
  const ended = readNanos(readField(span, 'endTimeUnixNano'));
  if (ended === null) return;
  const code = readField(readField(span, 'status'), 'code');
  const isOk = code !== 2 && code !== 'STATUS_CODE_ERROR' && read('error.type') === '';
  const result = sink.keepResult(readJsonText(readField(attributes, 'gen_ai.tool.call.result')));
  sink.settle(session, id, { at: ended, isOk, by: null, result });
}

function readAttributes(span: JsonObject): JsonObject {
  const found: { [key: string]: Json } = {};
  for (const each of listObjects(readField(span, 'attributes')))
    define(found, readText(each, 'key'), readAny(readField(each, 'value'), 0));
  return found;
}

/** A value of OTLP: integers stand as texts, lists and objects as lists of values. */
function readAny(value: Json, depth: number): Json {
  if (!isObject(value) || depth > DEPTH_MAX) return null;
  const [kind, inner] = Object.entries(value)[0] ?? ['', null];
  if (kind === 'intValue') return Number.isSafeInteger(Number(inner)) ? Number(inner) : inner;
  if (kind === 'arrayValue')
    return listObjects(readField(inner, 'values')).map((item) => readAny(item, depth + 1));
  if (kind !== 'kvlistValue') return inner;
  const found: { [key: string]: Json } = {};
  for (const each of listObjects(readField(inner, 'values')))
    define(found, readText(each, 'key'), readAny(readField(each, 'value'), depth + 1));
  return found;
}

const DEPTH_MAX = 64;
