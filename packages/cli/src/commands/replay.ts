/**
 * `assay replay`: every decision derived again from the recorded answers.
 *
 * @module
 */
import { field, isObject, type Json } from '@assay/kernel';
import type { VerifyDocument } from '@assay/verifier';
import type { Context } from './context.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { machineAdvice, machinesFor } from '../options/machines.js';
import { jsonShown } from '../terminal/json.js';
import { show, styled } from '../terminal/shown.js';
import { verifyFile } from './verify/verify-file.js';

const VALUE_POINTS = 200;

/**
 * Replays a ledger: exit 0 where every derived record is the recorded one, 1 where one differs, 3 where the
 * chain does not hold, 4 where it could not be done.
 */
export async function replay(
  { output }: Context,
  file: string,
  options: { readonly machine: readonly string[] },
): Promise<ExitCode> {
  const { document } = await verifyFile(
    file,
    { machines: await machinesFor(options.machine, [file]) },
    output,
  );
  const { rederivation, integrity } = document.checks;
  const detail = isObject(rederivation.detail) ? rederivation.detail : {};
  const at = (key: string): Json => field(detail, key) ?? null;
  output.document({
    file: document.file,
    verdict: rederivation.verdict,
    code: rederivation.code,
    record: rederivation.record,
    field: at('field'),
    expected: at('expected'),
    got: at('got'),
    derived: at('derived'),
    due: document.due,
  });
  const advice = await machineAdvice(options.machine, rederivation);
  switch (rederivation.verdict) {
    case 'held':
      output.line(
        show`${document.file}  ${document.head?.count ?? 0} records, ${jsonShown(
          at('derived'),
        )} derived again, identical${dueText(document)}`,
      );
      return EXIT.done;
    case 'failed':
      output.line(
        show`${document.file}  ${styled('bad', show`differs`)} at record ${rederivation.record ?? 0}`,
      );
      for (const key of ['field', 'expected', 'got'] as const)
        output.line(show`  ${key.padEnd(9)}${jsonShown(at(key), VALUE_POINTS)}`);
      if (advice !== null) output.line(show`  ${advice}`);
      return EXIT.no;
    case 'not_checked':
      output.line(
        show`${document.file}  not replayed: ${rederivation.code ?? ''}${
          rederivation.record === null ? '' : ` (record ${rederivation.record})`
        }`,
      );
      if (integrity.verdict === 'failed')
        output.line(
          show`  integrity failed: ${integrity.code ?? ''} at record ${integrity.record ?? 0}; assay verify says more`,
        );
      if (advice !== null) output.line(show`  ${advice}`);
      if (rederivation.code === 'unknown_format')
        output.line(show`  another format, perhaps a newer one; see whether there is a newer assay`);
      return integrity.verdict === 'failed' ? EXIT.failed : EXIT.unchecked;
  }
}

function dueText({ due }: VerifyDocument): string {
  return due === null || due === 0 ? '' : `; it ends inside a group, ${due} records are due`;
}
