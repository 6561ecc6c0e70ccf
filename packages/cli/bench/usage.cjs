/** Writes what a process used to the file that ASSAY_USED names: CPU milliseconds of all threads, peak MiB. */
const { writeFileSync } = require('node:fs');
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.ASSAY_USED,
    JSON.stringify({ cpu_ms: (userCPUTime + systemCPUTime) / 1_000, peak_mib: maxRSS / 1_024 }),
  );
});
