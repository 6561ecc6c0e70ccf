/** `assay blame`: which fields of a policy flip a run, and from which value on. */
import { nativeSha256 } from '@assay/host';
import { field, isArray, isObject, type Json } from '@assay/kernel';
import type { BlameDocument } from '@assay/kernel/schemas';
import { NO_CHANGE, blame as blamed, changedGiven, derivedAgain, type NoBlame } from '@assay/verifier/impact';
import { soundLedger, underivable } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { describeFault, policyFields } from '../options/override.js';
import { redeciderFrom } from '../options/machines.js';
import { EXIT, misuse, type ExitCode, badValue } from '../problems/problem.js';
import { jsonShown, show, styled, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/output.js';
import { requireGenesis, unknownMachine } from './whatif/fork.js';

const VALUE_POINTS = 60;

/**
 * Blames a run. With one policy the recorded one is the other. Exit 0 with a blame, 1 where the policies do not
 * flip the run, 4 where under one of them it cannot be known. Raises `Stop`.
 */
export async function blame(
  { output }: Context,
  path: string,
  paths: readonly string[],
  { machine: modules }: { readonly machine: readonly string[] },
): Promise<ExitCode> {
  if (paths.length < 1 || paths.length > 2)
    throw badValue(
      'one or two policies are compared',
      paths.join(' '),
      'name one policy to compare with the recorded one, or two',
    );
  const fields = await Promise.all(paths.map(policyFields));
  const { records } = await soundLedger(path);
  const file = shortenName(path);
  const { genesis } = requireGenesis(records, file);
  const machine = await redeciderFrom(modules, genesis.machine);
  if (machine === null) throw unknownMachine(genesis, file);
  const parent = derivedAgain(machine.replays, { genesis, records });
  if (parent._tag === 'Left') throw underivable(parent.left.code, parent.left.record, file, modules);
  const policies = fields.map((policy) => {
    const given = changedGiven(genesis, { ...NO_CHANGE, policy }, machine.view ?? {});
    return given._tag === 'Right' ? given.right.policy : genesis.policy;
  });
  const [a = genesis.policy, b = genesis.policy] =
    policies.length === 1 ? [genesis.policy, ...policies] : policies;
  const found = blamed(parent.right, machine, [a, b], { change: NO_CHANGE, sha256: nativeSha256 });
  if (found._tag === 'Left') return noBlame(found.left, { output, paths });
  const { turn, set, isWhole, thresholds, decided } = found.right;
  const document: BlameDocument = {
    file,
    run_id: genesis.run_id,
    policies: paths,
    fields: found.right.fields,
    flip: turn,
    set,
    every_part_tried: isWhole,
    thresholds,
    decided,
  };
  output.document(document);
  for (const line of renderLines(document)) output.line(line);
  return EXIT.done;
}

function noBlame(
  { code, policy, detail }: NoBlame,
  { output, paths }: { readonly output: Context['output']; readonly paths: readonly string[] },
): ExitCode {
  const which = paths.length === 1 ? (policy === 0 ? 'the recorded policy' : paths[0]) : paths[policy ?? 0];
  if (code === 'refused')
    throw misuse(
      'policy',
      `the machine does not take this policy: ${describeFault(readDetail(detail))}`,
      which ?? '',
      'give a policy that the machine takes',
    );
  const says =
    code === 'no_flip'
      ? show`no flip     the run ends the same under both policies`
      : show`unknown     under ${which ?? ''} it asks something that was never answered`;
  output.document({ flip: null, code });
  output.line(says);
  return code === 'no_flip' ? EXIT.no : EXIT.unchecked;
}

/** What the machine says, beside its code. */
function readDetail(refusal: Json): Json {
  return isObject(refusal) ? (field(refusal, 'detail') ?? null) : null;
}

function renderLines({
  flip,
  fields,
  set,
  every_part_tried,
  thresholds,
  decided,
}: BlameDocument): readonly Shown[] {
  const where = flip.kind === 'outcome' ? '' : `${flip.name}${flip.field}  `;
  return [
    show`flips       ${where}${endShown(flip.was)} → ${endShown(flip.would_be)}`,
    ...set.map(
      (one, index) =>
        show`${(index === 0 ? 'because of' : '').padEnd(12)}${styled('strong', show`${one.path}`)}  ${value(
          one.was,
        )} → ${value(one.would_be)}`,
    ),
    show`            ${set.length} of ${fields.length} fields that differ; ${
      every_part_tried ? 'no part of them flips the run' : 'no single one can be left out'
    }; minimal, not smallest, not unique`,
    ...thresholds.flatMap(({ path, threshold, intervals }) =>
      threshold === null
        ? [
            show`${path}  ${intervals
              .map(({ from, to, result }) => `${from === to ? from : `${from}..${to}`} ${result}`)
              .join(', ')}`,
          ]
        : [show`threshold   ${path}  ${threshold.stays} stays, ${threshold.flips} flips`],
    ),
    show`decided     ${decided} times, from recorded answers alone`,
  ];
}

function endShown(end: unknown): Shown {
  const given = end as Parameters<typeof isObject>[0];
  const status = isObject(given) ? field(given, 'status') : undefined;
  const reasons = isObject(given) ? field(given, 'reasons') : undefined;
  if (typeof status !== 'string' || reasons === undefined || !isArray(reasons)) return value(end);
  return show`${[status, ...reasons.map(String)].join(', ')}`;
}

function value(given: unknown): Shown {
  return jsonShown(given, VALUE_POINTS);
}
