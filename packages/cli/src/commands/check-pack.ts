/**
 * `assay check PACK EVIDENCE`: what was observed, held against what was agreed.
 *
 * @module
 */
import {
  evaluatePack,
  renderDecimal,
  type CheckEvidence,
  type CheckReason,
  type CheckVerdict,
  type PackVerdict,
} from '@assay/kernel/intent';
import { showAtom } from '@assay/kernel/intent-view';
import { readEvidence, readPack } from '../files/pack-file.js';
import { shortenName } from '../files/read.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { cut, padded, show, styled, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

const WORDS_POINTS = 60;
const STYLES = { pass: 'good', fail: 'bad', missing: 'open' } as const;
const REASONS: Readonly<Record<CheckReason, string>> = {
  within: 'within the threshold',
  outside: 'outside of the threshold',
  confirmed: 'seen as agreed',
  denied: 'seen otherwise',
  no_evidence: 'nothing was observed',
  question_open: 'it waits for an answer to an open question',
  not_comparable:
    'observed in another kind or unit: without a threshold true or false is asked for, with ' +
    'one an amount of its dimension',
};

/**
 * Evaluates a pack and prints each check: exit 0 where every check that binds passes, else 1. A pack in which
 * nothing binds is exit 0, and it is said.
 */
export async function checkPack({ output }: Context, path: string, evidence: string): Promise<ExitCode> {
  if (path === '-' && evidence === '-')
    throw misuse('stdin', 'standard input can be read only once', '-', 'give - once');
  const pack = await readPack(path);
  const judged = evaluatePack(pack, await readEvidence(evidence));
  const binding = judged.checks.filter(isBinding).length;
  output.document({ file: shortenName(path), evidence: shortenName(evidence), binding, ...judged });
  for (const verdict of judged.checks) {
    output.line(renderLine(verdict));
    if (verdict.status !== 'pass' && isBinding(verdict))
      output.brief(show`${shortenName(path)}: ${verdict.id} ${verdict.status}: ${verdict.reason}`);
  }
  output.line(describeOutcome(judged));
  if (binding === 0) {
    // Nothing can fail here, which a silent pass would hide.
    output.line(
      show`${styled('open', show`no check`)} of this pack binds: ${
        judged.checks.length === 0 ? 'it has none' : 'none is must or must_not'
      }, so this pass says nothing about what was built`,
    );
    output.brief(show`${shortenName(path)}: nothing in it is binding`);
  }
  if (judged.unknown.length > 0)
    output.note(
      show`assay: ${shortenName(evidence)}: the pack has no check ${judged.unknown.join(
        ', ',
      )}; what was observed of it counts for nothing`,
    );
  return judged.outcome === 'pass' ? EXIT.done : EXIT.no;
}

function isBinding({ modality }: CheckVerdict): boolean {
  return modality === 'must' || modality === 'must_not';
}

function renderLine(verdict: CheckVerdict): Shown {
  const { id, modality, status, reason, text, threshold, method } = verdict;
  const demand = threshold === null ? method : showAtom(threshold);
  return show`${padded(styled(STYLES[status], show`${status}`), 9)}${padded(show`${id}`, 10)}${padded(
    show`${modality}`,
    10,
  )}"${cut(text, WORDS_POINTS)}" (${demand}): ${REASONS[reason]}${
    verdict.observed === null ? '' : observedText(verdict.observed)
  }`;
}

function observedText({ observed, unit, source }: CheckEvidence): Shown {
  const value = typeof observed === 'object' ? renderDecimal(observed) : String(observed);
  return show`: ${cut(value, WORDS_POINTS)}${unit === null ? '' : ` ${unit}`}${
    source === '' ? '' : ` (${cut(source, WORDS_POINTS)})`
  }`;
}

function describeOutcome({ outcome, counts, checks }: PackVerdict): Shown {
  const open = checks.filter((verdict) => isBinding(verdict) && verdict.status !== 'pass').length;
  const total = `${counts.pass} pass, ${counts.fail} fail, ${counts.missing} missing`;
  if (!checks.some(isBinding))
    return show`${styled('open', show`pass`)}     ${total}; nothing in it is binding`;
  return outcome === 'pass'
    ? show`${styled('good', show`pass`)}     ${total}; every check that binds passes`
    : show`${styled('bad', show`fail`)}     ${total}; ${open} that ${open === 1 ? 'binds does' : 'bind do'} not pass`;
}
