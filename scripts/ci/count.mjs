/**
 * Counts a Vitest JSON report: prints "PASSED FAILED". A file that did not load, a test that did not run
 * (CI forbids skips) and a run that failed without a failed test each count as failed.
 */
import { existsSync, readFileSync } from 'node:fs';

const [path, exitCode] = process.argv.slice(2);
const files = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : [];
let passed = 0;
let failed = 0;
for (const { status, assertionResults } of files) {
  const bad = assertionResults.filter((test) => test.status !== 'passed').length;
  passed += assertionResults.length - bad;
  failed += bad === 0 && status !== 'passed' ? 1 : bad;
}
if (failed === 0 && (exitCode !== '0' || passed === 0)) failed = 1;
console.log(`${passed} ${failed}`);
