import { Life, World } from '@assay/host/testing';

/** Runs an action in virtual time until it settles; what waits for time waits for nothing else. */
export async function virtually<T>(action: (life: Life) => Promise<T>): Promise<T> {
  const world = new World(1);
  let settled = false;
  const result = action(new Life(world, 'p')).finally(() => {
    settled = true;
  });
  // It is awaited below; until then a rejection is nobody's fault.
  result.catch(() => undefined);
  while (!settled && (await world.step()));
  if (!settled) await Promise.race([result, new Promise((_, reject) => setImmediate(() => reject(new Error('it hangs'))))]);
  return result;
}
