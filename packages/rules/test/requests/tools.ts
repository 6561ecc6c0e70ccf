import { hashCanonical, orThrow } from '@assay/kernel';
import {
  findContradictions,
  findQuestionClass,
  renderAtom,
  SeedText,
  type Claim,
  type Interpretation,
  type InterpretationsBody,
  type PinAtom,
} from '@assay/kernel/intent';
import { proposeByRules } from '@assay/rules';

/** The request for readings of a text. */
export function bodyOf(seed_text: string, pin: readonly PinAtom[] = []): InterpretationsBody {
  return { slot: 'rules', seed_hash: orThrow(hashCanonical(seed_text)), seed_text, n: 16, pin };
}

/** All readings of a text. */
export function readingsIn(text: string): readonly Interpretation[] {
  return (proposeByRules(bodyOf(text)).value ?? []) as unknown as readonly Interpretation[];
}

/** The claims of a reading of a text, the literal one unless named by how its name begins. */
export function commitsIn(text: string, name = 'literal'): readonly Claim[] {
  return readingsIn(text).find((reading) => reading.name.startsWith(name))?.commits ?? [];
}

/**
 * Demands as `modality «words» op value unit [if …] [except …] [by …]`, questions as `? «words» class`. Keys
 * are left out.
 */
export function linesOf(text: string, name = 'literal'): readonly string[] {
  const seed = new SeedText(text);
  return commitsIn(text, name).map((claim) => lineOf(claim, seed));
}

/** The demands among {@link linesOf}. */
export function demandsOf(text: string): readonly string[] {
  return linesOf(text).filter((line) => !line.startsWith('?'));
}

/** The questions among {@link linesOf}. */
export function questionsOf(text: string): readonly string[] {
  return linesOf(text).filter((line) => line.startsWith('?'));
}

/** The keys of a text's atoms, in order. */
export function keysOf(text: string): readonly string[] {
  return commitsIn(text).flatMap(({ kind, atom }) =>
    kind === 'question' || atom === null ? [] : [atom.key],
  );
}

/** How many contradictions follow from the literal reading. */
export function contradictionCount(text: string): number {
  return findContradictions(commitsIn(text), new SeedText(text)).length;
}

function lineOf(claim: Claim, seed: SeedText): string {
  const { modality, quote, atom, scope } = claim;
  const words = quote === null ? '' : `«${seed.slice(quote)}»`;
  const asks = findQuestionClass(claim);
  if (asks !== null) return `? ${words} ${asks}`;
  const value = atom === null ? [] : [renderAtom(atom).slice(atom.key.length + 1)];
  const scopes = (
    [
      ['if', scope.condition],
      ['except', scope.exception],
      ['by', scope.actor],
    ] as const
  ).flatMap(([name, part]) => (part === null ? [] : [`[${name} ${seed.slice(part)}]`]));
  return [modality, words, ...value, ...scopes].join(' ');
}
