/**
 * Re-derivation as a stream of its own, beside a verification that another thread makes.
 *
 * @module
 */
import {
  decodeUtf8,
  LineSplitter,
  nobleSha256,
  parseRecordLine,
  type EvidenceRecord,
  type RunSummary,
} from '@assay/kernel';
import type { Verdict } from './document.js';
import type { VerifyOptions } from './options.js';
import { Rederivation } from './rederivation.js';

/**
 * Runs the machine again over a file whose integrity is judged elsewhere: nothing is hashed here but what is
 * derived. Memory: one line and the run's state.
 */
export class RederiveStream {
  private readonly splitter: LineSplitter = new LineSplitter();
  private readonly rederivation: Rederivation;
  private records = 0;

  constructor({ machines = [], limits, sha256 = nobleSha256 }: VerifyOptions) {
    this.rederivation = new Rederivation(machines, { records: null, bytes: null, ...limits }, sha256);
  }

  /** The next bytes of the file. `sound`: how many records of it were found sound; no other is looked at. */
  push(chunk: Uint8Array, sound: number): void {
    for (const { bytes } of this.splitter.push(chunk)) {
      const record = this.records < sound ? this.recordOf(bytes) : null;
      if (record === null) return;
      this.records += 1;
      this.rederivation.feed(record, bytes.length + 1);
    }
  }

  /** What it comes to. `summary`: that of the other thread, null where integrity failed. */
  end(summary: RunSummary | null): { readonly due: number | null; readonly rederivation: Verdict } {
    return { due: this.rederivation.due(summary), rederivation: this.rederivation.verdict(summary) };
  }

  /** A line that is the one derived here is not read. */
  private recordOf(line: Uint8Array): EvidenceRecord | null {
    const { next } = this.rederivation;
    if (next !== null && isText(line, next.line)) return next.record;
    const read = parseRecordLine(line);
    return read._tag === 'Right' ? read.right : null;
  }
}

function isText(line: Uint8Array, text: string): boolean {
  const read = decodeUtf8(line);
  return read._tag === 'Right' && read.right === text;
}
