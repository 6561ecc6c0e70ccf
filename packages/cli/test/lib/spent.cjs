// Loaded before the command: at its end, writes the milliseconds of CPU it used to the file that ASSAY_SPENT
// names.
const { writeFileSync } = require('node:fs');

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.ASSAY_SPENT, String((user + system) / 1000));
});
