/**
 * Forks of polls, honest and not, with their parents: some answers changed, left out, exchanged or given
 * elsewhere, some records of both erased. Every decision follows from what is recorded, so that only a
 * comparison of the two shows it.
 */
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type GenesisInput,
  type JsonObject,
  type Proposal,
  type RecordedProposal,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { nativeSha256 } from '@assay/host';
import { tally } from '@assay/testing';

/** A run, and a fork that names it as its base: `parent-N` and `fork-N`. */
export type RandomFork = {
  readonly parent: readonly EvidenceRecord[];
  readonly fork: readonly EvidenceRecord[];
};
type Draw = (below: number) => number;

const OPTIONS = { sha256: nativeSha256 };

/** So many; the same for the same seed. */
export function randomForks(seed: number, count: number): readonly RandomFork[] {
  let state = seed;
  const draw: Draw = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, index) => forkOf(draw, index));
}

function forkOf(draw: Draw, index: number): RandomFork {
  const parent = told(genesisOf(draw, `parent-${index}`), [], 2 + draw(10), draw);
  const ends = parent.flatMap(({ kind }, at) =>
    kind !== 'genesis' && kind !== 'proposal' && (parent[at + 1]?.kind ?? 'proposal') === 'proposal'
      ? [at]
      : [],
  );
  const last = ends.at(-1 - draw(Math.min(3, ends.length))) ?? 1;
  const hash = parent[last]?.record_hash;
  if (hash === undefined) throw new Error('no such record');
  const genesis = {
    ...genesisOf(draw, `fork-${index}`),
    base: { run_id: `parent-${index}`, count: last + 1, hash, snapshot: null },
  };
  const fed = orThrow(forkRun(tally, genesis, parent, OPTIONS)).records.flatMap(({ kind, payload }) =>
    kind === 'proposal' ? [payload as unknown as RecordedProposal] : [],
  );
  const fork = told(genesis, draw(3) === 0 ? fed : changed(fed, draw), draw(3), draw);
  return { parent: erased(parent, draw), fork: erased(fork, draw) };
}

function genesisOf(draw: Draw, run_id: string): GenesisInput {
  const voters = 1 + draw(6);
  return {
    run_id,
    ts_base: 't',
    policy: { voters, quorum: 1 + draw(voters), attempts: 1 + draw(3) },
    input: { question: 'Where?', options: ['here', 'there'] },
  };
}

/** A run that is given these answers, as far as it takes them, and then so many others. */
function told(
  genesis: GenesisInput,
  answers: readonly Proposal[],
  more: number,
  draw: Draw,
): readonly EvidenceRecord[] {
  let { run, records } = orThrow(openRun(tally, genesis, OPTIONS));
  for (let index = 0; index < answers.length + more; index += 1) {
    const { proposal_hash: _, ...given } = (answers[index] ??
      answerTo(
        openRequests(run).map(({ id }) => id),
        draw,
      )) as RecordedProposal;
    const step = advance(run, given);
    if (step._tag === 'Left') continue;
    run = step.right.run;
    records = [...records, ...step.right.records];
  }
  return records;
}

function answerTo(ids: readonly string[], draw: Draw): Proposal {
  const request_id = draw(6) === 0 ? '9.9' : (ids[draw(ids.length)] ?? '9.9');
  const value: JsonObject =
    [{ option: 'here' }, { option: 'there' }, { option: 'nowhere' }, { note: `note ${draw(3)}` }][draw(4)] ??
    {};
  const common = {
    request_id,
    source: 'human',
    proposer: 'desk',
    confidence: null,
    at_us: null,
    spent: { ms: draw(3) },
    cites: [],
    provenance: {},
  } as const;
  return draw(6) === 0
    ? { ...common, value: null, failure: { code: 'lost', final: draw(2) === 0, detail: null } }
    : { ...common, value, failure: null };
}

function changed(answers: readonly Proposal[], draw: Draw): readonly Proposal[] {
  const at = draw(answers.length);
  const [here, next] = [answers[at], answers[at + 1]];
  if (here === undefined) return answers;
  const edited: readonly (readonly Proposal[])[] = [
    [],
    [here, here],
    [{ ...here, request_id: `1.${draw(6)}` }],
    [{ ...here, spent: { ms: 9 } }],
    [{ ...here, provenance: { a: 1 } }],
    [{ ...here, value: { option: 'here' }, failure: null }],
    [{ ...here, source: 'tool' }],
  ];
  if (draw(edited.length + 1) === 0 && next !== undefined) return answers.toSpliced(at, 2, next, here);
  return answers.toSpliced(at, 1, ...(edited[draw(edited.length)] ?? []));
}

/** One time in four, one record of the course is erased. */
function erased(records: readonly EvidenceRecord[], draw: Draw): readonly EvidenceRecord[] {
  const at = 1 + draw(records.length - 1);
  const hide = draw(4) === 0;
  return records.map((record, index) => {
    if (!hide || index !== at || record.kind === 'close') return record;
    const { payload: _, ...rest } = record;
    return rest;
  });
}
