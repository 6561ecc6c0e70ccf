/**
 * The end of a run: from all answers to a commitment or a refusal, exactly one of the two.
 * Source: 001 §3, §4.4; intent I11, I13, I15.
 */
import type { Json } from '../json.js';
import type { Context, Decision, NodeDraft } from '../machine/types.js';
import { listCandidates, movePairs, type Candidate, type SlotAnswer } from './answers.js';
import { makeBlueprint, listLosers, makeQuestion, type OpenQuestion } from './blueprint.js';
import { describeIdentity, isActionable, type Claim } from './claim.js';
import { commit, measureDepth, type Commitment } from './commitment.js';
import { areContrary, matchClaimed, findContradictions, type Contradiction } from './contradiction.js';
import { drawCommitted, drawRefused, type Drawing } from './graph.js';
import { makePack } from './pack.js';
import { PPM, type Policy } from './policy.js';
import { computeMargin, rankCandidates, type Ranked, type Ranking } from './ranking.js';
import { makeRefusal, type AnswerCited, type Reason } from './refusal.js';
import { listResolutions } from './resolution.js';
import type { SalientUnit } from './salient.js';
import type { SeedText } from './seed.js';
import { readFacts } from './seed-facts.js';
import type { IntentEvent, Setup } from './state.js';

/** How a run ends: the events of its last decision, the graph it draws, its artifacts and its outcome. */
export type Ending = Omit<Decision<IntentEvent>, 'asks' | 'withdraw'>;

/** What is at hand when every slot has answered or failed. */
export type Gathered = {
  readonly setup: Setup;
  readonly seedText: string;
  readonly answers: readonly SlotAnswer[];
};

/**
 * Ends a run on what was gathered. The order in which answers arrived does not show in graph or artifacts.
 */
export function collapse(gathered: Gathered, context: Context): Ending {
  const { setup, answers } = gathered;
  const lacking = listLacks(setup.policy, answers);
  if (lacking.length > 0) return refuse(lacking, gathered, null, context);
  const facts = readFacts(gathered.seedText, answers);
  const { seed } = facts;
  const candidates = listCandidates(setup.policy.proposers, answers, seed, context.hash);
  const ranking = rankCandidates(candidates, { policy: setup.policy, pin: setup.pin, facts }, context);
  const [winner] = ranking.kept;
  const second = ranking.kept[1] ?? ranking.pruned[0];
  if (winner === undefined)
    return refuse(
      [reason('no_valid_interpretation', null, null, null, ranking.vetoed.length)],
      gathered,
      { ranking, seed },
      context,
    );
  const unclear = listDoubts(setup.policy, ranking, winner, second, seed);
  if (unclear.length > 0) return refuse(unclear, gathered, { ranking, seed }, context);
  return conclude(gathered, { ranking, winner, seed, units: facts.units }, context);
}

/** The seed's node: what every reading rests on. */
export function seedNode({ seed_hash, pin }: Setup): NodeDraft {
  return { kind: 'seed', payload: { seed_hash, pin } };
}

/** One reason of a refusal. */
export function reason(
  code: Reason['code'],
  limit: Reason['limit'],
  value: number | null,
  needed: number | null,
  detail: Json = null,
): Reason {
  return { code, limit, value, needed, detail };
}

type Read = { readonly ranking: Ranking; readonly seed: SeedText };
type Won = Read & { readonly winner: Ranked; readonly units: readonly SalientUnit[] };

function listLacks({ min_proposals }: Policy, answers: readonly SlotAnswer[]): readonly Reason[] {
  const given = answers.filter((answer) => answer.t === 'answered' && answer.readings.length > 0).length;
  if (given >= min_proposals) return [];
  const silent = answers.filter((answer) =>
    answer.t === 'answered' ? answer.readings.length === 0 : answer.code === 'denied',
  );
  const why = silent.map((answer) => ({ slot: answer.slot, why: answer.t === 'failed' ? answer.why : null }));
  const gaveUp = why.length === 0 ? [] : [reason('proposer_gave_up', null, null, null, why)];
  return [reason('insufficient_proposals', 'min_proposals', min_proposals, given), ...gaveUp];
}

function listDoubts(
  { min_score, min_margin }: Policy,
  ranking: Ranking,
  winner: Ranked,
  second: Ranked | undefined,
  seed: SeedText,
): readonly Reason[] {
  // A reading that demands nothing is not short of a score.
  if (!winner.candidate.claims.some(isActionable)) return [reason('nothing_actionable', null, null, null)];
  const doubts: Reason[] = [];
  if (winner.score.total < min_score)
    doubts.push(reason('below_min_score', 'min_score', min_score, winner.score.total));
  const margin = computeMargin(ranking);
  const isClose =
    second !== undefined &&
    margin < min_margin &&
    areContrary(winner.candidate.claims, second.candidate.claims, seed);
  if (isClose)
    doubts.push(
      reason('ambiguous', 'min_margin', min_margin, margin, [
        winner.candidate.reading.name,
        second.candidate.reading.name,
      ]),
    );
  return doubts;
}

/** Commits the winner, where its claims are within the limits. */
function conclude(gathered: Gathered, won: Won, context: Context): Ending {
  const { setup } = gathered;
  const { winner, seed, ranking, units } = won;
  const commitments = commit(winner.candidate.claims, setup.pin, seed, context.hash);
  const claims = commitments.map(({ claim }) => claim);
  const contradictions = findContradictions(claims, seed);
  const { aliases } = winner.candidate.reading;
  const claimed = matchClaimed(claims, contradictions, placePairs(winner, claims), aliases, seed);
  const resolutions = listResolutions(claims, listOthers(ranking, winner), setup.pin, seed, context.hash);
  const blueprint = makeBlueprint({
    seed,
    seedHash: setup.seed_hash,
    pin: setup.pin,
    units,
    winner,
    ranking,
    commitments,
    contradictions,
    claimed,
    resolutions,
    hash: context.hash,
  });
  const blueprintHash = context.hash(blueprint);
  const pack = makePack(commitments, seed, setup.seed_hash, blueprintHash);
  const decision: Json = {
    status: 'success',
    seed_hash: setup.seed_hash,
    chosen: winner.candidate.reading.name,
    total: winner.score.total,
    readings: fates(ranking),
  };
  const drawing = drawCommitted(
    {
      seed: seedNode(setup),
      ranking,
      winner,
      commitments,
      contradictions: [...contradictions, ...claimed],
      decision,
      artifacts: [
        ['blueprint', blueprintHash],
        ['verification_pack', context.hash(pack)],
      ],
    },
    context,
  );
  const broken = breaches(setup.policy, commitments, contradictions, drawing, seed);
  if (broken.length > 0) return refuse(broken, gathered, won, context);
  const committed: IntentEvent = {
    t: 'committed',
    root: drawing.root,
    claims: commitments.map(({ id }) => id),
    contradictions: contradictions.length,
    depth: measureDepth(commitments),
    nodes: drawing.count,
  };
  return {
    events: [...rankingEvents(ranking), chosenEvent(ranking, winner), committed],
    graph: { nodes: drawing.nodes, edges: drawing.edges },
    artifacts: { blueprint, verification_pack: pack },
    outcome: { status: 'success', reasons: [] },
  };
}

/** The winner's pointed pairs by the places its claims have once committed. */
function placePairs({ candidate }: Ranked, committed: readonly Claim[]): Candidate['pairs'] {
  const findPlace = new Map(committed.map((claim, place) => [claim, place] as const));
  return movePairs(
    candidate.pairs,
    candidate.claims.map((claim) => findPlace.get(claim) ?? 0),
  );
}

/** The readings whose claims the winner may have dropped: scored ones best first, then those a pin vetoed. */
function listOthers({ kept, pruned, vetoed }: Ranking, winner: Ranked): readonly Candidate[] {
  const scored = [...kept, ...pruned]
    .filter((reading) => reading !== winner)
    .map(({ candidate }) => candidate);
  return [
    ...scored,
    ...vetoed.filter(({ vetoes }) => vetoes[0]?.code === 'pin_conflict').map(({ candidate }) => candidate),
  ];
}

const LISTED_MAX = 16;

type Limit = 'contradiction_budget' | 'max_depth' | 'max_nodes';

/** The limits that the committed reading would break, all of them. */
function breaches(
  policy: Policy,
  commitments: readonly Commitment[],
  contradictions: readonly Contradiction[],
  drawing: Drawing,
  seed: SeedText,
): readonly Reason[] {
  const shown = contradictions.slice(0, LISTED_MAX).map(({ a, b, why }) => ({
    why,
    a: describeSide(commitments[a], seed),
    b: describeSide(commitments[b], seed),
  }));
  const over = (limit: Limit, needed: number, detail?: Json): readonly Reason[] =>
    needed > policy[limit] ? [reason(limit, limit, policy[limit], needed, detail)] : [];
  return [
    ...over('contradiction_budget', contradictions.length, shown),
    ...over('max_depth', measureDepth(commitments)),
    ...over('max_nodes', drawing.count),
  ];
}

function describeSide(commitment: Commitment | undefined, seed: SeedText): Json {
  const claim = commitment?.claim;
  return claim === undefined
    ? null
    : {
        modality: claim.modality,
        atom: claim.atom,
        text: claim.quote === null ? null : seed.slice(claim.quote),
      };
}

/** Ends a run without a commitment; `read` is null if nothing was ranked. */
export function refuse(
  reasons: readonly Reason[],
  gathered: Gathered,
  read: Read | null,
  context: Context,
): Ending {
  const { setup, answers } = gathered;
  const report = makeRefusal(reasons, {
    runId: context.run_id,
    seedHash: setup.seed_hash,
    genesisHash: setup.genesis_hash,
    answers: setup.policy.proposers.flatMap((slot) =>
      answers.filter((answer) => answer.slot === slot).map(citeAnswer),
    ),
    readings: read === null ? [] : listLosers(read.ranking, null),
    questions: read === null ? [] : listQuestions(read, context.hash),
  });
  const decision: Json = { status: 'refused', seed_hash: setup.seed_hash, reasons: report.reason_codes };
  const drawing = drawRefused(
    seedNode(setup),
    read?.ranking ?? null,
    decision,
    [['refusal_report', context.hash(report)]],
    context,
  );
  // A graph that would not fit is not drawn at all: the seed's node alone stays.
  const isDrawn = drawing.count <= setup.policy.max_nodes;
  const before = read === null ? [] : rankingEvents(read.ranking);
  return {
    events: [...before, { t: 'refused', root: isDrawn ? drawing.root : null, reasons: report.reasons }],
    graph: isDrawn ? { nodes: drawing.nodes, edges: drawing.edges } : { nodes: [seedNode(setup)], edges: [] },
    artifacts: { refusal_report: report },
    outcome: { status: 'refused', reasons: report.reason_codes },
  };
}

function citeAnswer(answer: SlotAnswer): AnswerCited {
  return answer.t === 'answered'
    ? {
        slot: answer.slot,
        proposal_hash: answer.proposal_hash,
        readings: answer.readings.length,
        failure: null,
        why: null,
      }
    : { slot: answer.slot, proposal_hash: null, readings: 0, failure: answer.code, why: answer.why };
}

/** What the best reading asks: it may settle a refusal. */
function listQuestions({ ranking, seed }: Read, hash: (value: Json) => string): readonly OpenQuestion[] {
  const claims: readonly Claim[] = ranking.kept[0]?.candidate.claims ?? [];
  return claims
    .filter(({ kind }) => kind === 'question')
    .map((claim) => makeQuestion({ id: hash(describeIdentity(claim, seed)), claim }, seed));
}

function rankingEvents({ vetoed, kept, pruned }: Ranking): readonly IntentEvent[] {
  const out = vetoed.map(
    ({ candidate, vetoes }): IntentEvent => ({
      t: 'vetoed',
      slot: candidate.from.slot,
      index: candidate.index,
      name: candidate.reading.name,
      vetoes,
    }),
  );
  const scored = [...kept, ...pruned].map(({ candidate, supporters, score }, rank): IntentEvent => {
    const { slot } = candidate.from;
    return {
      t: 'scored',
      slot,
      index: candidate.index,
      name: candidate.reading.name,
      supporters: supporters.map(({ from }) => from.slot),
      parts: score.parts,
      total: score.total,
      rank,
      kept: rank < kept.length,
    };
  });
  return [...out, ...scored];
}

function chosenEvent(ranking: Ranking, winner: Ranked): IntentEvent {
  return {
    t: 'chosen',
    name: winner.candidate.reading.name,
    tie_break: ranking.tieBreak,
    margin: Math.min(PPM, computeMargin(ranking)),
  };
}

/** What became of each reading, best first, the vetoed ones last. */
function fates({ kept, pruned, vetoed }: Ranking): Json {
  const scored = [...kept, ...pruned].map(({ candidate, score }) => ({
    name: candidate.reading.name,
    total: score.total,
    veto: null,
  }));
  return [
    ...scored,
    ...vetoed.map(({ candidate, vetoes }) => ({
      name: candidate.reading.name,
      total: null,
      veto: vetoes[0]?.code ?? null,
    })),
  ];
}
