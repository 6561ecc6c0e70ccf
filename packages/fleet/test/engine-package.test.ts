import { describe, expect, it } from 'vitest';
import { bullmqEngine, dbosEngine } from '../src/index.js';
import { loadPackage } from '../src/engines/package.js';

describe('engines', () => {
  it('a package that is missing, or another major of it, is `engine_package` with the line to type', async () => {
    const load = (): Promise<string> => Promise.resolve('loaded');
    const of = (name: string, version: string): Promise<unknown> => loadPackage({ name, version }, load);
    await expect(of('@assay/no-such-engine', '1.2.3')).rejects.toMatchObject({
      code: 'engine_package',
      install: 'npm install @assay/no-such-engine@1.2.3',
    });
    await expect(of('bullmq', '5.0.0')).rejects.toMatchObject({
      code: 'engine_package',
      message: expect.stringContaining('of version 6.'),
    });
    expect(await of('bullmq', '6.0.0')).toBe('loaded');
  });

  it('an address of another kind is refused, its password shown nowhere', async () => {
    const options = { url: 'http://me:canary-password@host/0', schema: 's' };
    for (const make of [dbosEngine, bullmqEngine]) {
      // oxlint-disable-next-line no-await-in-loop -- one engine after the other
      const error = (await make(options).catch((raised: unknown) => raised)) as Error;
      expect(error).toMatchObject({ code: 'engine_url' });
      expect(`${error.message}${error.stack ?? ''}`).not.toContain('canary');
    }
  });
});
