/** `assay check`: what was agreed, planned or written, held against what it is asked. */
import { misuse, type ExitCode, EXIT } from '../problems/problem.js';
import type { Context } from '../call/output.js';
import { type GoalOptions, capIn, isTemplate, planSource, type GivenCap } from '../kits/planner/goal.js';
import {
  evaluatePack,
  renderDecimal,
  type CheckEvidence,
  type CheckReason,
  type CheckVerdict,
  type PackVerdict,
  PACK_FORMAT,
  parseEvidence,
  QUOTE_POINTS_MAX,
  type VerificationPack,
} from '@assay/kernel/intent';
import { showAtom } from '@assay/kernel/intent-view';
import { requireOneStdin, shortenName, readJson } from '../files/read.js';
import { cut, padded, show, styled, type Shown, inked, commandLine, textIn } from '../terminal/shown.js';
import { field, isObject, parseShape } from '@assay/kernel';
import { verificationPackSchema } from '@assay/kernel/schemas';
import {
  isFit,
  planDocument,
  planPicture,
  raisedCaps,
  typeAmount,
  tellReport,
  type RaisedCap,
} from '@assay/planner/picture';
import { checkPlan } from '@assay/planner/schedule';
import { drawPicture } from '@assay/views';
import { deciding } from '../terminal/signals.js';

/**
 * Checks a pack against observations, a contract (`.js`) against cases, a gate's policy, or else a plan. Exit 0
 * where it holds, 1 where it does not, 4 where a plan's figure is missing. Raises `Stop`.
 */
export async function check(
  context: Context,
  what: string | undefined,
  against: string | undefined,
  options: GoalOptions,
): Promise<ExitCode> {
  const isContract = what?.endsWith('.js') === true;
  if (what !== undefined && against !== undefined)
    return isContract
      ? (await import('./check-contract.js')).checkContract(context, what, against)
      : checkPack(context, what, against);
  if (isContract || what?.endsWith('verification-pack.json') === true)
    throw misuse(
      'argument_needed',
      'a contract is checked against cases, and a pack against evidence',
      what ?? '',
      'assay check CONTRACT CASES, or assay check PACK EVIDENCE',
    );
  if (what?.endsWith('.json') === true) {
    const { checkPolicyFile, readPolicyFile } = await import('./check-policy.js');
    const policy = await readPolicyFile(what);
    if (policy !== null) return checkPolicyFile(context, policy, what);
  }
  return checkPlanFile(context, what, options);
}

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
 * Evaluates a pack and prints each check: exit 0 where all that bind pass, also where none binds, else 1.
 */
async function checkPack({ output }: Context, path: string, evidence: string): Promise<ExitCode> {
  requireOneStdin([path, evidence]);
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
  )}"${cut(text, 2 * QUOTE_POINTS_MAX)}" (${demand}): ${REASONS[reason]}${
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

/**
 * Reads a pack. Raises `Stop` (exit 2): `pack` for another format, another shape or two
 * checks of one id, and those of reading JSON.
 */
async function readPack(path: string): Promise<VerificationPack> {
  const value = await readJson(path);
  const format = isObject(value) ? field(value, 'format') : undefined;
  if (format !== PACK_FORMAT)
    throw misuse(
      'pack',
      typeof format === 'string'
        ? `not a verification pack; its format is ${format}`
        : 'not a verification pack',
      shortenName(path),
      `name the verification-pack.json of a run (format ${PACK_FORMAT})`,
    );
  const parsed = parseShape<VerificationPack>(verificationPackSchema, value);
  if (parsed._tag === 'Left')
    throw misuse(
      'pack',
      `not a verification pack: invalid at ${parsed.left.path || 'its root'}`,
      shortenName(path),
      'use the file as assay run wrote it; its schema is schemas/verification-pack.schema.json',
    );
  const ids = parsed.right.checks.map(({ id }) => id);
  const again = ids.find((id, index) => ids.indexOf(id) !== index);
  if (again !== undefined)
    throw misuse(
      'pack',
      `two checks of this pack have the id ${again}`,
      shortenName(path),
      'use the file as assay run wrote it',
    );
  return parsed.right;
}

/** Reads evidence. Raises `Stop` (exit 2): `evidence`, and those of reading JSON. */
export async function readEvidence(path: string): Promise<readonly CheckEvidence[]> {
  const parsed = parseEvidence(await readJson(path));
  if (parsed._tag === 'Right') return parsed.right;
  throw misuse(
    'evidence',
    `not a list of observations: invalid at ${textIn(parsed.left.detail, 'path') || 'its root'}`,
    shortenName(path),
    'write it like [{"check_id": "check-1", "observed": 187.5, "unit": "ms", "source": "load ' +
      'test of 3 May"}]; observed is a number (at most 9 digits behind the point), true or ' +
      'false, or text',
  );
}

/** Judges a plan, as `assay plan` does: exit 0 where it fits, as planned or with changes, else 1. Raises `Stop`. */
async function checkPlanFile(
  { output }: Context,
  given: string | undefined,
  options: GoalOptions,
): Promise<ExitCode> {
  const caps = options.cap.map(capIn);
  const { plan } = await planSource(given, caps, 'check');
  const path = given ?? '';
  // A signal that came meanwhile is heeded first.
  await new Promise((resolve) => setImmediate(resolve));
  deciding();
  const report = checkPlan(plan);
  const story = tellReport(plan, report);
  const next = nextCommand(path, caps, raisedCaps(story), story.hours);
  const name = isTemplate(path) ? (path.split(',')[0] ?? '') : shortenName(path);
  output.document({ plan: name, ...planDocument(plan, report), next: next === null ? [] : [next] });
  const picture = planPicture(story);
  for (const line of drawPicture(picture)) output.line(inked(line));
  if (next !== null) {
    output.line();
    output.line(show`next        ${commandLine(next)}`);
  }
  output.brief(show`${name}: ${picture.verdict}`);
  return isFit(story.now) ? EXIT.done : EXIT.no;
}

/** The command that tries the caps under which the plan fits; null where none helps or is needed. */
function nextCommand(
  path: string,
  caps: readonly GivenCap[],
  needed: readonly RaisedCap[],
  hours: number,
): readonly string[] | null {
  if (needed.length === 0 || path === '-') return null;
  const isNeeded = (id: string): boolean => needed.some(({ held }) => held.id === id);
  const spelt = (id: string, op: string, text: string): readonly string[] => [
    '--cap',
    `${id}${op === '<' ? '<' : '='}${text}`,
  ];
  return [
    'assay',
    'check',
    path.startsWith('-') ? `./${path}` : path,
    ...caps.filter(({ id }) => !isNeeded(id)).flatMap(({ id, op, text }) => spelt(id, op, text)),
    ...needed.flatMap(({ held, to }) => spelt(held.id, held.op, typeAmount(to, held.unit, hours))),
  ];
}
