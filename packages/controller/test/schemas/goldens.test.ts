/**
 * What roles answered, evaluations, Megrams and reports of every committed run of the controller, the memory and the
 * auditor fit their schemas. Policies, inputs, requests and artifacts are in `test/golden-net.test.ts`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { field, isObject, type EvidenceRecord, type Json, type Shape } from '@assay/kernel';
import { closed } from '@assay/kernel/shape';
import { validator } from '../../../kernel/tools/validator.js';
import { AUDIT_REPORT } from '../../src/audit/report.js';
import { ASK_KINDS, parseAnswer, REQUESTS, type AskKind } from '../../src/protocol/requests.js';
import { MEGRAM_FIELDS } from '../../src/memory/megram.js';
import { TAG_NAME } from '../../src/memory/tag.js';
import { evaluationSchema, finalResultSchema } from '../../src/schemas/results.js';

const MEGRAM = closed({ ...TAG_NAME, ...MEGRAM_FIELDS });

/** True where a shape and its JSON Schema take a value, as the machine and a reader of `schemas/` do. */
function fits(shape: Shape, value: Json): boolean {
  const judge = judges.get(shape) ?? validator(shape);
  judges.set(shape, judge);
  return shape(value) === null && judge(value);
}
const judges = new Map<Shape, (value: Json) => boolean>();

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

  it('what was answered, exactly where the machine could read it', () => {
    for (const proposal of payloads(list, 'proposal')) {
      if (!isObject(proposal) || (field(proposal, 'failure') ?? null) !== null) continue;
      const kind = field(requests.get(field(proposal, 'request_id')) ?? {}, 'kind');
      if (!isKind(kind)) return expect.fail(String(kind));
      const value = field(proposal, 'value') ?? null;
      expect(fits(REQUESTS[kind].answer, value)).toBe(parseAnswer(value, { kind })._tag === 'Right');
    }
  });

  it('evaluations and the result', () => {
    const directives = payloads(list, 'decision')
      .flatMap((decision) => itemsOf(decision, 'events'))
      .filter((event) => isObject(event) && field(event, 'kind') === 'PlanDirective');
    for (const event of directives)
      expect(
        fits(evaluationSchema, (event as { readonly body: { readonly evaluation: Json } }).body.evaluation),
      ).toBe(true);
    const artifacts = payloads(list, 'artifact') as readonly {
      readonly name: string;
      readonly content: Json;
    }[];
    expect(artifacts.map(({ name }) => name).toSorted()).toEqual(['evaluation', 'final_result']);
    for (const { content, name } of artifacts)
      expect(fits(name === 'evaluation' ? evaluationSchema : finalResultSchema, content)).toBe(true);
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
    for (const { megram } of megrams) expect(fits(MEGRAM, megram as Json)).toBe(true);
    for (const { reply } of recalls) expect(fits(REQUESTS.recall.answer, reply as Json)).toBe(true);
  });

  it('the golden report, and no report with another key, code or count', () => {
    const report = JSON.parse(readFileSync(new URL('troubled.report.json', AUDITED), 'utf8')) as {
      readonly anomalies: readonly Json[];
    };
    expect(fits(AUDIT_REPORT, report as Json)).toBe(true);
    for (const wrong of [
      { more: 1 },
      { records: -1 },
      { anomalies: [{ ...(report.anomalies[0] as object), code: 'bored' }] },
      { format: 'assay/audit-report/2' },
    ])
      expect(validator(AUDIT_REPORT)({ ...report, ...wrong } as Json)).toBe(false);
  });
});
