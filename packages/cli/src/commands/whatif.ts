/** `assay whatif`: a recorded run under another policy or input, or without some answers. Nobody is asked. */
import { dirname } from 'node:path';
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import type { WhatIfDocument, WhatIfEnd } from '@assay/kernel/schemas';
import type { Picture, Text } from '@assay/kernel/view';
import { encodeFile } from '@assay/verifier/attacks';
import { inputFields, judged, findParting } from '@assay/verifier/impact';
import { inkText } from '@assay/views';
import { soundLedger } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { requireTarget, writeNew } from '../files/write.js';
import { isChange, readChange, withPolicy, type ChangeOptions } from '../options/override.js';
import { takeSettings } from '../options/settings.js';
import { findKit } from '../kits/kits.js';
import { machineWords, openView, viewableFor } from '../options/machines.js';
import { EXIT, type ExitCode, badValue } from '../problems/problem.js';
import { textIn, jsonShown, show, styled, type Shown, commandLine } from '../terminal/shown.js';
import type { Shell } from '../start/kit.js';
import type { Context } from '../call/output.js';
import { compareRows, rowLines } from './whatif/rows.js';
import { makeFork, requireGenesis, type Forked } from './whatif/fork.js';

/** What a call is given. */
export type WhatIfOptions = ChangeOptions & {
  readonly machine: readonly string[];
  readonly run_id?: string;
  readonly output?: string;
};

const VALUE_POINTS = 60;
const FIGURES_SHOWN = 6;

/**
 * Gives the recorded answers of a run again under changes, and shows where the path parts, how both end, and
 * what can no longer be known. Exit 0, whether it parts or not; 3 where the ledger does not hold. Raises
 * `Stop`.
 */
export async function whatif({ output }: Context, path: string, given: WhatIfOptions): Promise<ExitCode> {
  const options = takeSettings(withPolicy(given), ['run_id']);
  const change = await readChange(options);
  const { without, machine: modules, output: target, run_id } = options;
  if (!isChange(change))
    throw badValue(
      'nothing is changed',
      '--set',
      'give a change, such as --set PATH=VALUE or --without PROPOSER',
    );
  if (target !== undefined) requireTarget(target);
  const { records } = await soundLedger(path);
  const file = shortenName(path);
  const first = requireGenesis(records, file).genesis;
  const named = (await (await findKit(first.machine.name))?.paths?.(first, records, change.overrides)) ?? {
    overrides: change.overrides,
    said: [],
    fields: [],
    tell: () => null,
  };
  const asked = { ...change, overrides: named.overrides };
  const view = await viewableFor(modules, first.machine);
  const forked = await makeFork(
    records,
    { ...asked, ...(run_id === undefined ? {} : { run_id }) },
    modules,
    file,
    view ?? {},
  );
  const { parent, fork } = forked;
  const { class: name, flip } = judged(parent, fork, forked.changed, view?.account ?? {});
  const [was, would] = [await viewEnd(modules, parent.records), await viewEnd(modules, fork.records)];
  const [before, after] = [readEnd(parent.records, was), readEnd(fork.records, would)];
  const { compares = {}, describeFork } = (await findKit(first.machine.name)) ?? {};
  const document: WhatIfDocument = {
    file,
    ...readNames(forked),
    changed: [
      ...forked.changed.filter(({ path: at }) => !named.fields.includes(at)),
      ...named.said.map(({ path: at, was, would_be }) => ({ path: at, was, would_be })),
    ],
    without,
    class: name,
    flip: flip?.turn ?? null,
    before,
    after,
    rows: compareRows(was, would, compares),
    ...findParting(parent.records, fork.records, inputFields(forked.changed)),
    unknown: fork.unknown.map(({ id, kind }) => ({ id, kind })),
    assumed: fork.assumed,
    left_out: fork.left_out,
    left_over: fork.left_over,
    files: target === undefined ? [] : [target],
  };
  if (target !== undefined) await writeNew([{ path: target, bytes: encodeFile(fork.records) }]);
  output.document(document);
  const words = new Map(named.said.map((one) => [one.path, one.words]));
  const told = document.parts === null ? null : named.tell(parent.records, fork.records);
  const said =
    document.parts === null
      ? null
      : (describeFork?.(parent.records, fork.records, document.parts.record, document.flip) ?? null);
  for (const line of renderLines(document, words, { told, said }, output.isVerbose)) output.line(line);
  if (target !== undefined && path !== '-')
    output.line(
      show`next        ${commandLine(['assay', 'verify', target, '--with', dirname(path), ...machineWords(modules)])}`,
    );
  return EXIT.done;
}

function readNames({ parent, fork }: Forked): Pick<WhatIfDocument, 'run_id' | 'base'> {
  const genesis = fork.records[0]?.payload;
  const base = isObject(genesis) ? (field(genesis, 'base') ?? null) : null;
  const count = isObject(base) ? field(base, 'count') : null;
  return {
    run_id: textIn(genesis, 'run_id'),
    base: { run_id: parent.genesis.run_id, count: typeof count === 'number' ? count : 1 },
  };
}

/** How a run ends, in the words of its machine's view where there is one. */
function readEnd(records: readonly EvidenceRecord[], picture: Picture | null): WhatIfEnd {
  const close = records.at(-1)?.kind === 'close' ? records.at(-1)?.payload : null;
  const status = textIn(close ?? null, 'status');
  const reasons = isObject(close) ? field(close, 'reasons') : null;
  return {
    outcome: status === 'success' || status === 'refused' ? status : null,
    reasons: isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [],
    verdict: picture?.verdict ?? null,
    subject: picture === null ? null : inkText(picture.subject),
    because: picture?.tone === 'bad' ? becauseIn(picture) : [],
  };
}

async function viewEnd(
  modules: readonly string[],
  records: readonly EvidenceRecord[],
): Promise<Picture | null> {
  const [genesis] = records;
  const viewed = await openView(modules, genesis?.payload as never, records, ['overview', 'decision']);
  return viewed?.t === 'viewed' ? viewed.picture : null;
}

/** Why a run ends badly, and the least raise where a plan has one. */
function becauseIn({ because, panels }: Picture): readonly string[] {
  const raises = panels.flatMap(({ id, block }) => (id === 'raise' && block.t === 'facts' ? block.rows : []));
  const said = raises.flatMap(({ name, value }) =>
    typeof value === 'string' || isArray(value as Json)
      ? [`least raise: ${name} ${inkText(value as Text)}`]
      : [],
  );
  return [inkText(because), ...said].filter((line) => line !== '');
}

/**
 * `words` of changes by path; `told`: how both differ in a sentence, and places in records are then for `--verbose`;
 * `said`: the first difference as a sentence beside its place, and a note.
 */
function renderLines(
  document: WhatIfDocument,
  words: ReadonlyMap<string, string>,
  {
    told,
    said,
  }: {
    readonly told: string | null;
    readonly said: ReturnType<NonNullable<Shell['describeFork']>> | null;
  },
  isVerbose: boolean,
): readonly Shown[] {
  const { before, after, unknown, assumed, left_over, files } = document;
  return [
    ...changeLines(document, words),
    ...(told === null ? [] : [show`changes     ${told}`]),
    ...(said?.note ? [show`note        ${said.note}`] : []),
    ...(said?.sentence ? [show`first       ${said.sentence}`] : []),
    ...(told === null || isVerbose ? placeLines(document) : []),
    show`was         ${endText(before)}`,
    show`would be    ${endText(after)}`,
    ...rowLines(document.rows, isVerbose),
    ...(said?.effect ? [show`effect      ${said.effect}`] : effectLines(document)),
    ...after.because.map(
      (line, index): Shown => ({
        parts: [{ text: `${(index === 0 ? 'because' : '').padEnd(12)}${line}`, style: null }],
      }),
    ),
    ...(unknown.length === 0
      ? []
      : [
          said?.unknown
            ? show`unknown     ${said.unknown}`
            : show`unknown     never answered: ${unknown
                .slice(0, FIGURES_SHOWN)
                .map(({ id, kind }) => `${kind} (${id})`)
                .join(
                  ', ',
                )}${unknown.length > FIGURES_SHOWN ? ` and ${unknown.length - FIGURES_SHOWN} more` : ''}`,
        ]),
    ...(assumed.length === 0
      ? []
      : [
          show`assumed     ${counted(assumed.length, 'answer was', 'answers were')} given before the input was changed`,
        ]),
    ...(left_over.length === 0
      ? []
      : [
          show`left over   ${counted(left_over.length, 'recorded answer was', 'recorded answers were')} not asked for`,
        ]),
    ...files.map((file) => show`written     ${file}`),
  ];
}

/** Where the records part, and which figures differ. */
function placeLines(document: WhatIfDocument): readonly Shown[] {
  const { parts, figures } = document;
  return [
    ...(parts === null ? [show`same        ${sameText(document)}`] : partLines(parts)),
    ...figures
      .slice(0, FIGURES_SHOWN)
      .map((one, index) => show`${(index === 0 ? 'figures' : '').padEnd(12)}${one.field}  ${both(one)}`),
    ...(figures.length <= FIGURES_SHOWN
      ? []
      : [show`            and ${figures.length - FIGURES_SHOWN} more: --json`]),
  ];
}

/** What is done outside otherwise; or that only the way differs. */
function effectLines({ class: name, flip }: WhatIfDocument): readonly Shown[] {
  if (name === 'same_end') return [show`            the same result, reached in another way`];
  if (flip?.kind !== 'effect') return [];
  const isGone = flip.would_be === null;
  const body = jsonShown(isGone ? flip.was : flip.would_be, VALUE_POINTS);
  return [show`effect      ${flip.name} ${body} ${isGone ? 'is no longer requested' : 'is requested anew'}`];
}

function changeLines(
  { changed, without }: WhatIfDocument,
  words: ReadonlyMap<string, string>,
): readonly Shown[] {
  return [
    ...changed.map((one) => {
      const said = words.get(one.path);
      return said === undefined ? show`${one.path}  ${both(one)}` : show`${said}`;
    }),
    ...without.map((name) => show`without the answers of ${name}`),
  ].map((line, index) => show`${(index === 0 ? 'what if' : '').padEnd(12)}${line}`);
}

function both({ was, would_be }: { readonly was: Json; readonly would_be: Json }): Shown {
  return show`${jsonShown(was, VALUE_POINTS)} → ${jsonShown(would_be, VALUE_POINTS)}`;
}

function sameText({ changed, without, figures }: WhatIfDocument): string {
  if (without.length === 0 && changed.every(({ was, would_be }) => isSame(was, would_be)))
    return 'nothing is changed: the recorded run has these values';
  return `every decision says the same${figures.length === 0 ? '' : ', from other figures'}`;
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function partLines(parts: NonNullable<WhatIfDocument['parts']>): readonly Shown[] {
  const at = show`parts       ${styled('strong', show`at decision ${parts.decision}`)}`;
  if (parts.field === '') {
    if (textIn(parts.would_be, 'kind') === 'close') return [show`${at}: the run closes here`];
    if (textIn(parts.was, 'kind') === 'close') return [show`${at}: the run continues here`];
  }
  return [
    show`${at}, ${recordText(parts.record)}: ${parts.field === '' ? 'the whole record' : parts.field}`,
    show`            ${both(parts)}`,
  ];
}

function recordText({ was, would_be }: NonNullable<WhatIfDocument['parts']>['record']): string {
  if (was === null) return 'where nothing was recorded';
  return would_be === null ? `record ${was}, which is not reached` : `record ${was}`;
}

function endText({ outcome, reasons, verdict, subject }: WhatIfEnd): Shown {
  const plain = [outcome ?? 'open', ...reasons].join(', ');
  return verdict === null
    ? show`${plain}`
    : show`${verdict}   ${{ parts: [{ text: subject ?? '', style: null }] }}`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
