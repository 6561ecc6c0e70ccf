import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { appendTo, createAll, readErrno, makeDurableFolderSync, writeAll } from '@assay/host/files';

const folder = mkdtempSync(join(tmpdir(), 'assay-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

test('files are written all or none, in folders that are made, and replace what was there', async () => {
  const [one, two] = [join(folder, 'all', 'one'), join(folder, 'all', 'deep', 'two')];
  await writeAll([{ path: one, bytes: text('1') }]);
  await writeAll([
    { path: one, bytes: text('2') },
    { path: two, bytes: text('3') },
  ]);
  expect([readFileSync(one, 'utf8'), readFileSync(two, 'utf8')]).toEqual(['2', '3']);
  const refused = writeAll([
    { path: one, bytes: text('4') },
    { path: join(folder, 'all', 'deep'), bytes: text('5') },
  ]);
  await expect(refused).rejects.toMatchObject({
    fault: { code: 'is_folder', path: join(folder, 'all', 'deep') },
  });
  const below = writeAll([{ path: join(one, 'below'), bytes: text('6') }]);
  await expect(below).rejects.toMatchObject({ fault: { code: 'unwritable' } });
  expect(readFileSync(one, 'utf8')).toBe('2');
  expect(readdirSync(join(folder, 'all')).sort()).toEqual(['deep', 'one']);
});

test('a file that must not exist yet is never replaced, and none beside it is left', async () => {
  const path = join(folder, 'new');
  writeFileSync(path, 'kept');
  const refused = createAll([
    { path: `${path}.first`, bytes: text('1') },
    { path, bytes: text('2') },
  ]);
  await expect(refused).rejects.toMatchObject({ fault: { code: 'exists', path } });
  expect(readdirSync(folder).filter((name) => name.startsWith('new'))).toEqual(['new']);
  expect(readFileSync(path, 'utf8')).toBe('kept');
});

test('lines go to the end of a file, and folders are made within a call', () => {
  const path = join(folder, 'lines', 'file');
  appendTo(path, text('a\n'));
  appendTo(path, text('b\n'));
  expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  makeDurableFolderSync(join(folder, 'made', 'twice'));
  makeDurableFolderSync(join(folder, 'made', 'twice'));
  mkdirSync(join(folder, 'made', 'twice', 'below'));
});

test('a failure of the system has a name, and nothing else has one', () => {
  const failed = (given: object): Error => Object.assign(new Error('no'), given);
  expect(
    [
      failed({ code: 'ENOSPC' }),
      failed({ code: 'ERR_FS_EISDIR', syscall: 'rm' }),
      failed({ code: 'UNKNOWN', errno: -constants.errno.EDQUOT }),
      failed({ code: 'ERR_OUT_OF_RANGE' }),
      failed({ syscall: 'open' }),
      { code: 'ENOSPC' },
    ].map(readErrno),
  ).toEqual(['ENOSPC', 'ERR_FS_EISDIR', 'EDQUOT', null, null, null]);
});
