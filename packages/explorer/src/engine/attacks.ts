/** Break it: forged copies in memory, and what the checks say of them. Source: explorer/X8. */
import {
  Authorship,
  formatEnvelope,
  MerkleTree,
  nobleEd25519,
  derivePublicKey,
  readEvidenceLines,
  signedHead,
  signHead,
  weigh,
  type Evidence,
} from '@assay/attest';
import { admit, isObject, utf8Bytes, type EvidenceRecord, type Json, type Replayable } from '@assay/kernel';
import { verify } from '@assay/verifier';
import {
  CAUGHT_BY,
  chained,
  encodeFile,
  forge,
  withChanges,
  type Attack,
  type Forged,
} from '@assay/verifier/attacks';
import type { Attacked, Edit, Refused } from '../data/calls.js';
import type { Loaded } from './load.js';
import { valueAt } from './load.js';
import { refused } from './reading.js';
import { pageSha256 } from './sha256.js';

const VALUE_UNITS = 72;
const KEY_BYTES = 32;
const LABEL = 'a forged copy, in memory';

/** A forger at work on one file whose checks held. */
export class Forger {
  private readonly loaded: Loaded;
  private readonly machines: readonly Replayable[];
  private readonly evidence: Evidence;
  private readonly records: readonly EvidenceRecord[];

  constructor(loaded: Loaded, machines: readonly Replayable[]) {
    this.loaded = loaded;
    this.machines = machines;
    const { lines } = loaded;
    this.records = Array.from(
      { length: lines.count },
      (_, at) => lines.json(at) as unknown as EvidenceRecord,
    );
    this.evidence = signedByNobody(this.records, loaded);
  }

  /** An attack; null where the ledger offers nothing to do that to. */
  attack(attack: Attack): Attacked | null {
    const forged = forge(attack, this.records, { sha256: pageSha256, machines: this.machines });
    return forged === null ? null : this.judged(attack, forged);
  }

  /** A field as the reader wants it, with or without every later hash computed again. */
  edit({ record, path, value, isHashed }: Edit): Attacked | Refused {
    const before = this.records[record];
    if (before === undefined)
      return refused(`There is no record ${record}.`, `Give 0 to ${this.records.length - 1}.`);
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const from = valueAt(before, steps);
    if (steps.length === 0 || from === undefined || steps.includes('__proto__'))
      return refused(
        'The record has no such field.',
        'Take the path of a field that is there, such as /payload/name.',
      );
    const to = parsed(value);
    if (to === undefined)
      return refused('This is no JSON that a record may hold.', 'Write a text in quotation marks.');
    const at = steps.map((step, index) => {
      const holder = valueAt(before, steps.slice(0, index));
      return holder !== undefined && isObject(holder) ? step : Number(step);
    });
    const changed = withChanges(before, { at, to }) as unknown as EvidenceRecord;
    const all = this.records.map((other, index) => (index === record ? changed : other));
    const drafts = all.map(({ ts, kind, payload }) => ({ ts, kind, payload: payload ?? null }));
    const bytes = isHashed
      ? encodeFile(chained(drafts, pageSha256))
      : utf8Bytes(all.map((one) => `${canonicalText(one)}\n`).join(''));
    const done = isHashed ? 'your change, every hash computed again' : 'your change, no hash computed again';
    return this.judged('yours', { bytes, done, record, edit: { path, from: from ?? null, to, value: to } });
  }

  /** One verification serves every column: the verdict of a check does not depend on what others are given. */
  private judged(attack: Attack | 'yours', { bytes, done, edit }: Forged): Attacked {
    const { summary } = this.loaded;
    const { document } = verify(LABEL, bytes, {
      sha256: pageSha256,
      machines: this.machines,
      head: summary === null ? null : { count: summary.count, hash: summary.hash },
      authorship: () => new Authorship(this.evidence),
    });
    return {
      attack,
      done,
      edit: edit === null ? null : { path: edit.path, ...around(edit.from, edit.to) },
      checks: document.checks,
      caughtBy: attack === 'yours' ? null : CAUGHT_BY[attack],
    };
  }
}

/** The original's head, signed by a key that is thrown away. */
function signedByNobody(records: readonly EvidenceRecord[], { summary }: Loaded): Evidence {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const tree = new MerkleTree(pageSha256);
  for (const { record_hash } of records) tree.add(record_hash);
  const line =
    summary === null ? '' : formatEnvelope(signHead(signedHead(summary, tree.root()), secret, nobleEd25519));
  return weigh({
    signatures: [readEvidenceLines(utf8Bytes(`${line}\n`))],
    proofs: null,
    trusted: [derivePublicKey(secret, nobleEd25519)],
  });
}

/** JSON that the format admits; undefined for any other text. */
function parsed(text: string): Json | undefined {
  try {
    const admitted = admit(JSON.parse(text));
    return admitted._tag === 'Right' ? admitted.right.value : undefined;
  } catch {
    return undefined;
  }
}

function canonicalText(value: unknown): string {
  const admitted = admit(value);
  return admitted._tag === 'Right' ? admitted.right.text : JSON.stringify(value);
}

/** Two values where they part, short enough to be read side by side. */
function around(from: Json, to: Json): { readonly from: string; readonly to: string } {
  const [one, other] = [JSON.stringify(from), JSON.stringify(to)];
  if (one.length <= VALUE_UNITS && other.length <= VALUE_UNITS) return { from: one, to: other };
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const start = Math.max(0, at - 20);
  const part = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + VALUE_UNITS)}${text.length > start + VALUE_UNITS ? '…' : ''}`;
  return { from: part(one), to: part(other) };
}
