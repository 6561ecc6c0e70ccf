#!/usr/bin/env node
// Committed: npm links it before a build. An old Node imports nothing.
const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);
const built = new URL('../dist/bundle/assay.js', import.meta.url);
const fault =
  major * 100 + minor < 2019
    ? `Node 20.19 or newer is needed; this is ${node}`
    : !(await import('node:fs')).existsSync(built) && 'not built yet: npm run build';
if (fault) {
  process.stderr.write(`assay: ${fault}\n`);
  process.exitCode = 2;
} else await import(built);
