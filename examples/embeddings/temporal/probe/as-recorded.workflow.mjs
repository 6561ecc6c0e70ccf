/** Sums what three activities answer. */
import { proxyActivities, proxySinks } from '@temporalio/workflow';

const { answer } = proxyActivities({ startToCloseTimeout: '1 minute' });

/**
 * `reduce` is what the other files of this folder change. A replay does not give its result, so a sink does.
 */
export async function total(count, reduce = (sum, cents) => sum + cents) {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum = reduce(sum, await answer(index));
  proxySinks().probe.ended(sum);
  return sum;
}
