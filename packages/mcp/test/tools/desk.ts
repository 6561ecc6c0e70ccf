/** Desks for tests, and clients of the official SDK that speak with them. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { orThrow, replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { memoryStore, type Ports } from '@assay/host';
import { rulesPort } from '@assay/proposers';
import { driveProblem } from '../../../cli/src/start/drive-machine.ts';
import { serveHttp, type Desk } from '../../src/index.ts';
import type { HttpOptions, Listening } from '../../src/server/http.ts';
import { Calls, makeTools, newServer } from '../../src/server/server.ts';

/** A desk over memory with the rules, and the words of the command. */
export function desk(given: Partial<Desk> = {}): Desk {
  return {
    store: memoryStore(),
    place: 'memory',
    proposers: new Map<string, Ports>([['rules', () => rulesPort]]),
    machines: [replayable(intent)],
    describe: (error, runId) => {
      const { code, message, place, remedy } = driveProblem(error, runId, '').problem;
      return { code, message, place, remedy };
    },
    ...given,
  };
}

/** A document of which a test asks what it knows to be there. */
// oxlint-disable-next-line typescript/no-explicit-any -- the client checks its shape against the listed schema
export type Loose = any;

/** What a tool gave: `error` where it is an error, which must be JSON. */
export type Called = {
  readonly isError: boolean;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly place: string;
    readonly remedy: string;
  } | null;
  readonly json: Readonly<Record<string, Loose>>;
  readonly text: string;
};

const ajv = new AjvJsonSchemaValidator();
type JsonSchemaType = Parameters<typeof ajv.getValidator>[0];
type Check = ReturnType<typeof ajv.getValidator>;
const checks = new Map<string, Check>();

/** A client of the SDK, which checks what a tool gives against the schema that it asks for. */
export class Asking {
  readonly client: Client;
  constructor(client: Client) {
    this.client = client;
  }

  async call(name: string, given: object = {}): Promise<Called> {
    const {
      isError = false,
      content,
      structuredContent = {},
    } = await this.client.callTool({ name, arguments: { ...given } });
    const [first] = content as readonly { readonly type: string; readonly text: string }[];
    const text = first?.text ?? '';
    const json = JSON.parse(text) as Readonly<Record<string, Loose>>;
    if (isError === false) {
      if (JSON.stringify(json) !== JSON.stringify(structuredContent))
        throw new Error('text and structure differ');
      const checked = (await this.checkFor(name))(json);
      if (!checked.valid) throw new Error(`${name} gave what its schema forbids: ${checked.errorMessage}`);
      return { isError: false, error: null, json, text };
    }
    return { isError: true, error: json['error'] as Called['error'], json: {}, text };
  }

  /** The schema of what a tool gives. */
  async schemaOf(name: string): Promise<JsonSchemaType> {
    const { contents } = await this.client.readResource({ uri: `assay://tools/${name}/output` });
    return JSON.parse((contents[0] as { readonly text: string }).text) as JsonSchemaType;
  }

  /** Schemas are read and compiled once for all clients. */
  private async checkFor(name: string): Promise<Check> {
    const check = checks.get(name) ?? ajv.getValidator(await this.schemaOf(name));
    checks.set(name, check);
    return check;
  }
}

/** Connects a client. */
export async function asking(transport: Transport): Promise<Asking> {
  const client = new Client({ name: 'test-client', version: '9.9' });
  await client.connect(transport);
  return new Asking(client);
}

/** A client that speaks with a server in this process. */
export async function beside(served: Desk): Promise<Asking> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await newServer(served, makeTools(served), new Calls()).connect(far);
  return asking(near);
}

/** A desk served over HTTP on a free port, and a client of it. */
export async function overHttp(
  served: Desk,
  options: Partial<HttpOptions> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly listening: Listening; readonly asking: Asking }> {
  const listening = orThrow(await serveHttp(served, { port: 0, ...options }));
  const transport = new StreamableHTTPClientTransport(new URL(listening.url), {
    requestInit: { headers: { ...headers } },
  });
  return { listening, asking: await asking(transport as Transport) };
}
