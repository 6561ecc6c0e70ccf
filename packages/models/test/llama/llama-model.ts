/**
 * node-llama-cpp as a model of the AI SDK, for the lane that runs it: one thread, no GPU, answers held to the
 * schema by a grammar. The package is not among our dependencies, so only what is used of it is typed here.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';

type Disposable = { readonly dispose: () => unknown };
type Meter = { readonly usedInputTokens: number; readonly usedOutputTokens: number };
type Sequence = Disposable & { readonly tokenMeter: { readonly getState: () => Meter } };
type Completed = { readonly response: string; readonly metadata: { readonly stopReason: string } };
type Asked = {
  readonly grammar?: unknown;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onTextChunk: (text: string) => void;
};
type Llama = Disposable & {
  readonly loadModel: (options: { readonly modelPath: string }) => Promise<
    Disposable & {
      readonly createContext: (options: {
        readonly contextSize: number;
        readonly threads: number;
        readonly sequences: number;
      }) => Promise<Disposable & { readonly getSequence: () => Sequence }>;
    }
  >;
  readonly createGrammarForJsonSchema: (schema: unknown) => Promise<unknown>;
};
type Runtime = {
  readonly getLlama: (options: {
    readonly gpu: false;
    readonly build: 'never';
    readonly maxThreads: 1;
    readonly skipDownload: true;
    readonly logLevel: 'error';
  }) => Promise<Llama>;
  readonly LlamaCompletion: new (options: {
    readonly contextSequence: Sequence;
  }) => Disposable & {
    readonly generateCompletionWithMeta: (prompt: string, options: Asked) => Promise<Completed>;
  };
};

/** The runtime with a model file loaded, and the end of both. */
export type Loaded = { readonly model: LanguageModelV3; readonly close: () => Promise<void> };

/** Answers at once: a call that was given up holds its place for a moment. */
const SEQUENCES = 4;

/** Loads a model file by the runtime installed in a folder. */
export async function loadModel(folder: string, modelPath: string, modelId: string): Promise<Loaded> {
  const { getLlama, LlamaCompletion } = (await import(
    pathToFileURL(join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')).href
  )) as Runtime;
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    maxThreads: 1,
    skipDownload: true,
    logLevel: 'error',
  });
  const file = await llama.loadModel({ modelPath });
  const context = await file.createContext({ contextSize: 8_192, threads: 1, sequences: SEQUENCES });
  const generate = async (
    options: LanguageModelV3CallOptions,
    tell: (part: LanguageModelV3StreamPart) => void,
  ): Promise<void> => {
    const { responseFormat, maxOutputTokens = 256, temperature = 1, seed = 0, abortSignal } = options;
    const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
    const sequence = context.getSequence();
    const completion = new LlamaCompletion({ contextSequence: sequence });
    try {
      const grammar = schema === undefined ? {} : { grammar: await llama.createGrammarForJsonSchema(schema) };
      const { metadata } = await completion.generateCompletionWithMeta(promptOf(options), {
        ...grammar,
        maxTokens: maxOutputTokens,
        temperature,
        seed,
        onTextChunk: (delta) => tell({ type: 'text-delta', id: '0', delta }),
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      });
      const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.getState();
      const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
      tell({
        type: 'finish',
        finishReason: {
          unified: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
          raw: metadata.stopReason,
        },
        usage: {
          inputTokens: { total: usedInputTokens, ...none },
          outputTokens: { total: usedOutputTokens, text: undefined, reasoning: undefined },
        },
      });
    } finally {
      completion.dispose();
      sequence.dispose();
    }
  };
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'llama',
    modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: (options) =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          start: async (controller) => {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            controller.enqueue({ type: 'response-metadata', modelId });
            try {
              await generate(options, (part) => controller.enqueue(part));
              controller.close();
            } catch (error) {
              controller.error(error);
            }
          },
        }),
      }),
  };
  return {
    model,
    close: async () => {
      await llama.dispose();
    },
  };
}

/** Messages as plain text: the model has no template, and what it reads means nothing to it. */
function promptOf({ prompt }: LanguageModelV3CallOptions): string {
  return prompt
    .map(
      ({ role, content }) =>
        `${role}: ` +
        (typeof content === 'string'
          ? content
          : content.map((part) => (part.type === 'text' ? part.text : '')).join('')),
    )
    .join('\n');
}
