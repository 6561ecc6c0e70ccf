/**
 * Sessions of Claude Code: lines of `~/.claude/projects`, one content block a line. Lines of resumed sessions stand
 * twice. Source: gate/G18; docs/formats/import.md.
 *
 * @module
 */
import type { Json, JsonObject } from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import type { At, End, Format, Sink } from './session.js';
import { readIso } from './time.js';

/** Types of lines that hold no call. */
const QUIET: ReadonlySet<string> = new Set([
  ...['summary', 'system', 'progress', 'attachment', 'file-history-snapshot', 'file-history-delta'],
  ...['queue-operation', 'last-prompt', 'custom-title', 'ai-title', 'agent-name', 'agent-color'],
  ...['agent-setting', 'mode', 'permission-mode', 'tag', 'pr-link'],
]);

/** How the results of calls begin that a person, or the settings there, refused. */
const BY_PERSON = [
  "The user doesn't want to",
  '[Request interrupted by user for tool use',
  'The user has declined this action',
  'Permission for this action was declined',
  'The agent proposed a plan that was rejected',
];
const BY_POLICY =
  /^(?:Permission (?:to use .{1,200} has been|for this (?:tool use|action) was) denied|This action was blocked)/s;

/** The format. */
export const claudeCode: Format = {
  name: 'claude-code',
  isRow: (row) =>
    readText(row, 'type') !== '' &&
    ['sessionId', 'leafUuid', 'parentUuid', 'messageId'].some((key) => readText(row, key) !== ''),
  open(sink) {
    const seen = new Set<string>();
    let session = '';
    return (row, at) => {
      const type = readText(row, 'type');
      session = readText(row, 'sessionId') || session;
      if (QUIET.has(type)) return null;
      const message = readField(row, 'message');
      if ((type !== 'assistant' && type !== 'user') || message === null) return type;
      const blocks = listObjects(readField(message, 'content')).filter(isOfTool);
      if (blocks.length === 0) return null;
      const uuid = readText(row, 'uuid');
      if (seen.has(uuid)) {
        sink.note('a line that stands twice');
        return null;
      }
      if (uuid !== '') seen.add(uuid);
      const line = { row, message, session: session || at.file };
      return blocks.every((block) => takeBlock(sink, line, block, at))
        ? null
        : `${type} without a name or id`;
    };
  },
};

function isOfTool(block: JsonObject): boolean {
  return /^(?:[a-z_]+_)?tool_(?:use|result)$/.test(readText(block, 'type'));
}

type Line = { readonly row: JsonObject; readonly message: Json; readonly session: string };

/** False for a block without what a call needs. */
function takeBlock(sink: Sink, { row, message, session }: Line, block: JsonObject, at: At): boolean {
  const time = readIso(readField(row, 'timestamp'));
  if (readText(block, 'type').endsWith('tool_result')) {
    sink.settle(session, readText(block, 'tool_use_id'), readEnd(sink, block, time));
    return true;
  }
  const [id, tool] = [readText(block, 'id'), readText(block, 'name')];
  if (id === '' || tool === '') return false;
  const model = readText(message, 'model');
  sink.add(session, {
    ...{ id, tool, at: time, file: at.file, line: at.line },
    principal:
      readField(row, 'isSidechain') === true ? `agent-${readText(row, 'agentId') || 'side'}` : 'main',
    input: sink.keepInput(readField(block, 'input')),
    said: model === '' ? null : { provider: 'anthropic', model, hash: at.hash(message) },
  });
  return true;
}

function readEnd(sink: Sink, block: JsonObject, at: number | null): End {
  const content = readField(block, 'content');
  const isOk = readField(block, 'is_error') !== true;
  const said =
    typeof content === 'string'
      ? content
      : listObjects(content)
          .map((each) => readText(each, 'text'))
          .join('\n');
  const by = isOk
    ? null
    : BY_PERSON.some((words) => said.startsWith(words))
      ? 'person'
      : BY_POLICY.test(said)
        ? 'policy'
        : null;
  return { at, isOk, by, result: sink.keepResult(content) };
}
