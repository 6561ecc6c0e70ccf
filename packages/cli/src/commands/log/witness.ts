/** `assay log witness`: cosigns the checkpoints of a log that only grows. */
import { type Witnessed, witnessLog } from '@assay/attest/node';
import type { LogWitnessDocument } from '@assay/attest/schemas';
import type { Context, Output } from '../../call/output.js';
import { EXIT, type ExitCode } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import { readSecretKey } from '../sign/evidence-files.js';
import { followSteps, LOG_SHELL, withLog } from './problem.js';

/** Options of `log witness`. */
type WitnessFlags = {
  readonly log: string;
  readonly key: string;
  readonly state: string;
  readonly follow?: boolean;
};

const LOOK_MS = 100;
const MS = 1_000;

/**
 * Cosigns the newest checkpoint, once, or with `--follow` each until it is interrupted: 130. Exit 3 where
 * it does not extend the last one that was cosigned; then nothing is signed, and a following witness ends.
 * Raises `Stop`.
 */
export async function cosignLog(context: Context, flags: WitnessFlags): Promise<ExitCode> {
  const secret = readSecretKey(flags.key);
  const once = (): Promise<Witnessed> =>
    withLog(flags.log, () =>
      witnessLog(
        {
          folder: flags.log,
          statePath: flags.state,
          secret,
          now: () => Math.floor(Date.now() / MS),
        },
        LOG_SHELL,
      ),
    );
  if (flags.follow !== true) {
    tellWitnessed(context.output, await once());
    return EXIT.done;
  }
  return followSteps(context, LOOK_MS, async () => {
    const { result, checkpoint } = await once();
    return result === 'known' ? null : show`assay: ${checkpoint.size} entries cosigned`;
  });
}

function tellWitnessed(output: Output, { result, checkpoint, isFirst }: Witnessed): void {
  const { origin, size, root } = checkpoint;
  const document: LogWitnessDocument = { result, log: { origin, size, root }, first: isFirst };
  output.document(document);
  output.line(
    result === 'known'
      ? show`${size} entries: cosigned before`
      : isFirst
        ? show`${size} entries: cosigned; this is the first checkpoint of this log that this witness sees`
        : show`${size} entries: cosigned; they extend the last checkpoint`,
  );
}
