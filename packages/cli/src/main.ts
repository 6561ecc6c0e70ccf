/** The process: streams, signals, exit code. */
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { removeUnfinished } from '@assay/host/files';
import { main } from './entry.js';
import { EXIT } from './problems/problem.js';
import { heedSignals, leaveSignals, newInterruption } from './terminal/signals.js';

/**
 * A first signal lets a stored run stop between two records; a second one, or one that nothing heeds, ends
 * the process. While a machine decides, the system ends it. Its code is then 128 and the signal's number as shells
 * show it, and the same is given here.
 */
const interruption = newInterruption();
let interrupted: number = EXIT.interrupted;
heedSignals((signal) => {
  const isSecond = interruption.isRaised();
  interrupted = 128 + constants.signals[signal];
  if (interruption.raise()) return;
  removeUnfinished();
  if (!isSecond) process.exit(interrupted);
  leaveSignals();
  process.kill(process.pid, signal);
});
// The end of the process waits for threads that wait in the system (a named pipe, a medium that hangs), and
// no handler runs any more: from then on a signal is the system's to carry out.
process.once('exit', leaveSignals);

const argv = process.argv.slice(2);

/**
 * A stream that, once it has failed, takes what is written and drops it: the command ends with its own code.
 */
function lasting(
  stream: NodeJS.WriteStream,
  onFailure: (error: Error) => void,
): { readonly write: (text: string) => void; readonly isTTY: boolean } {
  let isLost = false;
  const lose = (error: Error): void => {
    if (isLost) return;
    isLost = true;
    onFailure(error);
  };
  stream.on('error', lose);
  return {
    isTTY: stream.isTTY,
    write: (text) => {
      if (isLost) return;
      try {
        stream.write(text);
      } catch (error) {
        lose(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

const err = lasting(process.stderr, () => undefined);
const out = lasting(process.stdout, (error: NodeJS.ErrnoException) => {
  // A reader that went away (assay … | head) wants no more, and is no fault of ours.
  if (error.code === 'EPIPE') return;
  const isVerbose = (argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv).includes('--verbose');
  err.write(
    'assay: stdout: the answer could not be written whole ' +
      `(${error.code ?? error.message})\n${isVerbose ? `${error.stack ?? ''}\n` : ''}`,
  );
  // Failures keep their own code. Asked last: a write can fail after the command has ended.
  process.once('exit', (code) => {
    if (code === EXIT.done) process.exitCode = EXIT.use;
  });
});

/** Somebody is asked only where they see the question and can answer it. */
const person = isatty(0) && isatty(2) ? { readLine: typedLine() } : {};

/** Lines of the terminal, listened to from the first that is asked for. */
function typedLine(): () => Promise<string | null> {
  let read: (() => Promise<string | null>) | null = null;
  return async () => {
    read ??= (await import('./call/person.js')).lineReader(process.stdin);
    return read();
  };
}

/**
 * A module of the user's machine may end the process in the middle: what was not carried out did not succeed.
 */
let isOver = false;
/** Node's exit code if nothing is left to do and this module still waits. */
const UNSETTLED = 13;
process.once('exit', (code) => {
  if (isOver || (code !== EXIT.done && code !== UNSETTLED)) return;
  process.exitCode = EXIT.defect;
  err.write(
    'assay: the command ended early: a module of --machine ended the process, or its import never ends\n',
  );
});

const exit = await main(argv, { out, err, env: process.env, interruption, ...person });
process.exitCode = exit === EXIT.interrupted ? (interruption.code() ?? interrupted) : exit;
isOver = true;
// What was given up may still hold the process: a person who is asked, a call that heeds no signal.
if (interruption.isRaised()) process.exit();
