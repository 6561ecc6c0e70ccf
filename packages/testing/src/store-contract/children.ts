/**
 * Writers as child processes: started, asked, killed.
 *
 * @module
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Acknowledged } from './writer.js';

/** Children of one test file, each running one script (see {@link serveWriter}). */
export class Children {
  private readonly living = new Set<ChildProcess>();

  /** Starts a child, and returns when it is ready. */
  async start(script: string, args: readonly string[]): Promise<ChildProcess> {
    const child = fork(script, [...args], { stdio: 'inherit', execArgv: ['--no-warnings'] });
    this.living.add(child);
    await told(child);
    return child;
  }

  /** Kills a child (SIGKILL), and returns when it has ended. */
  async kill(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    this.living.delete(child);
  }

  /** Kills those that are left. */
  killAll(): void {
    for (const child of this.living) child.kill('SIGKILL');
    this.living.clear();
  }

  /**
   * Kills `kills` writers one after the other, each while it goes on (`loop`), at moments spread over 28 ms;
   * `look` is called after each with the last append that any of them acknowledged. How many appends were
   * acknowledged in all.
   */
  async killAgainAndAgain(
    kills: number,
    start: () => Promise<ChildProcess>,
    look: (last: Acknowledged) => Promise<void>,
  ): Promise<number> {
    let last: Acknowledged = { count: 0, hash: '' };
    let appends = 0;
    for (let round = 0; round < kills; round += 1) {
      const child = await start();
      child.on('message', (message: Acknowledged) => {
        last = message;
        appends += 1;
      });
      await ask(child, 'loop');
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 29));
      await this.kill(child);
      await look(last);
    }
    return appends;
  }
}

/** Sends a child a message; its answer. */
export async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const answer = told(child);
  child.send(message);
  return answer;
}

/** The next message of a child; one that ends instead is an error. */
async function told(child: ChildProcess): Promise<unknown> {
  return Promise.race([
    once(child, 'message').then(([message]: readonly unknown[]) => message),
    once(child, 'exit').then(([code]: readonly unknown[]) =>
      Promise.reject(new Error(`the child ended: ${String(code)}`)),
    ),
  ]);
}
