/**
 * A language model as a port of the host: source `live_model`, bound here and never by the answer.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
} from '@ai-sdk/provider';
import {
  FAILURE_RULES,
  holdsSecret,
  maskedSecrets,
  RETRY_AFTER_MS_MAX,
  stringsIn,
  type Port,
  type PortAnswer,
  type PortCall,
  type RejectedAnswer,
} from '@assay/host';
import {
  cutText,
  field,
  isObject,
  isProposer,
  type Json,
  type JsonObject,
  type Request,
  type Spent,
} from '@assay/kernel';
import { answerIn, malformed, renderRaw, type AskedOf } from './answer.js';
import { failureIn, isFree, makePortError, type CallFailure } from './call-failure.js';
import { DEFAULT_PARAMETERS, describeSent, type Parameters } from './parameters.js';
import { makeMeter, spentFor, type Meter, type PriceTable } from './prices.js';
import {
  type Feedback,
  FEEDBACK_UNITS_MAX,
  hashValue,
  makeMessages,
  makeSchema,
  promptHash,
  shownData,
} from './task.js';
import type { OfferedTool, Task } from '@assay/kernel/prompt';
import { requestReply, type Reply } from './reply.js';

/** UTF-16 units of a raw answer that are kept in its record; its hash is of the whole. */
const RAW_UNITS_MAX = 262_144;

/**
 * How a model is asked. `provider` and `name`: as they are recorded and priced. `endpoint`: where it is,
 * recorded; null for the provider's own. `secrets`: texts that must not get into a record; in the endpoint
 * they read `***`. `tasks`: what it can be asked. `now`: milliseconds since
 * 1970. `waitMsMax`: of the wait that a busy server asks for, no more is waited, 600,000 by default.
 * `onWait`: told, where a server asks for a wait, how long it asks and how long is waited, in milliseconds.
 */
export type LlmOptions = {
  readonly model: LanguageModelV3;
  readonly provider: string;
  readonly name: string;
  readonly endpoint?: string | null;
  readonly secrets?: readonly string[];
  readonly tasks: readonly Task[];
  readonly parameters?: Parameters;
  readonly prices?: PriceTable | null;
  readonly now?: () => number;
  readonly waitMsMax?: number;
  readonly onWait?: (askedMs: number, waitMs: number) => void;
};

/**
 * The port. Its proposer is `llm:PROVIDER/NAME`. An answer that is none is the failure `malformed`, to be
 * tried again, with detail {code, path, text}; the next attempt is told of it. Codes: those of `answerJson`
 * and of the task, `no_call` (words, no call of a tool), `truncated` (the token limit), `answer_too_long`,
 * `cut_off` (the connection broke), `secret`. Final is `denied`: a refusal, {code: "refusal"}, or an answer
 * that declines in the form of its task, with the task's code. A call that fails is raised with its class.
 * Provenance: see docs/guides/models.md. Throws a RangeError if `llm:PROVIDER/NAME` is no name of a proposer
 * (at most 128 of A-Z a-z 0-9 . _ ~ : / @ + -), or holds a secret.
 */
export function llmPort(options: LlmOptions): Port {
  const asker = new Asker(options);
  const proposer = `llm:${options.provider}/${options.name}`;
  if (holdsSecret(proposer, options.secrets ?? []))
    throw new RangeError('llmPort: the name of the model holds a secret, and would stand in every record');
  if (!isProposer(proposer))
    throw new RangeError(
      `llmPort: expected a provider and a name that can stand in a proposer's name, got ${proposer}`,
    );
  return {
    source: 'live_model',
    proposer,
    perform: (request, call) => asker.perform(request, call),
    bound: (request) => asker.bound(request),
  };
}

/** `data`: what the task tells; `shown`: that, and the tools and the schema that cannot be sent as such. */
type Asked = AskedOf & {
  readonly data: Json;
  readonly shown: Json;
  readonly schema: JsonObject;
  readonly offered: readonly SentTool[] | null;
};
type SentTool = Omit<OfferedTool, 'schema'> & { readonly schema: JsonObject };

class Asker {
  private readonly options: LlmOptions;
  private readonly parameters: Parameters;
  private readonly meter: Meter;
  private readonly now: () => number;
  /** Until its server says otherwise. */
  private hasTools: boolean = true;
  private hasSchemas: boolean = true;

  constructor(options: LlmOptions) {
    this.options = options;
    this.parameters = options.parameters ?? DEFAULT_PARAMETERS;
    this.meter = makeMeter(options.prices ?? null, options.provider, options.name);
    this.now = options.now ?? Date.now;
  }

  async perform(request: Request, call: PortCall): Promise<PortAnswer> {
    const asked = this.asked(request);
    if (asked === null)
      return {
        failure: {
          code: 'unavailable',
          final: true,
          detail: { code: this.taskFor(request)?.missing ?? 'no_task', kind: request.kind },
        },
      };
    const feedback = findFeedback((await call.rejected?.()) ?? null);
    const sent = this.callOptions(asked, feedback, call);
    const evidence = this.evidence(asked, sent);
    const reply = await requestReply(this.options.model, sent);
    const failure = this.failureOf(reply);
    if (failure?.isOfTools === true && asked.offered !== null) {
      this.hasTools = false;
      return this.perform(request, call);
    }
    if (failure?.isOfFormat === true && asked.offered === null && this.hasSchemas) {
      this.hasSchemas = false;
      return this.perform(request, call);
    }
    // Where an answer had begun when the connection broke, a model was at work.
    const isCut =
      failure !== null && failure.class === 'refused' && (reply.isBegun || failure.status !== null);
    if (failure !== null && !failure.isTooLarge && !isCut) throw this.raised(failure, evidence);
    return this.answer(asked, request, reply, evidence);
  }

  /** Why a call failed: in the server's own words at any time, else only before a text or a call began. */
  private failureOf({ error, isSaid }: Reply): CallFailure | null {
    if (error === null || (isSaid && !error.isStated)) return null;
    const failure = failureIn(error.cause, this.now());
    return error.isStated ? { ...failure, class: failure.class ?? 'server_error' } : failure;
  }

  /**
   * The most that one attempt can cost: a token has at least one byte, and an answer at most the tokens it is
   * given.
   */
  bound(request: Request): Spent | null {
    const asked = this.asked(request);
    if (asked === null) return null;
    const { task, shown, schema, offered } = asked;
    const fixed = JSON.stringify(makeMessages(task.prompt, shown, { code: '', detail: null, text: '' }));
    // Some providers are sent the schema twice, as a format and in words; white space and framing take tokens
    // too.
    const input =
      countBytes(fixed) +
      2 * countBytes(JSON.stringify(offered ?? schema)) +
      3 * (FEEDBACK_UNITS_MAX + DETAIL_UNITS_MAX) +
      FRAMING_TOKENS;
    return spentFor(this.meter, { input, output: this.parameters.max_output_tokens });
  }

  /** Two tasks of one kind share its bodies among them. */
  private taskFor({ kind, body }: Request): Task | undefined {
    const tasks = this.options.tasks.filter((each) => each.kind === kind);
    return tasks.find((each) => each.data(body) !== null) ?? tasks[0];
  }

  private asked(request: Request): Asked | null {
    const task = this.taskFor(request);
    const data = task?.data(request.body) ?? null;
    if (task === undefined || data === null) return null;
    const schema = makeSchema(task.schema);
    const offered =
      task.tools?.(request.body).map((one) => ({ ...one, schema: makeSchema(one.schema) })) ?? null;
    if (offered !== null && this.hasTools) return { task, data, shown: data, schema, offered };
    const more: JsonObject = {
      ...(offered === null ? {} : { tools: offered }),
      ...(this.hasSchemas ? {} : { answer_as_json_by_this_schema: schema }),
    };
    return {
      ...{ task, data, schema, offered: null },
      shown: Object.keys(more).length === 0 ? data : { data, ...more },
    };
  }

  private callOptions(
    { task, shown, schema, offered }: Asked,
    feedback: Feedback | null,
    { key, signal }: PortCall,
  ): LanguageModelV3CallOptions {
    const { max_output_tokens, temperature, top_p, seed } = this.parameters;
    return {
      prompt: makeMessages(task.prompt, shown, feedback),
      ...(offered === null
        ? {
            responseFormat: this.hasSchemas
              ? { type: 'json', schema, name: task.prompt.name }
              : { type: 'json' },
          }
        : { tools: offered.map(asFunction), toolChoice: { type: 'required' } }),
      maxOutputTokens: max_output_tokens,
      ...(temperature === null ? {} : { temperature }),
      ...(top_p === null ? {} : { topP: top_p }),
      ...(seed === null ? {} : { seed }),
      abortSignal: signal,
      // For servers that know calls by it; the same after a crash.
      headers: { 'idempotency-key': sha256(key) },
      // What is asked is not kept by the provider for later calls.
      providerOptions: { openai: { store: false } },
    };
  }

  private evidence(
    { task: { prompt }, data, schema, offered }: Asked,
    { prompt: messages }: LanguageModelV3CallOptions,
  ): JsonObject {
    const { provider, name, endpoint, secrets = [] } = this.options;
    return {
      provider,
      model: name,
      model_asked: name,
      endpoint: endpoint === undefined || endpoint === null ? null : maskedSecrets(endpoint, secrets),
      date: new Date(this.now()).toISOString().slice(0, 10),
      prompt: { name: prompt.name, version: prompt.version, hash: promptHash(prompt) },
      data_hash: sha256(shownData(data)),
      messages_hash: hashValue({
        t: 'messages',
        messages: messages as unknown as Json,
        ...(offered === null ? { schema } : { tools: offered as unknown as Json }),
      }),
      parameters: describeSent(this.parameters),
    };
  }

  private raised(failure: CallFailure, evidence: JsonObject): Error {
    const { class: failureClass, status } = failure;
    const shortenText = (text: string | null): string | null =>
      text !== null && holdsSecret(text, this.options.secrets ?? []) ? null : text;
    const [said, words] = [shortenText(failure.said), shortenText(failure.words)];
    const { waitMsMax = RETRY_AFTER_MS_MAX, onWait } = this.options;
    const retryAfterMs = Math.min(failure.retryAfterMs, waitMsMax);
    if (failureClass !== null && FAILURE_RULES[failureClass].waits && retryAfterMs > 0)
      onWait?.(failure.retryAfterMs, retryAfterMs);
    const spent = isFree(failure) ? spentFor(this.meter, { input: 0, output: 0 }) : {};
    return makePortError(
      { ...failure, said, words, retryAfterMs },
      {
        spent,
        provenance: {
          ...evidence,
          failed: { class: failureClass, status, said, ...(words === null ? {} : { words }) },
        },
      },
    );
  }

  private answer(asked: Asked, request: Request, reply: Reply, evidence: JsonObject): PortAnswer {
    const { finish, usage, model, id, warnings } = reply;
    const cost = { at_us: this.now() * 1_000, spent: spentFor(this.meter, usage) };
    const { provenance, ...said } = this.told(asked, request, reply);
    // A server that sends back the key it was sent: nothing of that answer is kept but that it came. What is
    // read of it is looked at too, values and faults, since a text can write a key in ways that only its
    // reader undoes.
    const strings = [
      renderRaw(reply),
      model ?? '',
      id ?? '',
      finish?.raw ?? '',
      ...warnings,
      ...stringsIn(said),
    ];
    if (holdsSecret(strings.join('\n'), this.options.secrets ?? [], stringsIn(request.body).join('\n')))
      return {
        ...cost,
        provenance: { ...evidence, secret_withheld: true },
        failure: malformed({ code: 'secret', path: '', text: '' }),
      };
    return { ...said, ...cost, provenance: { ...evidence, ...provenance } };
  }

  /** What a reply stands for, and what is kept of it. */
  private told(
    asked: Asked,
    request: Request,
    reply: Reply,
  ): Pick<PortAnswer, 'value' | 'confidence' | 'failure'> & { readonly provenance: JsonObject } {
    const { finish, usage, model, id, warnings, isTooLong } = reply;
    const raw = renderRaw(reply).toWellFormed();
    const provenance: JsonObject = {
      model: model === null || model === '' ? this.options.name : cutText(model, NAME_UNITS_MAX),
      response_id: id === null ? null : cutText(id, NAME_UNITS_MAX),
      finish:
        finish === null
          ? null
          : {
              unified: finish.unified,
              raw: finish.raw === null ? null : cutText(finish.raw, NAME_UNITS_MAX),
            },
      usage: { input_tokens: usage.input, output_tokens: usage.output },
      warnings: warnings.map((warning) => cutText(warning, NAME_UNITS_MAX)),
      raw_response_hash: sha256(raw),
      raw_response: cutText(raw, RAW_UNITS_MAX),
      raw_response_units: raw.length,
      is_whole: !isTooLong,
    };
    const read = answerIn(asked, reply, request.body);
    if (read._tag === 'Left') return { failure: read.left, provenance };
    const { value, confidence, isWrapped } = read.right;
    return { value, confidence, provenance: { ...provenance, is_wrapped: isWrapped } };
  }
}

function asFunction({ name, description, schema }: SentTool): LanguageModelV3FunctionTool {
  return { type: 'function', name, description, inputSchema: schema };
}

/** Only an answer is told of again, not a call that failed on its way. */
function findFeedback(rejected: RejectedAnswer | null): Feedback | null {
  if (rejected === null) return null;
  const { proposal, rejection } = rejected;
  const provenance = field(proposal, 'provenance');
  const raw = isObject(provenance) ? field(provenance, 'raw_response') : undefined;
  if (typeof raw !== 'string') return null;
  // Of a failure the kernel says its code alone; what was wrong stands in the failure.
  const failure = field(proposal, 'failure');
  const detail =
    failure !== undefined && isObject(failure) ? (field(failure, 'detail') ?? null) : rejection.detail;
  return {
    code: rejection.code,
    detail: JSON.stringify(detail).length > DETAIL_UNITS_MAX ? null : detail,
    text: cutText(raw.trim(), FEEDBACK_UNITS_MAX),
  };
}

function countBytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

const FRAMING_TOKENS = 1_024;
const DETAIL_UNITS_MAX = 2_048;
const NAME_UNITS_MAX = 200;
