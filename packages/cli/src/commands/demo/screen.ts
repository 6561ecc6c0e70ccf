/** The demo's screen, part by part. */
import { formatHeadLine } from '@assay/kernel';
import type { Block, Cell, Picture } from '@assay/kernel/view';
import { CHECKS, type VerifyDocument } from '@assay/verifier';
import { forTerminal, inkText } from '@assay/views';
import { listOpen } from '../../start/uncovered.js';
import { checkLine } from '../tamper.js';
import { COLUMNS, fitted, folded, show, styled, wrapped, type Shown } from '../../terminal/shown.js';
import { scoreLines, type Shot } from './attack-lines.js';
import type { DemoRun } from './decide.js';
import { INSTRUCTION } from './hand-written.js';
import { VERSION } from '../../terminal/version.js';

const LEAD = 12;
const REQUEST_LINES = 3;

/**
 * What one can do with the run's results: the folder they are in, and the hash of one that anybody can
 * recompute.
 */
export type Kept = {
  readonly ledger: string;
  readonly file: string;
  readonly hash: string;
  readonly record: number;
};

/** The request, who answered it, what the hostile answer changed, and what a pin excluded. */
export function askedLines(
  { text, pin, isUnmoved }: DemoRun,
  picture: Picture,
  isOurs: boolean,
): readonly Shown[] {
  const words = wrapped(forTerminal(`"${text.replaceAll(/[\t\n\r ]+/g, ' ')}"`), COLUMNS - LEAD).slice(
    0,
    REQUEST_LINES + 1,
  );
  const request = words.slice(0, REQUEST_LINES).map((line, index) =>
    fitted(
      headed(index === 0 ? 'request' : '', {
        parts: [
          {
            text: index === REQUEST_LINES - 1 && words.length > REQUEST_LINES ? `${line} …` : line,
            style: null,
          },
        ],
      }),
    ),
  );
  const answers = answersIn(picture);
  const proposals = answers.map(([, by = '', source = '', readings = '', failed = ''], index) => {
    const who = ink(`${by} (${source})`);
    const brought =
      failed === '' ? `${readings} ${readings === '1' ? 'reading' : 'readings'}` : `failed: ${failed}`;
    const line = show`${source.startsWith('synthetic') ? styled('open', who) : who}: ${ink(brought)}`;
    return fitted(headed(index === 0 ? 'proposed' : '', line));
  });
  if (!isOurs)
    return [
      ...request,
      ...proposals,
      headed(
        'left out',
        show`a pin, a veto by it and a hostile answer: they are written for our own request`,
      ),
    ];
  return [
    ...request,
    ...(pin === null
      ? []
      : [headed('pinned', show`no_card_data = true: fixed beforehand by the person who asks`)]),
    ...proposals,
    headed(
      'hostile',
      show`${ink(answers.find(([slot]) => slot === 'note')?.[1] ?? '')} says "${INSTRUCTION}"`,
    ),
    headed(
      '',
      isUnmoved === true
        ? show`${styled(
            'good',
            show`changed nothing`,
          )}: decided again without that sentence, the results are the same bytes`
        : styled('bad', show`it changed something`),
    ),
  ];
}

/** Each answer of a run, in order: slot, by whom, source, readings, why it was not accepted. Escaped. */
function answersIn({ panels }: Picture): readonly (readonly string[])[] {
  const block = panels.find(({ id }) => id === 'answers')?.block;
  return block?.t === 'table' ? block.rows.map(({ cells }) => cells.map(renderWord)) : [];
}

function renderWord(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' && 'n' in cell ? String(cell.n) : inkText(cell).replace(/^"(.*)"$/s, '$1');
}

/** The veto of each reading that was out before scoring, with both sides. */
export function vetoLines(picture: Picture): readonly Shown[] {
  return (findScores(picture)?.rows ?? [])
    .filter(({ total }) => total === null)
    .slice(0, 2)
    .flatMap(({ label, note }) => {
      // Who gave the reading, then each veto behind a dot: the first decides.
      const pieces = typeof note === 'string' ? [note] : note;
      const [first = 0, second] = pieces.flatMap((piece, index) =>
        typeof piece === 'string' && piece.startsWith(' · ') ? [index] : [],
      );
      const code = inkText(pieces.slice(first, first + 1)).replaceAll(/[ ·:]/g, '');
      const slot = inkText(pieces.slice(0, 1)).slice(1, -1);
      return [
        headed(
          'vetoed',
          show`${ink(inkText(label))} of ${ink(slot)}, before scoring: ${styled('bad', ink(code))}`,
        ),
        headed('', ink(inkText(pieces.slice(first + 1, second)))),
      ].flatMap((line) => folded(line, LEAD));
    });
}

/** Text of a picture, which is escaped already. */
function ink(text: string): Shown {
  return { parts: [{ text, style: null }] };
}

/** Scores, what was decided, what is not covered, and what would flip it. */
export function decidedLines({ ended, text, pin }: DemoRun, picture: Picture): readonly Shown[] {
  const scores = findScores(picture);
  return [
    ...(scores === null ? [] : scoreLines(scores, ended.status === 'success')),
    headed(
      picture.verdict.toLowerCase(),
      styled(picture.tone === 'good' ? 'good' : 'open', ink(inkText(picture.subject))),
    ),
    headed('because', ink(inkText(picture.because))),
    ...listOpen(text, ended.artifacts, pin !== null),
    ...flipLine(picture),
  ].flatMap((line) => folded(line, LEAD));
}

function findScores({ panels }: Picture): Extract<Block, { readonly t: 'stack' }> | null {
  const block = panels.find(({ id }) => id === 'scores')?.block;
  return block?.t === 'stack' ? block : null;
}

/** The first change that has another reading win. */
function flipLine(picture: Picture): readonly Shown[] {
  const block = picture.panels.find(({ id }) => id === 'flips')?.block;
  if (block?.t !== 'facts' || block.rows.length === 0) return [];
  if (findScores(picture)?.rows.length === 1)
    return [headed('to flip', show`nothing: there is one reading, and no other that could win`)];
  const found = block.rows.find(({ tone }) => tone === 'open')?.value ?? null;
  return found === null || (typeof found === 'object' && 'unit' in found)
    ? [headed('to flip', show`no single change of a weight, pin, answer or claim has another reading win`)]
    : [headed('to flip', ink(inkText(found)))];
}

/** The five verdicts, and the three attacks with what fires. */
export function checkedLines(document: VerifyDocument, attacks: readonly Shot[]): readonly Shown[] {
  return [
    show``,
    styled('strong', show`five checks, never one tick`),
    ...CHECKS.map((check) => checkLine(check, document.checks[check])),
    show``,
    styled('strong', show`three attacks on copies of this run`),
    ...attacks.flatMap(({ lines }) => lines),
    show``,
  ].map((line) => fitted(line));
}

/** With its version: in a folder that lacks it npx would fetch whatever has the bare name. */
const COMMAND = `npx @assay/cli@${VERSION}`;

/** The head, a hash to recompute, and what to try next. */
export function nextLines({ ended }: DemoRun, kept: Kept | null): readonly Shown[] {
  const head = formatHeadLine(ended.head);
  const own = show`${COMMAND} demo "Keep logs for 30 days. Pages should load fast."  # your own`;
  const kept_ = [
    headed('head', show`${head}`),
    headed('', show`keep this line elsewhere, with someone else: it is what tells attack 3`),
  ];
  if (kept === null)
    return [
      ...kept_,
      headed('left out', show`a hash to recompute: this folder cannot be written`),
      headed('next', own),
    ];
  return [
    ...kept_,
    headed('recompute', show`sha256sum ${kept.file}`),
    headed('', show`${kept.hash}   as record ${kept.record} says`),
    headed('next', show`${COMMAND} show ${kept.ledger}`),
    headed('', own),
    // The one backslash is ours: it carries the command on.
    headed('', { parts: [...show`${COMMAND} verify ${kept.ledger} `.parts, { text: '\\', style: null }] }),
    headed('', show`--head ${head}`),
  ];
}

function headed(title: string, line: Shown): Shown {
  return show`${title.padEnd(LEAD)}${line}`;
}
