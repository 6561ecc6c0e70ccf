/**
 * What was missed and what was wrong in one request, for a person who looks for the reason.
 *
 * @module
 */
import { renderAtom, renderDecimal, type Atom, type Quote, type SeedText } from '@assay/kernel/intent';
import type { KnownClaim, KnownQuantity } from './annotation.js';
import { isSameAtom } from './atoms.js';
import { overlapOf, type Overlap } from './overlap.js';
import type { FoundClaim, FoundQuantity } from './reading.js';
import { both, isSameSide, type Judged, type Matched } from './score.js';
import { trapName } from './traps.js';

const QUOTE_POINTS = 110;
const LABEL_WIDTH = 15;

/** The lines of one request; none where all is as annotated. */
export function detailLines(judged: Judged): readonly string[] {
  const lines = [
    ...refusalLines(judged),
    ...claimLines(judged),
    ...polarityLines(judged),
    ...quantityLines(judged),
    ...otherLines(judged),
  ];
  return lines.length === 0
    ? []
    : [
        `${judged.annotated.name}  reading ${judged.read.name === '' ? '(none)' : judged.read.name}`,
        ...lines,
      ];
}

function refusalLines({ annotated: { refusal, matching }, read: { refused } }: Judged): readonly string[] {
  if (refusal === null) return refused.length === 0 ? [] : [line('false refusal', `${refused.join(', ')}`)];
  // The other format has names of its own for the reasons.
  return (matching.isWhole ? refused.includes(refusal) : refused.length > 0)
    ? []
    : [line('refusal', `annotated ${refusal}, was ${refused.length === 0 ? 'decided' : refused.join(', ')}`)];
}

function claimLines({ annotated: { matching }, read: { seed }, requirement }: Judged): readonly string[] {
  const { known, found } = requirement;
  const differ = (one: KnownClaim, other: FoundClaim): string => {
    const parts = [
      ...(matching.isWhole && one.modality !== other.modality ? ['modality'] : []),
      ...(2 * overlapOf(one.quote, other.quote).shared < overlapOf(one.quote, other.quote).joined
        ? ['words']
        : []),
      ...(matching.isWhole && !isSameAtom(one.atom, other.atom) ? ['atom'] : []),
    ];
    return parts.length === 0 ? 'taken by another' : `${parts.join(', ')} differ`;
  };
  const missed = lonely(requirement, 'known').flatMap((one) => {
    const near = nearest(one, found);
    return [
      line('missed', claimShown(one, seed)),
      ...(near === null ? [] : [line('  nearest', `${claimShown(near, seed)}  ${differ(one, near)}`)]),
    ];
  });
  const surplus = lonely(requirement, 'found').flatMap((other) => {
    const near = nearest(other, known);
    return [
      line(
        'surplus',
        `${claimShown(other, seed)}${near === null ? '  nothing annotated here' : `  ${differ(near, other)}`}`,
      ),
    ];
  });
  return [...missed, ...surplus];
}

function polarityLines({ read: { seed }, polarity }: Judged): readonly string[] {
  const wrong = both(polarity).filter(({ known, found }) => !isSameSide(known, found));
  return wrong.map(({ known, found }) =>
    line('polarity', `annotated ${known.modality}, read ${claimShown(found, seed)}`),
  );
}

function quantityLines({ read: { seed }, quantityValue, quantityOperator }: Judged): readonly string[] {
  const operators = quantityValue.pairs.flatMap(({ known, found }) => {
    const [one, other] = [quantityValue.known[known], quantityValue.found[found]];
    const isRight = quantityOperator.pairs.some((pair) => pair.known === known);
    return one === undefined || other === undefined || isRight
      ? []
      : [
          line(
            'operator',
            `annotated ${quantityShown(one, seed)}, read ${other.isAbout ? 'about ' : ''}${other.op}`,
          ),
        ];
  });
  return [
    ...lonely(quantityValue, 'known').map((one) => line('no quantity', quantityShown(one, seed))),
    ...lonely(quantityValue, 'found').map((one) => line('odd quantity', quantityShown(one, seed))),
    ...operators,
  ];
}

function otherLines({
  annotated,
  read: { seed, unquoted },
  vague,
  contradiction,
  fired,
}: Judged): readonly string[] {
  const words = (quote: Quote): string => quoted(quote, seed);
  return [
    ...annotated.vague
      .filter((_, index) => vague.known[index] !== true)
      .map((quote) => line('not asked', `vague ${words(quote)}`)),
    ...lonely(contradiction, 'known').map(({ a, b }) =>
      line('no contradiction', `${words(a)} against ${words(b)}`),
    ),
    ...lonely(contradiction, 'found').map(({ a, b }) =>
      line('odd contradiction', `${words(a)} against ${words(b)}`),
    ),
    ...fired.map((trap) => line('trap', `${trapName(trap)}`)),
    ...(unquoted === 0 ? [] : [line('no quote', `${unquoted} demands`)]),
  ];
}

/** What of one side stands in no pair. */
function lonely<K, F>(matched: Matched<K, F>, side: 'known'): readonly K[];
function lonely<K, F>(matched: Matched<K, F>, side: 'found'): readonly F[];
function lonely<K, F>({ known, found, pairs }: Matched<K, F>, side: 'known' | 'found'): readonly (K | F)[] {
  const taken = new Set(pairs.map((pair) => pair[side]));
  return (side === 'known' ? known : found).filter((_, index) => !taken.has(index));
}

/** The one of some claims whose words overlap most, null where none does. */
function nearest<C extends { readonly quote: Quote }>(
  { quote }: { readonly quote: Quote },
  claims: readonly C[],
): C | null {
  let best: { readonly claim: C; readonly overlap: Overlap } | null = null;
  for (const claim of claims) {
    const overlap = overlapOf(quote, claim.quote);
    if (
      overlap.shared > 0 &&
      (best === null || overlap.shared * best.overlap.joined > best.overlap.shared * overlap.joined)
    )
      best = { claim, overlap };
  }
  return best?.claim ?? null;
}

function claimShown(
  { modality, quote, atom }: { readonly modality: string; readonly quote: Quote; readonly atom: Atom | null },
  seed: SeedText,
): string {
  return `${modality} ${quoted(quote, seed)}${atom === null ? '' : ` {${renderAtom(atom)}}`}`;
}

function quantityShown({ quote, op, value, unit }: KnownQuantity | FoundQuantity, seed: SeedText): string {
  return (
    `${op} ${typeof value === 'string' ? value : renderDecimal(value)} ` +
    `${unit ?? '(no unit)'} in ${quoted(quote, seed)}`
  );
}

function quoted(quote: Quote, seed: SeedText): string {
  return `"${shortened(seed.slice(quote))}"`;
}

function line(label: string, rest: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)} ${rest}`;
}

function shortened(text: string): string {
  const points = [...text];
  return points.length <= QUOTE_POINTS ? text : `${points.slice(0, QUOTE_POINTS - 1).join('')}…`;
}
