/**
 * `npm run demo`: installs and builds where needed, then shows the kernel's hash chain on three records:
 * the chain holds, one edited field does not.
 */
import { prepare } from './lib/prepare.mjs';

prepare();
const { Ledger, orThrow, validateChain } = await import('../packages/kernel/dist/index.js');

const ledger = new Ledger();
const notes = ['a request came in', 'a model proposed an answer', 'the kernel decided'];
notes.forEach((text, index) => orThrow(ledger.append(`demo#${String(index).padStart(12, '0')}`, 'note', { text })));
const edited = ledger.records.map((record, index) => (index === 1 ? { ...record, payload: { text: 'a person proposed an answer' } } : record));

for (const record of ledger.records) console.log(`${record.ts}  ${record.record_hash.slice(0, 16)}…  ${record.payload.text}`);
console.log(`as written:            ${show(validateChain(ledger.records))}`);
console.log(`one field edited:      ${show(validateChain(edited))}`);
console.log('What this does not show: a chain whose every hash was computed again also holds. Re-deriving the decisions is the verifier\'s part.');

function show(result) {
  return result._tag === 'Right' ? `integrity held, ${result.right.count} records` : `integrity failed: ${result.left.code} at record ${result.left.record}`;
}
