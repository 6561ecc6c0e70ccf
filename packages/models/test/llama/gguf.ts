/**
 * A model file of random weights: 64 wide, two layers, a vocabulary of bytes. It is a real file for a real
 * runtime, and what it says has no meaning. Format: GGUF version 3.
 */
const WIDTH = 64;
const LAYERS = 2;
const FEED_FORWARD = 128;
const CONTEXT = 8_192;
const ALIGNMENT = 32;

/** Types of metadata values. */
const U32 = 4;
const I32 = 5;
const F32 = 6;
const TEXT = 8;
const LIST = 9;

/** The bytes of a model whose weights are drawn from a seed. */
export function tinyModel(seed: number): Uint8Array {
  const tokens = [
    '<unk>',
    '<s>',
    '</s>',
    ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  ];
  const meta: readonly Buffer[] = [
    pair('general.architecture', TEXT, text('llama')),
    pair('general.name', TEXT, text('random weights')),
    pair('llama.context_length', U32, u32(CONTEXT)),
    pair('llama.embedding_length', U32, u32(WIDTH)),
    pair('llama.block_count', U32, u32(LAYERS)),
    pair('llama.feed_forward_length', U32, u32(FEED_FORWARD)),
    pair('llama.attention.head_count', U32, u32(4)),
    pair('llama.attention.head_count_kv', U32, u32(4)),
    pair('llama.rope.dimension_count', U32, u32(WIDTH / 4)),
    pair('llama.vocab_size', U32, u32(tokens.length)),
    pair('llama.attention.layer_norm_rms_epsilon', F32, f32(1e-5)),
    pair('tokenizer.ggml.model', TEXT, text('llama')),
    pair('tokenizer.ggml.tokens', LIST, list(TEXT, tokens.map(text))),
    pair(
      'tokenizer.ggml.scores',
      LIST,
      list(
        F32,
        tokens.map(() => f32(0)),
      ),
    ),
    // Unknown, control, and bytes.
    pair(
      'tokenizer.ggml.token_type',
      LIST,
      list(
        I32,
        tokens.map((_, index) => u32(index === 0 ? 2 : index < 3 ? 3 : 6)),
      ),
    ),
    pair('tokenizer.ggml.bos_token_id', U32, u32(1)),
    pair('tokenizer.ggml.eos_token_id', U32, u32(2)),
  ];
  const shapes = shapesOf(tokens.length);
  let offset = 0;
  const infos = shapes.map(([name, dimensions]) => {
    const info = Buffer.concat([
      text(name),
      u32(dimensions.length),
      ...dimensions.map(u64),
      u32(0),
      u64(offset),
    ]);
    offset += aligned(4 * dimensions.reduce((product, each) => product * each, 1));
    return info;
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(shapes.length),
    u64(meta.length),
    ...meta,
    ...infos,
  ]);
  const next = drawing(seed);
  const data = shapes.map(([name, dimensions]) => {
    const values = Float32Array.from(
      { length: dimensions.reduce((product, each) => product * each, 1) },
      () => (name.endsWith('norm.weight') ? 1 : (next() - 0.5) / 4),
    );
    return padded(Buffer.from(values.buffer));
  });
  return Buffer.concat([padded(head), ...data]);
}

function shapesOf(vocabulary: number): readonly (readonly [name: string, dimensions: readonly number[]])[] {
  const layers = Array.from({ length: LAYERS }, (_, layer) => layer).flatMap(
    (layer): readonly (readonly [string, readonly number[]])[] => [
      [`blk.${layer}.attn_norm.weight`, [WIDTH]],
      ...['q', 'k', 'v', 'output'].map(
        (part) => [`blk.${layer}.attn_${part}.weight`, [WIDTH, WIDTH]] as const,
      ),
      [`blk.${layer}.ffn_norm.weight`, [WIDTH]],
      [`blk.${layer}.ffn_gate.weight`, [WIDTH, FEED_FORWARD]],
      [`blk.${layer}.ffn_up.weight`, [WIDTH, FEED_FORWARD]],
      [`blk.${layer}.ffn_down.weight`, [FEED_FORWARD, WIDTH]],
    ],
  );
  return [
    ['token_embd.weight', [WIDTH, vocabulary]],
    ...layers,
    ['output_norm.weight', [WIDTH]],
    ['output.weight', [WIDTH, vocabulary]],
  ];
}

/** Numbers from 0 to 1, the same for the same seed. Source: mulberry32. */
function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pair(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(type), value]);
}

function list(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(type), u64(items.length), ...items]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
}
