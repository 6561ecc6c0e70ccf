/**
 * `node main.mjs postgres://… yes|no`: starts the run of the scenario. With `wait` behind it: only waits for
 * what DBOS recovers.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { refunds } from '../refunds/machine.mjs';
import { genesis, ports, till } from '../refunds/scenario.mjs';
import { registerDesk } from './desk.mjs';

const [, , url, word = 'no', wait] = process.argv;
const store = orThrow(openUrl(url));
// The version is ours, of what decides: the default is a hash over DBOS's own version, too.
DBOS.setConfig({
  name: 'desk',
  systemDatabaseUrl: url,
  applicationVersion: `refunds-${refunds.version}`,
  executorID: 'desk-1',
  logLevel: 'error',
});
const desk = registerDesk(refunds, genesis, store, ports(word, till));
await DBOS.launch();
const { run_id: runId } = genesis;
const handle =
  wait === 'wait'
    ? DBOS.retrieveWorkflow(runId)
    : await DBOS.startWorkflow(desk, { workflowID: runId })(runId);
console.log(await handle.getResult());
await DBOS.shutdown();
await store.close();
