/** What a person is shown: the request, what was fixed beforehand, and what was said so far. */
import {
  findQuestionClass,
  readClaimText,
  type Claim,
  type InterpretationsBody,
  type Quote,
  type SeedText,
} from '@assay/kernel/intent';
import { showAtom } from '@assay/kernel/intent-view';

/** The request and its pins, and how to answer. */
export function openingLines({ seed_text, pin, n }: InterpretationsBody): readonly string[] {
  return [
    'A reading of this request is asked of you.',
    '',
    ...seed_text.split('\n').map((line) => `  | ${line}`),
    '',
    ...(pin.length === 0
      ? ['Nothing was fixed beforehand.']
      : ['Fixed beforehand:', ...pin.map(({ modality, atom }) => `  ${modality} ${showAtom(atom)}`)]),
    '',
    `Say claim by claim what the request commits to, each by its own words. Up to ${n} ` +
      `${n === 1 ? 'reading' : 'readings'}.`,
    'At any question: :undo takes the last claim back, :quit gives up.',
  ];
}

/** Where some words stand, each place with what is around it. */
export function placeLines(seed: SeedText, places: readonly Quote[]): readonly string[] {
  return [
    'These words stand in several places:',
    ...places.map(
      ({ start, end }, index) =>
        `  ${index + 1}  … ` +
        `${oneLine(seed.slice({ start: Math.max(0, start - AROUND), end: Math.min(seed.length, end + AROUND) }))} ` +
        '…',
    ),
  ];
}

/** What a reading says so far. */
export function claimLines(
  claims: readonly Claim[],
  assumptions: readonly string[],
  seed: SeedText,
): readonly string[] {
  return [
    ...claims.map((claim, index) => `  ${index + 1}  ${claimShown(claim, seed)}`),
    ...assumptions.map((assumption) => `  assumed: ${assumption}`),
  ];
}

/** One claim in a line. */
export function claimShown(claim: Claim, seed: SeedText): string {
  const { kind, modality, atom, scope } = claim;
  const parts = (['condition', 'exception', 'actor'] as const).flatMap((part) =>
    scope[part] === null ? [] : [`${part} "${oneLine(seed.slice(scope[part]))}"`],
  );
  const said = kind === 'question' ? `question (${findQuestionClass(claim) ?? ''})` : modality;
  const measure = kind === 'question' || atom === null ? [] : [showAtom(atom)];
  return [`${said} "${oneLine(readClaimText(claim, seed))}"`, ...measure, ...parts].join('   ');
}

const AROUND = 30;

function oneLine(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}
