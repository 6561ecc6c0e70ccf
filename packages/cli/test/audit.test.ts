/** `assay audit`: its document, and text from evidence on a terminal; the verb itself is in `scenarios/audit.txt`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nobleSha256, type Json, type JsonObject } from '@assay/kernel';
import { auditDocumentSchema } from '@assay/controller/schemas';
import { chained, encodeFile, hashValue, type Draft } from '@assay/verifier/attacks';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const GOLDEN = join(ROOT, 'packages', 'controller', 'test', 'audit', 'golden');
const TROUBLED = join(GOLDEN, 'troubled.ledger.jsonl');

test('the document is the golden report', async () => {
  const report: unknown = JSON.parse(readFileSync(join(GOLDEN, 'troubled.report.json'), 'utf8'));
  const document = await calledJson('audit', TROUBLED);
  expect(auditDocumentSchema(document as Json)).toBeNull();
  expect(document).toEqual({ reports: [report], alerts: 6 });
});

test('text from evidence is escaped', async () => {
  const hostile = JSON.stringify('\u001b[31mkeep\u202e it\u0007').slice(1, -1);
  const text = readFileSync(TROUBLED, 'utf8').trimEnd().replaceAll('the flag is set', hostile);
  const drafts = text.split('\n').map((line) => {
    const draft = JSON.parse(line) as Draft;
    if (draft.kind !== 'proposal') return draft;
    const payload = draft.payload as JsonObject;
    const { source = null, confidence = null, value = null } = payload;
    const proposal_hash = hashValue({ source, confidence, value }, nobleSha256);
    return { ...draft, payload: { ...payload, proposal_hash } };
  });
  const ledger = join(folder, 'hostile.jsonl');
  writeFileSync(ledger, encodeFile(chained(drafts, nobleSha256)));
  const { code, stdout } = await called('audit', ledger);
  expect(code).toBe(1);
  // eslint-disable-next-line no-control-regex -- these are what must not be printed
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
  expect(stdout).toContain('hard criterion "\\u{1b}[31mkeep\\u{202e} it\\u{7}"');
  expect((await called('audit', ledger, '--json')).stdout).not.toContain('\u202e');
});
