import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore, openUrl } from '@assay/host/store-file';

describe('openUrl', () => {
  it('opens a path as it stands and a file URL percent-decoded', async () => {
    const { path, remove } = await temporaryFolder();
    const folder = join(path, 'a b%20ü');
    await mkdir(folder);
    const written = fileStore(folder);
    orThrow(await written.append('run', null, smallChain('run', 1)));
    await written.close();
    for (const url of [`file:${folder}`, pathToFileURL(folder).href]) {
      const store = orThrow(openUrl(url));
      expect(orThrow(await store.list())).toEqual(['run']);
      await store.close();
    }
    await remove();
  });

  it('refuses other schemes, an empty path and hosts, each naming the address', () => {
    for (const url of [
      'sqlite:x',
      'x',
      '',
      'file:',
      'File:x',
      'file://host/share',
      'file:a\0b',
      'file:///%zz',
    ]) {
      expect(openUrl(url)).toEqual({ _tag: 'Left', left: { code: 'url', url, detail: 'expected file:DIR' } });
    }
  });
});
