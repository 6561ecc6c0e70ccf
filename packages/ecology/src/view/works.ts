/** The works of a world: who made them, who has them now, and what became of them. */
import type { Panel, Row } from '@assay/kernel/view';
import { readText } from '@assay/kernel/shape';
import { field, isArray, isObject } from '@assay/kernel';
import { isLive, type Artifact, type EcologyState } from '../world/state.js';
import { nameScore } from './auctions.js';
import type { EcologyFold } from './fold.js';
import { count, said, scripAmount } from './people.js';

const WORKS_MAX = 20;

/** Artifacts that are no agents and that genesis does not own: those with the best scores first, then the most used. */
export function worksPanel({ auctions, tallies, sold }: EcologyFold, state: EcologyState): readonly Panel[] {
  const scores = new Map(
    auctions.flatMap(({ winners }) => winners.map(({ artifact_id, score }) => [artifact_id, score] as const)),
  );
  const uses = new Map<string, number>();
  const use = (user: string, id: string, times: number): void => {
    const thing = state.things.get(id);
    if (isLive(thing) && thing.owner !== user) uses.set(id, (uses.get(id) ?? 0) + times);
  };
  for (const [key, { times }] of tallies.invokes) {
    const [user = '', id = ''] = key.split(' ');
    use(user, id, times);
  } // any order
  for (const [, { from, why, times }] of tallies.paid)
    if (why.startsWith('read ')) use(from, why.slice('read '.length), times); // any order
  const works = state.things
    .sorted()
    .flatMap(([, thing]) =>
      isLive(thing) && !thing.has_standing && thing.owner !== 'genesis' ? [thing] : [],
    )
    .map((thing) => ({
      thing,
      score: scores.get(thing.id),
      used: uses.get(thing.id) ?? 0,
      price: sold.get(thing.id),
    }))
    .sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || b.used - a.used || (b.price ?? 0) - (a.price ?? 0));
  if (works.length === 0) return [];
  return [
    {
      id: 'artifacts',
      title: 'Who made what',
      says: 'Works that exist now. Uses: calls and paid reads by others than the owner. Sold for: scrip of its last sale.',
      page: 'overview',
      block: {
        t: 'table',
        columns: ['artifact', 'kind', 'made by', 'owner now', 'score', 'uses by others', 'sold for'],
        rows: works.slice(0, WORKS_MAX).map(
          ({ thing, score, used, price }): Row => ({
            record: null,
            cells: [
              said(thing.id),
              nameKind(thing),
              thing.creator === 'genesis' ? 'the world file' : said(thing.creator),
              said(thing.owner),
              score === undefined ? null : nameScore(score),
              count(used),
              price === undefined ? null : scripAmount(price),
            ],
            tone: 'plain',
          }),
        ),
      },
      left_out: Math.max(0, works.length - WORKS_MAX),
    },
  ];
}

function nameKind({ can_execute, interface: has }: Artifact): string {
  if (!can_execute) return 'content';
  const tools = isObject(has) ? field(has, 'tools') : undefined;
  const isContract = isArray(tools) && tools.some((tool) => readText(tool, 'name') === 'check_permission');
  return isContract ? 'contract' : 'code';
}
