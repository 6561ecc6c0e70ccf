/** Digests by order of arrival, 32 bytes each. */
import type { Digest } from '@assay/kernel';

const BYTES = 32;
const FIRST_CAPACITY = 64;

/** A growing list of digests, 32 bytes each. */
export class DigestList {
  private bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY * BYTES);
  count = 0;

  push(digest: Digest): void {
    if ((this.count + 1) * BYTES > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    for (let at = 0; at < BYTES; at += 1)
      this.bytes[this.count * BYTES + at] = Number.parseInt(digest.slice(at * 2, at * 2 + 2), 16);
    this.count += 1;
  }

  at(index: number): Digest {
    let text = '';
    for (let at = 0; at < BYTES; at += 1)
      text += (this.bytes[index * BYTES + at] ?? 0).toString(16).padStart(2, '0');
    return text as Digest;
  }
}
