import { findQuestionClass, renderAtom, SeedText, type Claim } from '@assay/kernel/intent';
import { readRequest } from '../../src/language/index.ts';

/** Demands of a text as the page shows them: force, atom, scope. */
export function demandsOf(text: string): readonly string[] {
  const seed = new SeedText(text);
  return readRequest(text).claims.flatMap(({ kind, modality, atom, scope }) => {
    if (kind === 'question' || atom === null) return [];
    const condition = scope.condition === null ? '' : `, *${seed.slice(scope.condition)}*`;
    const exception =
      scope.exception === null ? '' : seed.slice(scope.exception).replace(/^(?:unless|except) /, '');
    const under = exception === '' ? condition : `${condition}, except *${exception}*`;
    return [`${modality.replace('_', ' ')} \`${renderAtom(atom)}\`${under}`];
  });
}

/** The rules that the unread sentences of a text break. */
export function unreadIn(text: string): readonly string[] {
  return readRequest(text).unread.map(({ rule }) => rule);
}

/** The claims of a text that state something. */
export function statedIn(text: string): readonly Claim[] {
  return readRequest(text).claims.filter(
    (claim) => claim.kind !== 'question' && findQuestionClass(claim) === null,
  );
}
