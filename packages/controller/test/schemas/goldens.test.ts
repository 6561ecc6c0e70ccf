/**
 * Every committed run of the controller, of the memory and of the auditor fits the schemas, wherever it says
 * something that has one.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { field, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { ASK_KINDS, type AskKind } from '../../src/index.js';
import { controllerAnswerSchemas } from '../../src/schemas/answers.js';
import { controllerAskSchemas } from '../../src/schemas/asks.js';
import { megramSchema } from '../../src/schemas/memory-documents.js';
import { controllerInputSchema, controllerPolicySchema } from '../../src/schemas/policy.js';
import { auditReportSchema, evaluationSchema, finalResultSchema } from '../../src/schemas/results.js';
import { parseAnswer } from '../../src/protocol/requests.js';

const FOLDER = new URL('../../../../golden-fixtures/', import.meta.url);
const AUDITED = new URL('../audit/golden/', import.meta.url);
const names = readdirSync(FOLDER).filter((name) => /^(?:controller|memory)-/.test(name));
const isKind = (kind: Json | undefined): kind is AskKind => ASK_KINDS.some((known) => known === kind);

function records(path: URL): readonly EvidenceRecord[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
}
const ledgers = new Map([
  ...names.map((name) => [name, records(new URL(`${name}/ledger.jsonl`, FOLDER))] as const),
  ['audit/troubled', records(new URL('troubled.ledger.jsonl', AUDITED))] as const,
]);
const controllers = [...ledgers].filter(([name]) => !name.startsWith('memory-'));
const payloads = (list: readonly EvidenceRecord[], kind: string): readonly Json[] =>
  list.flatMap((record) => (record.kind === kind ? [(record.payload ?? null) as Json] : []));
const itemsOf = (value: Json, name: string): readonly Json[] => {
  const items = isObject(value) ? field(value, name) : null;
  return Array.isArray(items) ? (items as readonly Json[]) : [];
};

describe.each(controllers)('%s', (_, list) => {
  const requests = new Map(
    payloads(list, 'decision')
      .flatMap((decision) => itemsOf(decision, 'requests'))
      .flatMap((request) => (isObject(request) ? [[field(request, 'id'), request] as const] : [])),
  );

  it('policy and input', () => {
    for (const genesis of payloads(list, 'genesis')) {
      if (!isObject(genesis)) return expect.fail('no genesis');
      expect(controllerPolicySchema.safeParse(field(genesis, 'policy'))).toMatchObject({ success: true });
      expect(controllerInputSchema.safeParse(field(genesis, 'input'))).toMatchObject({ success: true });
    }
  });

  it('what was asked', () => {
    expect(requests.size).toBeGreaterThan(0);
    for (const request of requests.values()) {
      const kind = field(request, 'kind');
      if (!isKind(kind)) return expect.fail(String(kind));
      expect(controllerAskSchemas[kind].safeParse(field(request, 'body'))).toMatchObject({ success: true });
    }
  });

  it('what was answered, exactly where the machine could read it', () => {
    for (const proposal of payloads(list, 'proposal')) {
      if (!isObject(proposal) || (field(proposal, 'failure') ?? null) !== null) continue;
      const kind = field(requests.get(field(proposal, 'request_id')) ?? {}, 'kind');
      if (!isKind(kind)) return expect.fail(String(kind));
      const value = field(proposal, 'value') ?? null;
      expect(controllerAnswerSchemas[kind].safeParse(value).success).toBe(
        parseAnswer(value, { kind })._tag === 'Right',
      );
    }
  });

  it('evaluations and the result', () => {
    const directives = payloads(list, 'decision')
      .flatMap((decision) => itemsOf(decision, 'events'))
      .filter((event) => isObject(event) && field(event, 'kind') === 'PlanDirective');
    for (const event of directives)
      expect(
        evaluationSchema.safeParse(
          (event as { readonly body: { readonly evaluation: Json } }).body.evaluation,
        ),
      ).toMatchObject({ success: true });
    const artifacts = payloads(list, 'artifact') as readonly {
      readonly name: string;
      readonly content: Json;
    }[];
    expect(artifacts.map(({ name }) => name).toSorted()).toEqual(['evaluation', 'final_result']);
    for (const { content, name } of artifacts)
      expect((name === 'evaluation' ? evaluationSchema : finalResultSchema).safeParse(content)).toMatchObject(
        { success: true },
      );
  });
});

describe('memory and auditor', () => {
  it('Megrams and recalls of the golden memories', () => {
    const events = [...ledgers].flatMap(([name, list]) =>
      name.startsWith('memory-')
        ? payloads(list, 'decision').flatMap((decision) => itemsOf(decision, 'events'))
        : [],
    ) as unknown as readonly { readonly t: string; readonly megram?: Json; readonly reply?: Json }[];
    const megrams = events.filter(({ t }) => t === 'remembered');
    const recalls = events.filter(({ t }) => t === 'recalled');
    expect([megrams.length > 10, recalls.length > 1]).toEqual([true, true]);
    for (const { megram } of megrams) expect(megramSchema.safeParse(megram)).toMatchObject({ success: true });
    for (const { reply } of recalls)
      expect(controllerAnswerSchemas.recall.safeParse(reply)).toMatchObject({ success: true });
  });

  it('the golden report, and no report with another key, code or count', () => {
    const report = JSON.parse(readFileSync(new URL('troubled.report.json', AUDITED), 'utf8')) as {
      readonly anomalies: readonly Json[];
    };
    expect(auditReportSchema.safeParse(report)).toMatchObject({ success: true });
    for (const wrong of [
      { more: 1 },
      { records: -1 },
      { anomalies: [{ ...(report.anomalies[0] as object), code: 'bored' }] },
      { format: 'assay/audit-report/2' },
    ])
      expect(auditReportSchema.safeParse({ ...report, ...wrong }).success).toBe(false);
  });
});
