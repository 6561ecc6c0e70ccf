import { Life, World } from '../../src/testing/world.ts';

/** Runs an action in virtual time until it settles; what waits for time waits for nothing else. */
export async function virtually<T>(action: (life: Life) => Promise<T>): Promise<T> {
  const world = new World(1);
  const seen = { isSettled: false };
  const result = action(new Life(world, 'p')).finally(() => {
    seen.isSettled = true;
  });
  // It is awaited below; until then a rejection is nobody's fault.
  result.catch(() => undefined);
  while (!seen.isSettled && (await world.step()));
  if (!seen.isSettled)
    await Promise.race([
      result,
      new Promise((_, reject) => setImmediate(() => reject(new Error('it hangs')))),
    ]);
  return result;
}
