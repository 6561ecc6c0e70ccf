/**
 * The two probes that every host is put through, with the host's own means and without Assay: a run of three
 * recorded answers whose total is the sum. Is it noticed when one recorded answer is altered at rest, and
 * when the reducer has changed and the steps have not?
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The recorded answers, what one of them is altered to, and the totals. */
export const ANSWERS = [4_200, 7_000, 300];
export const [FROM, TO] = [7_000, 700];
export const TOTAL = 11_500;

/** The reducer that the run was recorded with, and the one that it is taken up with. */
export const add = (total, cents) => total + cents;
export const changed = (total, cents) => total + 2 * cents;

/**
 * What the host makes of it: `work` gives the total that its replay ends with. An error is what it noticed.
 */
export async function seen(work) {
  try {
    const total = await work();
    return total === TOTAL ? `the recorded total, ${TOTAL}` : `not noticed: ends with ${total}`;
  } catch (error) {
    return `noticed: ${error.name === 'Error' ? error.message.split('. ')[0] : error.name}`;
  }
}

/** Versions of packages in the `node_modules` of a folder. */
export function versionsOf(folder, names) {
  return names.map((name) => {
    const manifest = join(folder, 'node_modules', ...name.split('/'), 'package.json');
    return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
  });
}

/**
 * Prints the row of a host. `control`: its own replay, nothing altered. `shape`: what happens where the steps
 * differ, too.
 */
export function print(row) {
  if (!row.control.startsWith('the recorded total'))
    throw new Error(`the probe of ${row.host} is wrong: ${row.control}`);
  console.log(JSON.stringify(row));
}
