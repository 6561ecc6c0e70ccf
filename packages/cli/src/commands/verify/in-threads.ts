/**
 * Many files verified by several threads; the reports are those of one thread.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import type { VerifyReport } from '@assay/verifier';
import { makeThreads } from '../../files/threads.js';
import { plainOptions, type VerifyFlags } from '../../options/verify.js';
import { verifyFile } from './verify-file.js';

/** What each thread is given. */
export type VerifyOrder = { readonly files: readonly string[]; readonly flags: VerifyFlags };

/**
 * The reports of files, by their place in the list, without the indexes that comparing two files needs.
 * Missing: what has to be verified in this thread: files of one run, which are compared, and those with which
 * something went wrong, so that it is told as ever.
 */
export async function verifiedInThreads(
  workers: number,
  order: VerifyOrder,
): Promise<ReadonlyMap<number, VerifyReport>> {
  const { files } = order;
  const { asks, end } = makeThreads<string, VerifyReport | null>(workers, 'verify', order);
  const reports = new Map<number, VerifyReport>();
  const at = { next: 0 };
  const work = async (ask: (path: string) => Promise<VerifyReport | null>): Promise<void> => {
    for (let index = at.next; index < files.length; index = at.next) {
      at.next += 1;
      const path = files[index] ?? '-';
      const report = path === '-' ? null : await ask(path);
      if (report !== null) reports.set(index, report);
    }
  };
  try {
    await Promise.all(asks.map(work)).catch(() => undefined);
  } finally {
    end();
  }
  const runs = [...reports.values()].map(genesisIn);
  return new Map(
    [...reports].filter(([, report]) => {
      const own = genesisIn(report);
      return own === null || runs.filter((one) => one === own).length === 1;
    }),
  );
}

function genesisIn({ facts }: VerifyReport): string | null {
  return facts.summary?.genesis_hash ?? null;
}

/** What a thread does: it is sent names of files and verifies them. */
export function verifySent({ files, flags }: VerifyOrder, port: MessagePort): void {
  const options = plainOptions(files, flags);
  // Whoever asks is told.
  options.catch(() => undefined);
  port.on('message', (path: string) => {
    void options
      .then((given) => verifyFile(path, { ...given, keepIndex: false }, { progress: () => undefined }))
      // The thread that asked does it again, and tells.
      .catch((): VerifyReport | null => null)
      .then((report) => port.postMessage(report));
  });
}
