/**
 * `node program.mjs URL ID record|recover`: a DBOS workflow of three steps. `record` stands still behind the
 * third, to be killed; `recover` prints what DBOS's recovery ends with. CHANGED: `helper`, what the workflow
 * calls; `text`, the workflow itself; `step`, the name of a step.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { add, ANSWERS, changed } from '../../testing/probe.mjs';

const [, , url, id, mode] = process.argv;
const { CHANGED: what } = process.env;
const reduce = what === 'helper' ? changed : add;
const nameOf = (index) => (what === 'step' && index === 1 ? 'another' : `answer-${index}`);
const stand = async () => {
  if (mode !== 'record') return;
  console.log('recorded');
  await new Promise(() => setInterval(() => undefined, 1_000));
};

async function total() {
  let sum = 0;
  for (let index = 0; index < ANSWERS.length; index += 1)
    sum = reduce(sum, await DBOS.runStep(async () => ANSWERS[index], { name: nameOf(index) }));
  await stand();
  return sum;
}

async function totalWritten() {
  let sum = 0;
  for (let index = 0; index < ANSWERS.length; index += 1)
    sum += 2 * (await DBOS.runStep(async () => ANSWERS[index], { name: nameOf(index) }));
  await stand();
  return sum;
}

DBOS.setConfig({ name: 'probe', systemDatabaseUrl: url, logLevel: 'error' });
const workflow = DBOS.registerWorkflow(what === 'text' ? totalWritten : total, { name: 'total' });
await DBOS.launch();
if (mode === 'record') await DBOS.startWorkflow(workflow, { workflowID: id })();
else {
  const result = DBOS.retrieveWorkflow(id)
    .getResult()
    .catch((error) => ({ error: error.message }));
  const ended = await Promise.race([
    result,
    new Promise((resolve) => setTimeout(() => resolve(null), 10_000)),
  ]);
  console.log(JSON.stringify({ ended }));
  process.exit();
}
