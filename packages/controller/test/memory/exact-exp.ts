/** exp(−n/d) with whole numbers, to 10^-30: an oracle that shares nothing with the code under test. */
const DIGITS = 60n;
const ONE = 10n ** DIGITS;

/** exp(−n/d) in units of 10^-60: halved until small, summed as a series, squared back. */
function expScaled(n: bigint, d: bigint): bigint {
  let halvings = 0n;
  while (n * 16n > d << halvings) halvings += 1n;
  let term = ONE;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k += 1n) {
    sum += term;
    term = (-term * n) / (k * (d << halvings));
  }
  for (; halvings > 0n; halvings -= 1n) sum = (sum * sum) / ONE;
  return sum;
}

/** What exp(−k · Δt) is, in units of 10^-18. */
export function exactAtto(k_ppm_per_day: number, elapsed_us: number): bigint {
  return (
    expScaled(BigInt(k_ppm_per_day) * BigInt(elapsed_us), 86_400_000_000n * 1_000_000n) /
    10n ** (DIGITS - 18n)
  );
}
