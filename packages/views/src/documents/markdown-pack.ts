/** A verification pack as a Markdown document for people: a line for each check. Source: intent I17, I18. */
import { type Blueprint, type BlueprintClaim, type Check, type VerificationPack } from '@assay/kernel/intent';
import { showAtom } from '@assay/kernel/intent-view';
import { PLACES, quoted, said, section } from './markdown.js';

/**
 * Renders a pack. `blueprint`: the one it belongs to, for the places of words; null if it is not at hand.
 * Takes what fits `verificationPackSchema`. Pure; ends in a line feed.
 */
export function renderPackMarkdown(pack: VerificationPack, blueprint: Blueprint | null = null): string {
  const claims = new Map((blueprint?.claims ?? []).map((claim) => [claim.id, claim] as const));
  const ready = pack.checks.filter(({ waits_for }) => waits_for.length === 0);
  const waiting = pack.checks.filter(({ waits_for }) => waits_for.length > 0);
  return [
    `# Verification pack`,
    '',
    `For the blueprint sha-256 ${said(pack.blueprint_hash)} of the request sha-256 ` +
      `${said(pack.seed_hash)}. \`must\` and \`must_not\` bind.`,
    `Observations go into a list of \`{"check_id", "observed", "unit", "source"}\`: \`assay ` +
      `check verification-pack.json results.json\`. ${PLACES}`,
    ...section(
      'Checks',
      ready.map((check) => checkLine(check, claims)),
    ),
    ...section(
      'Waiting for an answer: cannot pass before',
      waiting.map((check) => `${checkLine(check, claims)}${waitText(check, claims)}`),
    ),
    '',
  ].join('\n');
}

function checkLine(
  { id, claim, modality, method, text, threshold }: Check,
  claims: ReadonlyMap<string, BlueprintClaim>,
): string {
  const from = claims.get(claim);
  const place =
    from === undefined
      ? said(text)
      : from.quote === null
        ? `${from.provenance} · ${said(text)}`
        : quoted({ text, ...from.quote });
  const demand =
    threshold === null
      ? ''
      : ` · ${modality === 'must_not' ? 'must not be' : 'holds where'} ${said(showAtom(threshold))}`;
  return `- ${said(id)} **${modality}** ${place} · ${method}${demand}`;
}

function waitText({ claim, waits_for }: Check, claims: ReadonlyMap<string, BlueprintClaim>): string {
  const others = waits_for
    .filter((id) => id !== claim)
    .map((id) => claims.get(id))
    .filter((found) => found !== undefined);
  return others.length === 0
    ? ''
    : ' · asked of ' +
        `${others.map(({ text, quote }) => (quote === null ? said(text) : quoted({ text, ...quote }))).join(', ')}`;
}
