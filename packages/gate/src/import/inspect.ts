/**
 * Logs of Inspect AI in their JSON form: a session a sample, whose approvals stand beside its calls. Source: gate/G18;
 * docs/formats/import.md.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import type { At, Format, Sink } from './session.js';
import { readIso } from './time.js';

/** The format. */
export const inspect: Format = {
  name: 'inspect',
  isRow: (row) => readText(readField(row, 'eval'), 'task') !== '',
  open: (sink) => (row, at) => {
    const log = readField(row, 'eval');
    const name = readText(log, 'run_id') || readText(log, 'task');
    for (const sample of listObjects(readField(row, 'samples'))) {
      const session = `${name}-${formatId(readField(sample, 'id'))}-${formatId(readField(sample, 'epoch') ?? 1)}`;
      const events = listObjects(readField(sample, 'events'));
      const rejected = new Set(
        events
          .filter(
            (event) => readText(event, 'event') === 'approval' && STOPS.includes(readText(event, 'decision')),
          )
          .map((event) => readText(readField(event, 'call'), 'id')),
      );
      const attachments = readField(sample, 'attachments');
      for (const event of events)
        if (readText(event, 'event') === 'tool')
          takeTool(sink, session, event, { at, rejected, attachments });
    }
    return null;
  },
};

const STOPS = ['reject', 'terminate'];

type Around = { readonly at: At; readonly rejected: ReadonlySet<string>; readonly attachments: Json };

function takeTool(
  sink: Sink,
  session: string,
  event: JsonObject,
  { at, rejected, attachments }: Around,
): void {
  const [id, tool] = [readText(event, 'id'), readText(event, 'function')];
  if (id === '' || tool === '') return sink.note('a tool event without a name or id');
  const given = readField(event, 'arguments');
  sink.add(session, {
    ...{ id, tool, file: at.file, line: at.line, said: null },
    at: readIso(readField(event, 'timestamp')),
    principal: readText(event, 'agent') || 'agent',
    input: given === null ? null : sink.keepInput(attach(given, attachments)),
  });
  if (readField(event, 'pending') === true) return;
  const error = readField(event, 'error');
  const by = rejected.has(id) || readText(error, 'type') === 'approval' ? 'policy' : null;
  const result = sink.keepResult(attach(isObject(error) ? error : readField(event, 'result'), attachments));
  sink.settle(session, id, {
    at: readIso(readField(event, 'completed')),
    isOk: !isObject(error),
    by,
    result,
  });
}

/** Long texts stand beside the events; a text that names one is that text. */
function attach(value: Json, attachments: Json): Json {
  if (typeof value === 'string') {
    const found = /^attachment:\/\/(\w{1,128})$/.exec(value)?.[1];
    return found === undefined ? value : readText(attachments, found) || value;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' ? attach(item, attachments) : item,
    ]),
  );
}

function formatId(id: Json | undefined): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : 'sample';
}
