/**
 * What `assay task` and `whatif` print with `--json` of a controller run fits the
 * schema published for it, in every way in which a run ends.
 */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { controlDocumentSchema } from '@assay/controller/schemas';
import { whatIfDocumentSchema } from '@assay/kernel/schemas';
import { argv, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { begunIn, tasks } from './lib/tasks.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const FIXTURES = join(ROOT, 'golden-fixtures');
/** Each third golden run of the controller, all in the long lane. */
const goldens = readdirSync(FIXTURES)
  .filter((name) => name.startsWith('controller-'))
  .filter((_, index) => process.env['ASSAY_LANE'] === 'long' || index % 3 === 0);
const ledgerOf = (name: string): string => join(FIXTURES, name, 'ledger.jsonl');

describe('assay task --json', () => {
  test.each(tasks())('a task that $directive speaks of', async (task) => {
    const root = begunIn(at(`golden-${task.name}`), task);
    const document = await calledJson('task', task.task, '--workspace', root, ...task.args, ...task.roles);
    expect(controlDocumentSchema(document as Json)).toBeNull();
    expect(document).toMatchObject({ was_over: false, records_found: 0 });
  });

  test.each([
    ['not understood', 'be nice'],
    ['stopped at a link', 'find * | count -> N; write N to out.txt'],
  ])('abandoned: %s', async (name, text) => {
    const root = at(name);
    mkdirSync(root);
    writeFileSync(join(root, 'a.txt'), 'a');
    symlinkSync('../canary.txt', join(root, 'out.txt'));
    const document = await calledJson('task', text, '--workspace', root, '--set', 'clock=stamps');
    expect(controlDocumentSchema(document as Json)).toBeNull();
    expect(document).toMatchObject({
      status: 'refused',
      stopped_at:
        name === 'stopped at a link'
          ? [{ tool: 'write_file', said: 'symlink: out.txt: a symbolic link stands there' }]
          : [],
    });
    expect(controlDocumentSchema({ ...document, further: 1 } as Json)).not.toBeNull();
  });

  test('resumed after it was over', async () => {
    const [root, store] = [at('over'), `file:${at('over-store')}`];
    mkdirSync(root);
    const done = await calledJson(
      ...argv`task ${'find * | count -> N; write N to n.md'} --workspace ${root} --store ${store}`,
      ...argv`-o ${at('over-out')}`,
    );
    const document = await calledJson('resume', `${store}#${String(done['run_id'])}`);
    expect([controlDocumentSchema(done as Json), controlDocumentSchema(document as Json)]).toEqual([
      null,
      null,
    ]);
    expect(document).toMatchObject({ was_over: true, files: [] });
  });
});

describe('of every golden run of the controller', () => {
  test.each(goldens)('%s: whatif --json', async (name) => {
    for (const set of [['max_replans=1'], ['epsilon=50000', 'delta=1']]) {
      const { code, stdout, stderr } = await called(
        ...argv`whatif ${ledgerOf(name)} ${set.flatMap((one) => ['--set', one])} --json`,
      );
      expect([code, stderr]).toEqual([0, '']);
      expect(whatIfDocumentSchema(JSON.parse(stdout))).toBeNull();
    }
  });
});
