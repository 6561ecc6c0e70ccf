/**
 * How a controller run with language models is driven: within its budget, with notes of the calls begun; a
 * time limit is for what models are asked.
 *
 * @module
 */
import { ACCEPTS, ASK_KINDS } from '@assay/controller';
import { liveDrive, type LiveDrive, type LiveOptions } from '../run/live-drive.js';

/**
 * The drive. `--llm timeout` holds for judgements, and neither for a person nor for work, which has limits of its
 * own. Raises `Stop`: `budget`, `llm`.
 */
export async function modelDrive(options: LiveOptions): Promise<LiveDrive> {
  const { deadlines, ...live } = await liveDrive(options);
  if (deadlines === undefined) return live;
  const judged = ASK_KINDS.filter((kind) => kind !== 'execute' && ACCEPTS[kind].includes('live_model'));
  return {
    ...live,
    deadlines: { kinds: Object.fromEntries(judged.map((kind) => [kind, deadlines.call ?? null])) },
  };
}
