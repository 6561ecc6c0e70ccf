/**
 * `assay report --serve`: runs in a browser on this machine, also while they grow.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Runs } from '@assay/explorer';
import { maskedAddress } from '@assay/host';
import { readChunks } from '../files/read.js';
import { isPage } from '../files/report-file.js';
import { fileRuns, folderRuns, storeRuns } from '../files/served.js';
import { openStore } from '../files/store.js';
import { EXIT, misuse, unreachable, type ExitCode } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

const PORT_MAX = 65_535;

type Source = { readonly runs: Runs; readonly close: () => Promise<void> };

/**
 * Serves the runs of a file, a folder or a store until it is interrupted: exit 130. Nothing is changed, and
 * nothing is judged here: the page checks what it gets. Raises `Stop`: `listen`, and those of stores and files.
 */
export async function serve(
  { output, interruption }: Context,
  place: string,
  { port, open }: { readonly port: string; readonly open: boolean },
): Promise<ExitCode> {
  const wanted = parsePort(port);
  const { runs, close } = await openSource(place);
  try {
    await interruption.during(async (signal) => {
      const { serveRuns, shellFor } = await import('@assay/explorer');
      const serving = await serveRuns(runs, { page: shellFor('all'), port: wanted });
      if (serving._tag === 'Left')
        throw unreachable(
          'listen',
          `cannot listen on this port (${serving.left.errno})`,
          `127.0.0.1:${wanted}`,
          'give another port with --port, or 0 for a free one',
        );
      const { url, close: end } = serving.right;
      output.document({ url });
      output.line(show`${url}`);
      output.note(show`assay: this is read-only and for this machine only; Ctrl-C ends it`);
      const opened = open ? openBrowser(url) : null;
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      opened?.forget();
      await end();
    });
  } finally {
    await close();
  }
  return EXIT.interrupted;
}

/** A folder or a file that is there, else the address of a store. */
async function openSource(place: string): Promise<Source> {
  const close = (): Promise<void> => Promise.resolve();
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return { runs: folderRuns(place), close };
  if (stat?.isFile() === true) {
    await requireLedger(place);
    return { runs: fileRuns(place), close };
  }
  if (!/^[a-z]+:/.test(place))
    throw misuse(
      'missing_file',
      'no such file or folder',
      place,
      'check the path, or give a store such as file:./runs',
    );
  const store = await openStore(place, { mustExist: true, readsOnly: true });
  return { runs: storeRuns(store, maskedAddress(place)), close: () => store.close() };
}

/** Raises `Stop`, `result_file`, for a report: as a ledger it would be called broken. */
async function requireLedger(place: string): Promise<void> {
  for await (const chunk of readChunks(place)) {
    if (!isPage(chunk)) return;
    throw misuse(
      'result_file',
      'this is a report, which needs no server',
      place,
      'open it in a browser, or check it with assay verify',
    );
  }
}

function parsePort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > PORT_MAX)
    throw misuse(
      'bad_value',
      'not a port',
      `--port ${text}`,
      'give a number from 1 to 65535, or 0 for a free one',
    );
  return port;
}

/**
 * Opens the address in the user's browser; where there is none, the line that was printed is enough. Every process
 * on the machine can read the arguments of another, so the browser gets a file, which only its user can read.
 */
function openBrowser(url: string): { readonly forget: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-view-'));
  const page = join(folder, 'open.html');
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""']
        : ['xdg-open'];
  const child = spawn(command ?? '', [...args, page], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return { forget: () => rmSync(folder, { recursive: true, force: true }) };
}
