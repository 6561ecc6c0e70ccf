/**
 * Digests by order of arrival: 32 bytes and two table slots each, so that a graph of a million ids
 * stays small. Append-only; internal to the graph.
 *
 * @module
 */
import type { Digest } from '../hash/sha256.js';
import { orThrow } from '../result.js';
import { decodeUtf8 } from '../text.js';

const WORDS = 8;
const FIRST_CAPACITY = 16;

/** A growing set of digests, each with a dense index from 0. */
export class DigestIndex {
  private words: Uint32Array = new Uint32Array(FIRST_CAPACITY * WORDS);
  private slots: Int32Array = new Int32Array(FIRST_CAPACITY * 2).fill(-1);
  private readonly probe: Uint32Array = new Uint32Array(WORDS);
  private size = 0;

  /** Number of digests. */
  get count(): number {
    return this.size;
  }

  /** Index of a digest, or -1. */
  indexOf(digest: Digest): number {
    this.load(digest);
    return this.slots[this.slotOf(this.probe, 0)] ?? -1;
  }

  /** Adds a digest that is not there yet and gives its index. */
  add(digest: Digest): number {
    if ((this.size + 1) * 2 > this.slots.length) this.grow();
    this.load(digest);
    const slot = this.slotOf(this.probe, 0);
    this.words.set(this.probe, this.size * WORDS);
    this.slots[slot] = this.size;
    this.size += 1;
    return this.size - 1;
  }

  /** The digest at an index below {@link count}. */
  at(index: number): Digest {
    const codes = new Uint8Array(WORDS * 8);
    for (let digit = 0; digit < codes.length; digit += 1) {
      const word = this.words[index * WORDS + (digit >>> 3)] ?? 0;
      const value = (word >>> (28 - 4 * (digit & 7))) & 15;
      codes[digit] = value + (value < 10 ? 0x30 : 0x57);
    }
    return orThrow(decodeUtf8(codes)) as Digest;
  }

  /** The first `count` digests in ascending order. */
  sorted(count: number): Digest[] {
    const order = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) order[index] = index;
    order.sort((a, b) => this.compare(a, b));
    return Array.from(order, (index) => this.at(index));
  }

  private compare(a: number, b: number): number {
    for (let word = 0; word < WORDS; word += 1) {
      const difference = (this.words[a * WORDS + word] ?? 0) - (this.words[b * WORDS + word] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private load(digest: Digest): void {
    for (let word = 0; word < WORDS; word += 1) {
      let value = 0;
      for (let digit = word * 8; digit < word * 8 + 8; digit += 1)
        value = value * 16 + hexValue(digest.charCodeAt(digit));
      this.probe[word] = value;
    }
  }

  /** The slot that holds the digest at `offset` of `source`, or the empty one where it belongs. */
  private slotOf(source: Uint32Array, offset: number): number {
    const mask = this.slots.length - 1;
    let slot = (source[offset] ?? 0) & mask;
    for (;;) {
      const index = this.slots[slot] ?? -1;
      if (index === -1 || this.holds(index, source, offset)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private holds(index: number, source: Uint32Array, offset: number): boolean {
    for (let word = 0; word < WORDS; word += 1)
      if (this.words[index * WORDS + word] !== source[offset + word]) return false;
    return true;
  }

  private grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    for (let index = 0; index < this.size; index += 1)
      this.slots[this.slotOf(this.words, index * WORDS)] = index;
  }
}

function hexValue(code: number): number {
  return code <= 0x39 ? code - 0x30 : code - 0x57;
}
