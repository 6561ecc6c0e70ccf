#!/usr/bin/env node
// Committed, so that npm finds and links the command at install time, before anything is built. It imports
// nothing before it has looked at the version: an old Node fails on the first import.
const [major, minor] = process.versions.node.split('.').map(Number);
const stop = (problem) => {
  process.stderr.write(`assay: ${problem}\n`);
  process.exitCode = 2;
};
if (major < 20 || (major === 20 && minor < 19))
  stop(`Node 20.19 or newer is needed; this is ${process.versions.node}`);
else {
  const bundle = new URL('../dist/bundle/assay.js', import.meta.url);
  const { existsSync } = await import('node:fs');
  if (existsSync(bundle)) await import(bundle.href);
  else stop('not built yet: npm run build');
}
