/** One call to a server, from its connection to what is proposed: what tools and resources have in common. */
import { createHash } from 'node:crypto';
import {
  holdsSecret,
  maskedSecrets,
  PortError,
  type Port,
  type PortAnswer,
  type PortCall,
} from '@assay/host';
import {
  cutText,
  isProposer,
  type Digest,
  type Failure,
  type Json,
  type JsonObject,
  type Request,
  type Result,
} from '@assay/kernel';
import type { AnswerFault } from '@assay/kernel/prompt';
import { failureIn, Guard, otherVersionIn } from './guard.js';
import {
  type Declared,
  type DeclaredError,
  during,
  hashValue,
  type McpServer,
  type Session,
} from './session.js';
import { findEndpoint, listSecrets, type McpPlace } from './child.js';
import { memberFault, parsed } from './watched-fetch.js';

/** What a server must be and declare. `server`: null where any will do. */
export type McpPin = { readonly schemaHash: Digest; readonly server: McpServer | null };

/**
 * What a call brought. `structured`: the structured content; `text`: all texts, with a line feed between
 * them; `json`: the value of that text where it is JSON without a member twice, else null.
 */
type McpAnswer = { readonly structured: JsonObject | null; readonly text: string; readonly json: Json };

/** Reads an answer as the value to propose; the machine parses it all the same. */
type ReadAnswer = (answer: McpAnswer, request: Request) => Result<AnswerFault, Json>;

/**
 * What both kinds of port take. `label`: what the server is called here, part of the proposer's name. `pin`:
 * what must not have changed; null, the default, for what the first call finds. `timeoutMs`: of a request,
 * ten minutes by default. `now`: milliseconds since 1970.
 */
export type McpPortOptions = {
  readonly place: McpPlace;
  readonly label: string;
  readonly pin?: McpPin | null;
  readonly read?: ReadAnswer;
  readonly timeoutMs?: number;
  readonly now?: () => number;
};

/** UTF-16 units of a raw answer that are kept in its record; its hash is of the whole. */
export const RAW_UNITS_MAX = 262_144;
const TEXT_UNITS_MAX = 240;
const TIMEOUT_MS = 600_000;

/** What came of asking: the whole result as it came, and what is in it. `fault`: of its form. */
export type Came = {
  readonly raw: Json;
  readonly answer: Omit<McpAnswer, 'json'>;
  readonly isError: boolean;
  readonly fault: AnswerFault | null;
};

/**
 * A thing to ask. `subject`: what it is, for the record, and what was sent. Null: this request cannot be put
 * to it.
 */
export type Question = {
  readonly subject: JsonObject;
  readonly sent: Json;
  readonly declare: (session: Session) => Promise<Result<DeclaredError, Declared>>;
  readonly ask: (session: Session, declared: Declared) => Promise<Came>;
};

/**
 * A port that puts each request as a question. Throws a RangeError where `proposer` is no name of one, or
 * holds a secret of the place; a TypeError where the place is none.
 */
export function makePort(
  proposer: string,
  options: McpPortOptions,
  question: (request: Request, call: PortCall) => Question | null,
): Port {
  if (!isProposer(proposer))
    throw new RangeError(
      `mcp: expected a label and a name that can stand in a proposer's name, got ${proposer}`,
    );
  if (holdsSecret(proposer, listSecrets(options.place)))
    throw new RangeError(
      'mcp: the label, or the name of the tool, holds a value of env or headers, and would stand in every record',
    );
  const asker = new Asker(options);
  return {
    source: 'tool',
    proposer,
    perform: (request, call) => asker.perform(request, call, question(request, call)),
  };
}

class Asker {
  private readonly options: McpPortOptions;
  private readonly endpoint: string | null;
  private readonly secrets: readonly string[];
  private pin: McpPin | null;

  constructor(options: McpPortOptions) {
    this.options = options;
    this.secrets = listSecrets(options.place);
    const endpoint = findEndpoint(options.place);
    this.endpoint = endpoint === null ? null : maskedSecrets(endpoint, this.secrets);
    this.pin = options.pin ?? null;
  }

  async perform(request: Request, { signal }: PortCall, question: Question | null): Promise<PortAnswer> {
    if (question === null)
      return {
        failure: { code: 'unavailable', final: true, detail: { code: 'no_question', kind: request.kind } },
      };
    const { place, timeoutMs = TIMEOUT_MS } = this.options;
    const guard = new Guard(place);
    let evidence: JsonObject = {
      transport: 'url' in place ? 'http' : 'stdio',
      endpoint: this.endpoint,
      ...maskedSubject(question.subject, this.secrets),
      sent_hash: hashValue(question.sent),
    };
    try {
      return await during(guard, { signal, timeoutMs }, async (session) => {
        const { server } = session;
        if (this.isSecret(`${server.name} ${server.version}`)) return this.withheld(evidence);
        evidence = { ...evidence, server, protocol: guard.protocol };
        const declared = await question.declare(session);
        if (declared._tag === 'Left')
          return this.failed(evidence, {
            code: declared.left.code === 'no_such_tool' ? 'unavailable' : 'malformed',
            final: true,
            detail: { code: declared.left.code },
          });
        const { schemaHash } = declared.right;
        evidence = { ...evidence, schema_hash: schemaHash };
        const changed = this.changed(schemaHash, server);
        if (changed !== null) return this.failed(evidence, changed);
        this.pin ??= { schemaHash, server };
        return this.answer(request, evidence, await question.ask(session, declared.right), guard.strays);
      });
    } catch (error) {
      const { class: failureClass, code, fault } = failureIn(error, signal.aborted ? null : guard.fault);
      const { strays, firstStray } = guard;
      if (this.isSecret(firstStray)) return this.withheld(evidence);
      const provenance = {
        ...evidence,
        failed: { class: failureClass, code, fault },
        ...(strays === 0 ? {} : { strays, first_stray: firstStray }),
      };
      // Said by the guard, which knows why; of what the server sent the first stray line is kept, or its version.
      if (failureClass === 'malformed') {
        const version = otherVersionIn(error);
        const said = { code: version === null ? (fault ?? 'protocol') : 'protocol_version', path: '' };
        const failure = malformed({ ...said, text: version ?? firstStray });
        return { ...this.failed(evidence, strays === 0 ? failure : counted(failure, strays)), provenance };
      }
      const message = `the MCP server gave no answer${code === null ? '' : ` (code ${code})`}`;
      if (failureClass === null) throw Object.assign(new Error(message), { provenance });
      throw new PortError(failureClass, { message, provenance });
    }
  }

  /** Nothing is called where what is declared, or who says so, is not what it was. */
  private changed(found: Digest, server: McpServer): Failure | null {
    const { pin } = this;
    if (pin === null) return null;
    if (pin.schemaHash !== found)
      return {
        code: 'denied',
        final: true,
        detail: { code: 'schema_changed', pinned: pin.schemaHash, found },
      };
    const known = pin.server;
    return known === null || (known.name === server.name && known.version === server.version)
      ? null
      : {
          code: 'denied',
          final: true,
          detail: { code: 'server_changed', pinned: { ...known }, found: { ...server } },
        };
  }

  private answer(
    request: Request,
    evidence: JsonObject,
    { raw, answer, isError, fault }: Came,
    strays: number,
  ): PortAnswer {
    const text = readText(raw);
    // Nested deeper than it can be written: no answer of the protocol, and of no use to anybody.
    if (text === null) return this.failed(evidence, malformed({ code: 'protocol', path: '', text: '' }));
    // A server that sends back what it was given: nothing of that answer is kept but that it came.
    if (this.isSecret(text)) return this.withheld(evidence);
    const provenance: JsonObject = {
      ...evidence,
      raw_response_hash: sha256(text),
      raw_response: cutText(text, RAW_UNITS_MAX),
      raw_response_units: text.length,
      is_error: isError,
      strays,
    };
    if (isError)
      return this.failed(provenance, {
        code: 'unavailable',
        final: false,
        detail: { code: 'tool_error', text: cutText(answer.text, TEXT_UNITS_MAX) },
      });
    if (fault !== null) return this.failed(provenance, malformed(fault));
    const { read = plainly } = this.options;
    const json = memberFault(answer.text) === null ? ((parsed(answer.text) ?? null) as Json) : null;
    const value = read({ ...answer, json }, request);
    return value._tag === 'Left'
      ? this.failed(provenance, malformed(value.left))
      : { value: value.right, at_us: this.now(), provenance };
  }

  private withheld(evidence: JsonObject): PortAnswer {
    return this.failed(
      { ...evidence, secret_withheld: true },
      malformed({ code: 'secret', path: '', text: '' }),
    );
  }

  private failed(provenance: JsonObject, failure: Failure): PortAnswer {
    return { failure, at_us: this.now(), provenance };
  }

  /** As it stands in a text, and as it stands in JSON within one. */
  private isSecret(text: string): boolean {
    return holdsSecret(text, [
      ...this.secrets,
      ...this.secrets.map((secret) => JSON.stringify(secret).slice(1, -1)),
    ]);
  }

  private now(): number {
    return (this.options.now ?? Date.now)() * 1_000;
  }
}

/** The structured content where there is any, else the text. */
function plainly({ structured, text }: McpAnswer): Result<never, Json> {
  return { _tag: 'Right', right: structured ?? text };
}

/**
 * What is asked, without secrets that its address or its name has; other values are numbers and hashes of
 * ours.
 */
function maskedSubject(subject: JsonObject, secrets: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(subject).map(([key, value]) => [
      key,
      typeof value === 'string' ? maskedSecrets(value, secrets) : value,
    ]),
  );
}

/** A result as JSON; null where it is nested too deep for that. */
function readText(raw: Json): string | null {
  try {
    return JSON.stringify(raw).toWellFormed();
  } catch {
    return null;
  }
}

function malformed({ code, path, text }: AnswerFault): Failure {
  return {
    code: 'malformed',
    final: false,
    detail: { code, path: cutText(path, TEXT_UNITS_MAX), text: cutText(text, TEXT_UNITS_MAX) },
  };
}

/** The failure with how many lines were no messages. */
function counted(failure: Failure, strays: number): Failure {
  return { ...failure, detail: { ...(failure.detail as JsonObject), strays } };
}

/** In hexadecimal digits. Of a call's key: the same after a crash, and nothing of the run can be read from it. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
