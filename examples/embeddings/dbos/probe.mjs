/**
 * `node probe.mjs postgres://…`: DBOS's recorded steps, recovered from after an edit and with changed code.
 * Prints one JSON document. Each run is killed behind its third step, and recovered by a process of its own,
 * at the application version that DBOS computes by itself.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sql } from '../testing/database.mjs';
import { FROM, print, seen, TO, versionsOf } from '../testing/probe.mjs';
import { killedAt } from '../testing/runs.mjs';

const [, , url] = process.argv;
const program = join(import.meta.dirname, 'probe', 'program.mjs');

/** Records a run, does something to the tables, and has DBOS recover it. */
async function recovered(id, what = '', edit) {
  await killedAt('recorded', [program, url, id, 'record']);
  await edit?.(id);
  const printed = execFileSync(process.execPath, [program, url, id, 'recover'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
    env: { ...process.env, CHANGED: what },
  });
  const { ended } = JSON.parse(printed.trim().split('\n').at(-1));
  if (typeof ended === 'number') return ended;
  const [{ status }] = await sql(url, 'SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1', [
    id,
  ]);
  throw new Error(ended === null ? `not recovered, ${status} after 10 s` : ended.error);
}

const edit = (id) =>
  sql(url, 'UPDATE dbos.operation_outputs SET output = replace(output, $2, $3) WHERE workflow_uuid = $1', [
    id,
    String(FROM),
    String(TO),
  ]);

print({
  host: 'DBOS',
  versions: versionsOf(import.meta.dirname, ['@dbos-inc/dbos-sdk']),
  control: await seen(() => recovered('control')),
  edited: await seen(() => recovered('edited', '', edit)),
  changed: await seen(() => recovered('changed', 'helper')),
  text: await seen(() => recovered('text', 'text')),
  shape: await seen(() => recovered('shape', 'step')),
});
