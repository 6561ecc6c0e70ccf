/**
 * What tokens name, where it is at hand: openings of sealed values, and the bytes of blobs. What is absent
 * fails nothing. Source: ledger format, "Tokens"; docs/formats/ledger.md.
 */
import {
  field,
  hashCanonical,
  isArray,
  isDigest,
  isObject,
  LineSplitter,
  nobleSha256,
  orThrow,
  readCanonical,
  type Digest,
  type FaultDetail,
  type Json,
  type JsonObject,
  type Sha256,
} from '@assay/kernel';

/** What bytes for a blob measure: how many they are, and the SHA-256 of the raw bytes. */
export type Measured = { readonly bytes: number; readonly sha256: Digest };

/**
 * Content kept outside of the ledger, as far as it is at hand. `openings`: for each seal whether its openings
 * fit it ({@link readOpenings}). `blob`: what the bytes kept under a hash measure, null if none are kept;
 * asked once for each token, so a shell remembers what it measured.
 */
export type Outside = {
  readonly openings: ReadonlyMap<Digest, boolean>;
  readonly blob: (sha256: Digest) => Measured | null;
};

/**
 * The openings of a file: for each seal whether all of its openings fit, and the lines that are no opening,
 * from 0.
 */
type OpeningsRead = {
  readonly openings: ReadonlyMap<Digest, boolean>;
  readonly unread: readonly number[];
};

/** How many tokens of a ledger had their content at hand, and how many had not. */
type OutsideCounts = {
  readonly opened: number;
  readonly sealed: number;
  readonly blobs: number;
  readonly absent_blobs: number;
};

/**
 * H of a sealed value. `salt`: 32 bytes as 64 lower-case hexadecimal digits. Throws where the value is not
 * admitted.
 */
export function sealValue(salt: Digest, value: Json, sha256: Sha256 = nobleSha256): Digest {
  return orThrow(hashCanonical({ t: 'sealed', salt, value }, sha256));
}

/**
 * Reads a file of openings, one canonical JSON object `{salt, seal, value}` on each line. A line that names
 * no seal can belong to no token: it is listed, and fails nothing. Values are not kept: about 100 bytes an
 * opening.
 */
export function readOpenings(chunks: Iterable<Uint8Array>, sha256: Sha256 = nobleSha256): OpeningsRead {
  const openings = new Map<Digest, boolean>();
  const unread: number[] = [];
  const splitter = new LineSplitter();
  let line = 0;
  const read = (bytes: Uint8Array): void => {
    const opening = readOpening(bytes);
    if (opening === null) unread.push(line);
    else openings.set(opening.seal, fits(opening, sha256) && openings.get(opening.seal) !== false);
    line += 1;
  };
  for (const chunk of chunks) for (const { bytes } of splitter.push(chunk)) read(bytes);
  for (const { bytes } of splitter.end()) read(bytes);
  return { openings, unread };
}

type Opening = { readonly seal: Digest; readonly object: JsonObject };

function readOpening(bytes: Uint8Array): Opening | null {
  const read = readCanonical(bytes);
  if (read._tag === 'Left' || !isObject(read.right.value)) return null;
  const seal = field(read.right.value, 'seal');
  return isDigest(seal) ? { seal, object: read.right.value } : null;
}

function fits({ seal, object }: Opening, sha256: Sha256): boolean {
  const salt = field(object, 'salt');
  const value = field(object, 'value');
  if (Object.keys(object).length !== 3 || !isDigest(salt) || value === undefined) return false;
  const hash = hashCanonical({ t: 'sealed', salt, value }, sha256);
  return hash._tag === 'Right' && hash.right === seal;
}

/** Compares the tokens of payloads with what is at hand, and counts. Four numbers, whatever the length. */
export class OutsideCheck {
  private readonly outside: Outside;
  private readonly counted: { opened: number; sealed: number; blobs: number; absent_blobs: number } = {
    opened: 0,
    sealed: 0,
    blobs: 0,
    absent_blobs: 0,
  };

  constructor(outside: Outside) {
    this.outside = outside;
  }

  /** How many tokens there were so far; null if there were none. */
  get counts(): OutsideCounts | null {
    return Object.values(this.counted).some((count) => count > 0) ? { ...this.counted } : null;
  }

  /**
   * What is wrong with the first token, in the order of the canonical text, whose content is at hand and does
   * not fit it. Tokens must have their form.
   */
  judge(payload: Json): FaultDetail | null {
    return this.walk(payload, '/payload');
  }

  private walk(value: Json, path: string): FaultDetail | null {
    if (typeof value !== 'object' || value === null) return null;
    const isToken = !isArray(value) && (Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob'));
    if (isToken) return this.judgeToken(value, path);
    for (const [key, item] of Object.entries(value)) {
      const wrong = this.walk(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      if (wrong !== null) return wrong;
    }
    return null;
  }

  private judgeToken(token: JsonObject, path: string): FaultDetail | null {
    const sealed = field(token, '$sealed');
    return sealed === undefined
      ? this.judgeBlob(field(token, '$blob') as unknown as Measured, path)
      : this.judgeSealed(sealed as Digest, path);
  }

  private judgeSealed(seal: Digest, path: string): FaultDetail | null {
    const isRight = this.outside.openings.get(seal);
    if (isRight === false) return { path, expected: 'an opening that fits the seal', got: seal };
    this.counted[isRight === true ? 'opened' : 'sealed'] += 1;
    return null;
  }

  private judgeBlob({ bytes, sha256 }: Measured, path: string): FaultDetail | null {
    const measured = this.outside.blob(sha256);
    if (measured !== null && (measured.bytes !== bytes || measured.sha256 !== sha256)) {
      return { path, expected: { bytes, sha256 }, got: { bytes: measured.bytes, sha256: measured.sha256 } };
    }
    this.counted[measured === null ? 'absent_blobs' : 'blobs'] += 1;
    return null;
  }
}
