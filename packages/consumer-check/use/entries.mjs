/** Imports every entry of every installed package; prints how many names each exports. */
const entries = process.argv.slice(2);

for (const entry of entries) {
  const names = Object.keys(await import(entry)).sort();
  if (names.includes('default')) throw new Error(`${entry} has a default export`);
  console.log(`${entry}: ${names.length} names`);
}
