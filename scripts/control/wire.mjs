/**
 * What a scripted step looks like on the wire: of Anthropic, of OpenAI and of OpenAI-compatible servers, as a
 * stream of events or as one body.
 *
 * @module
 */

/** The answer where a step says nothing else. */
export const MODEL_SAID = 'synthetic-model-2026-01-01';

const NO_USAGE = { input: 0, output: 0 };
const COUNTS = { input: 120, output: 45 };

/** The events of a step, each with its data; `isPiece` where a connection may be cut before it. */
export function eventsOf(wire, step, body) {
  return EVENTS[wire](step, body);
}

/** The body of a step, for a call that asked for no stream. */
export function wholeOf(wire, step, body) {
  return JSON.stringify(WHOLE[wire](step, body));
}

/** An error in the middle of a stream. */
export function faultOf(wire, type) {
  const message = 'in the middle';
  if (wire === 'anthropic')
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`;
  if (wire === 'openai') {
    const error = { type, code: type, message, param: null };
    return `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 9, error })}\n\n`;
  }
  return `data: ${JSON.stringify({ error: { message, type, code: type } })}\n\n`;
}

const EVENTS = { anthropic: anthropicEvents, openai: openaiEvents, compatible: compatibleEvents };
const WHOLE = { anthropic: anthropicWhole, openai: openaiWhole, compatible: compatibleWhole };

/**
 * What a step says, in order: its text, then its calls. Models that Anthropic's package does not know by name
 * are asked for JSON by a tool of that name.
 */
function partsOf({ text, calls = [], finish = 'stop', bytes }, wire, body) {
  const isJsonTool =
    wire === 'anthropic' && finish === 'stop' && (body?.tools ?? []).some(({ name }) => name === 'json');
  const said = text === undefined && bytes === undefined ? [] : [{ tool: isJsonTool ? 'json' : null, text }];
  return [...said, ...calls.map(({ tool, input }) => ({ tool, text: input }))];
}

function* piecesOf(text = '', { pieces = 3, bytes }) {
  if (bytes !== undefined) {
    const block = 'x'.repeat(65_536);
    for (let sent = 0; sent < bytes; sent += block.length) yield block;
    return;
  }
  const size = Math.max(1, Math.ceil(text.length / pieces));
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

function anthropicReason(finish, parts) {
  if (finish === 'stop') return parts.some(({ tool }) => tool !== null) ? 'tool_use' : 'end_turn';
  return { length: 'max_tokens', refusal: 'refusal', filter: 'refusal' }[finish];
}

function anthropicMessage({ model = MODEL_SAID, usage = COUNTS }) {
  const output_tokens = usage?.output ?? 0;
  return {
    message: { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null },
    usage: { input_tokens: usage?.input ?? 0, output_tokens },
  };
}

function* anthropicEvents(step, body) {
  const { finish = 'stop', usage = COUNTS, fault } = step;
  const parts = partsOf(step, 'anthropic', body);
  const { message, usage: counted } = anthropicMessage(step);
  yield named('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...counted, output_tokens: 1 } },
  });
  for (const [index, { tool, text }] of parts.entries()) {
    yield named('content_block_start', {
      index,
      content_block:
        tool === null
          ? { type: 'text', text: '' }
          : { type: 'tool_use', id: `toolu_${index + 1}`, name: tool, input: {} },
    });
    for (const delta of piecesOf(text, step))
      yield {
        ...named('content_block_delta', {
          index,
          delta:
            tool === null
              ? { type: 'text_delta', text: delta }
              : { type: 'input_json_delta', partial_json: delta },
        }),
        isPiece: true,
      };
    if (fault !== undefined) return;
    yield named('content_block_stop', { index });
  }
  yield named('message_delta', {
    delta: { stop_reason: anthropicReason(finish, parts), stop_sequence: null },
    usage: { output_tokens: usage?.output ?? 0 },
  });
  yield named('message_stop', {});
}

function anthropicWhole(step, body) {
  const parts = partsOf(step, 'anthropic', body);
  const { message, usage } = anthropicMessage(step);
  const content = parts.map(({ tool, text }, index) =>
    tool === null
      ? { type: 'text', text }
      : { type: 'tool_use', id: `toolu_${index + 1}`, name: tool, input: JSON.parse(text) },
  );
  return { ...message, content, stop_reason: anthropicReason(step.finish ?? 'stop', parts), usage };
}

function openaiItem({ tool, text }, index, isDone) {
  const item = { id: `item_${index + 1}`, status: isDone ? 'completed' : 'in_progress' };
  return tool === null
    ? {
        ...item,
        type: 'message',
        role: 'assistant',
        content: isDone === 'whole' ? [{ type: 'output_text', text, annotations: [] }] : [],
      }
    : {
        ...item,
        type: 'function_call',
        call_id: `call_${index + 1}`,
        name: tool,
        arguments: isDone ? text : '',
      };
}

function openaiEnd({ finish = 'stop', model = MODEL_SAID, usage = COUNTS }) {
  const counts = usage ?? NO_USAGE;
  const reason = { length: 'max_output_tokens', filter: 'content_filter' }[finish];
  return {
    id: 'resp_1',
    created_at: 1_767_225_600,
    model,
    usage: { input_tokens: counts.input, output_tokens: counts.output },
    incomplete_details: reason === undefined ? null : { reason },
  };
}

function* openaiEvents(step) {
  const { finish = 'stop', model = MODEL_SAID, fault } = step;
  yield typed('response.created', {
    response: { id: 'resp_1', created_at: 1_767_225_600, model, service_tier: 'default' },
  });
  const kinds = {
    text: finish === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta',
    call: 'response.function_call_arguments.delta',
  };
  for (const [output_index, part] of partsOf(step, 'openai').entries()) {
    yield typed('response.output_item.added', { output_index, item: openaiItem(part, output_index, false) });
    for (const delta of piecesOf(part.text, step))
      yield {
        ...typed(part.tool === null ? kinds.text : kinds.call, {
          item_id: `item_${output_index + 1}`,
          output_index,
          content_index: 0,
          delta,
        }),
        isPiece: true,
      };
    if (fault !== undefined) return;
    yield typed('response.output_item.done', { output_index, item: openaiItem(part, output_index, true) });
  }
  const isCut = finish === 'length' || finish === 'filter';
  yield typed(isCut ? 'response.incomplete' : 'response.completed', { response: openaiEnd(step) });
}

function openaiWhole(step) {
  const parts = partsOf(step, 'openai');
  return { ...openaiEnd(step), output: parts.map((part, index) => openaiItem(part, index, 'whole')) };
}

function compatibleReason({ finish = 'stop', calls = [] }) {
  if (finish === 'stop' && calls.length > 0) return 'tool_calls';
  return { stop: 'stop', length: 'length', refusal: 'stop', filter: 'content_filter' }[finish];
}

function compatibleUsage({ usage = COUNTS }) {
  return usage === null
    ? null
    : { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 0 };
}

function* compatibleEvents(step) {
  const { finish = 'stop', model = MODEL_SAID, fault } = step;
  const chunk = (choices, more = {}) => ({
    data: {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_767_225_600,
      model,
      choices,
      ...more,
    },
  });
  const delta = (said) => chunk([{ index: 0, delta: said, finish_reason: null }]);
  yield delta({ role: 'assistant', content: '' });
  let index = -1;
  for (const { tool, text } of partsOf(step, 'compatible')) {
    if (tool !== null) {
      index += 1;
      yield delta({
        tool_calls: [
          { index, id: `call_${index + 1}`, type: 'function', function: { name: tool, arguments: '' } },
        ],
      });
    }
    for (const piece of piecesOf(text, step)) {
      const words = finish === 'refusal' ? { refusal: piece } : { content: piece };
      yield {
        ...delta(tool === null ? words : { tool_calls: [{ index, function: { arguments: piece } }] }),
        isPiece: true,
      };
    }
    if (fault !== undefined) return;
  }
  yield chunk([{ index: 0, delta: {}, finish_reason: compatibleReason(step) }]);
  const usage = compatibleUsage(step);
  if (usage !== null) yield chunk([], { usage });
  yield { data: '[DONE]' };
}

function compatibleWhole(step) {
  const { text = null, calls = [], finish, model = MODEL_SAID } = step;
  const words = finish === 'refusal' ? { content: null, refusal: text } : { content: text };
  const tool_calls = calls.map(({ tool, input }, index) => ({
    id: `call_${index + 1}`,
    type: 'function',
    function: { name: tool, arguments: input },
  }));
  const message = { role: 'assistant', ...words, ...(calls.length === 0 ? {} : { tool_calls }) };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model,
    choices: [{ index: 0, message, finish_reason: compatibleReason(step) }],
    usage: compatibleUsage(step),
  };
}

function named(event, data) {
  return { event, data: { type: event, ...data } };
}

function typed(type, data) {
  return { event: type, data: { type, sequence_number: 0, ...data } };
}
