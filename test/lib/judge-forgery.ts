/**
 * One forgery put before the verifier, with what the user brings.
 */
import { parseHeadLine, orThrow, replayable, type IntegrityCode } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { tally } from '@assay/testing';
import { Authorship, parsePublicKey, readEvidenceLines, weigh, type EvidenceLines } from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { answerDerivers, MACHINES as ROWS } from '@assay/views/machines';
import {
  answersBy,
  citedLedger,
  exitCode,
  readOpenings,
  verify,
  verifyTogether,
  type CheckName,
  type CitedLedger,
  type ExitOptions,
  type Outside,
  type VerifyDocument,
  type VerifyOptions,
} from '@assay/verifier';

/** What a user brings to a verification. */
export type Brought = {
  readonly head?: string;
  readonly other?: string;
  readonly limits?: { readonly records?: number };
  readonly folder?: string;
  readonly signature?: string;
  readonly proof?: string;
  readonly trust?: readonly string[];
  readonly threshold?: number;
};

/** A forgery as its script makes it. */
export type Forgery = {
  readonly name: string;
  readonly forged: string;
  readonly twin: string;
  readonly bytes: Uint8Array;
  readonly others?: { readonly [name: string]: Uint8Array };
  readonly brought?: Brought;
  readonly caught: {
    readonly check: CheckName;
    readonly verdict: 'failed' | 'not_checked';
    readonly code: string;
    readonly record: number | null;
  } | null;
  readonly off: {
    readonly rules?: readonly IntegrityCode[];
    readonly check?: 'rederivation';
    readonly argument?: 'head' | 'other' | 'limits' | 'folder' | 'signature' | 'proof';
    readonly flag?: 'allow-unchecked';
  } | null;
  readonly exit: 0 | 3 | 4;
};

/** Machines the verifier knows here. */
export const MACHINES = [
  replayable(tally, { sha256: nativeSha256 }),
  ...(await Promise.all(ROWS.map((row) => row.machine((one) => replayable(one, { sha256: nativeSha256 }))))),
];

const ANSWERS = answersBy(await answerDerivers());

/** The verifier's document on a forgery or twin. */
export function judge(
  { bytes, brought = {}, others = {} }: Pick<Forgery, 'bytes' | 'brought' | 'others'>,
  options: VerifyOptions = {},
): VerifyDocument {
  const common: VerifyOptions = {
    machines: MACHINES,
    sha256: nativeSha256,
    keepIndex: true,
    head: brought.head === undefined ? null : orThrow(parseHeadLine(brought.head)),
    limits: brought.limits ?? {},
    ...(brought.folder === undefined
      ? {}
      : {
          outside: outsideOf(brought.folder, others),
          cited: citedOf(brought.folder, others),
          answers: ANSWERS,
        }),
    ...authorshipOf(brought, others),
    ...options,
  };
  const report = verify('ledger.jsonl', bytes, common);
  const rest =
    brought.other === undefined
      ? []
      : [verify(brought.other, others[brought.other] ?? new Uint8Array(), common)];
  return verifyTogether([report, ...rest])[0] ?? report.document;
}

/** The exit code of `verify`: who names keys asks for authorship. */
export function exitOf(
  document: VerifyDocument,
  brought: Brought = {},
  options: ExitOptions = {},
): 0 | 3 | 4 {
  return exitCode([document], { authorship: brought.trust !== undefined, ...options });
}

/** What `--signature`, `--trust`, `--threshold` and `--proof` bring. */
function authorshipOf(
  { signature, proof, trust = [], threshold = 1 }: Brought,
  files: { readonly [name: string]: Uint8Array },
): Pick<VerifyOptions, 'authorship'> {
  if (signature === undefined && proof === undefined) return {};
  const linesOf = (name: string | undefined): readonly EvidenceLines[] | null =>
    name === undefined ? null : [readEvidenceLines(files[name] ?? new Uint8Array())];
  const evidence = weigh({
    signatures: linesOf(signature),
    proofs: linesOf(proof),
    trusted: trust.map((line) => orThrow(parsePublicKey(line))),
    threshold,
    engine: nativeEd25519,
    sha256: nativeSha256,
  });
  return { authorship: () => new Authorship(evidence) };
}

/** What the files of a folder keep for tokens. */
function outsideOf(folder: string, files: { readonly [name: string]: Uint8Array }): Outside {
  const openings = Object.entries(files).flatMap(([name, bytes]) =>
    name.startsWith(`${folder}/`) && name.endsWith('.openings.jsonl') ? [bytes] : [],
  );
  return {
    openings: readOpenings(openings, nativeSha256).openings,
    blob: (sha256) => {
      const bytes = files[`${folder}/blobs/${sha256}`];
      return bytes === undefined ? null : { bytes: bytes.length, sha256: nativeSha256(bytes) };
    },
  };
}

/** The ledgers of a folder, for heads that are cited. */
function citedOf(
  folder: string,
  files: { readonly [name: string]: Uint8Array },
): ReadonlyMap<string, CitedLedger> {
  const ledgers = Object.entries(files).flatMap(([name, bytes]) => {
    const isLedger = name.startsWith(`${folder}/`) && name.endsWith('.ledger.jsonl');
    const ledger = isLedger
      ? citedLedger(
          verify(name, bytes, {
            machines: MACHINES,
            sha256: nativeSha256,
            keepIndex: true,
            keepRecords: true,
          }),
        )
      : null;
    return ledger === null ? [] : [[ledger.run_id, ledger] as const];
  });
  return new Map(ledgers);
}
