/**
 * The published JSON Schemas: one file in `schemas/` for each.
 *
 * JSON Schema says less than the schemas do; what is missing stands in each description. Lengths count code
 * points there and UTF-16 units here.
 */
import type { Shape } from '../ledger/shape.js';
import { toJsonSchema } from '../shape/json-schema.js';
import {
  blueprintSchema,
  evidenceSchema,
  interpretationsSchema,
  policySchema,
  refusalReportSchema,
  verificationPackSchema,
} from './artifacts.js';
import {
  blameDocumentSchema,
  copyDocumentSchema,
  fleetDocumentSchema,
  impactDocumentSchema,
  runsDocumentSchema,
  submitDocumentSchema,
  verifyDocumentSchema,
  whatIfDocumentSchema,
  workDocumentSchema,
} from './documents.js';
import { explainDocumentSchema } from './explanation.js';
import {
  fixtureExpectedSchema,
  fixtureSchema,
  payloadSchemas,
  recordingSchema,
  recordSchema,
  snapshotSchema,
} from './ledger.js';

const SPANS = 'the end of a span follows its start';
const RUN_IDS =
  'the part of a run id before its first dot is no device name (CON, PRN, AUX, NUL, COM0 ' +
  'to COM9, LPT0 to LPT9, in any case)';
const INTEGERS = 'numbers in free values are integers';
const TOKENS = 'objects with $sealed or $blob are tokens';
const STATES = 'the id in each row of open equals its key';
const BASES =
  `${STATES}; the sequence in the ids of a base snapshot is below the base's count; a base ` +
  'names another run';

/**
 * A schema by the name of its file, `schemas/NAME.schema.json`. `beyond`: what holds too and JSON Schema does
 * not say.
 */
export type Published = readonly [name: string, title: string, schema: Shape, beyond: readonly string[]];

/** The schemas of the kernel. */
export const PUBLISHED: readonly Published[] = [
  [
    'policy',
    'Policy of an intent run',
    policySchema,
    ['the names in proposers differ', 'min_proposals is at most their number', 'one weight is above 0'],
  ],
  [
    'interpretations',
    'Answer to an interpretations request',
    interpretationsSchema,
    [SPANS, 'spans lie in the seed', 'lengths count UTF-16 units'],
  ],
  ['blueprint', 'Blueprint', blueprintSchema, [SPANS]],
  ['verification-pack', 'Verification pack', verificationPackSchema, []],
  [
    'evidence',
    'Evidence for a verification pack',
    evidenceSchema,
    [
      'a plain number has at most 16 digits, at most 9 of them after the point, and no exponent',
      'lengths count UTF-16 units',
    ],
  ],
  ['refusal-report', 'Refusal report', refusalReportSchema, [SPANS]],
  ['verify', 'What assay verify --json prints', verifyDocumentSchema, []],
  ['explain', 'What assay show --json prints of a run whose machine has a view', explainDocumentSchema, []],
  [
    'whatif',
    'What assay whatif --json prints',
    whatIfDocumentSchema,
    ['field is a JSON pointer into the record', 'null is also a value that is not there'],
  ],
  [
    'impact',
    'What assay impact --json prints',
    impactDocumentSchema,
    ['field is a JSON pointer', 'null is also a value that is not there', 'counts are those of runs'],
  ],
  ['blame', 'What assay blame --json prints', blameDocumentSchema, []],
  [
    'runs',
    'What assay store list --json prints',
    runsDocumentSchema,
    ['outcome, head and head_line are null exactly where fault is not'],
  ],
  [
    'fleet',
    'What assay store list --fleet --json prints',
    fleetDocumentSchema,
    ['since and until are RFC 3339'],
  ],
  ['submit', 'What assay submit --json prints', submitDocumentSchema, []],
  ['work', 'What assay work --json prints', workDocumentSchema, []],
  [
    'copy',
    'What assay store copy --json prints',
    copyDocumentSchema,
    ['problem is null but where result is refused'],
  ],
  [
    'record',
    'Ledger record',
    recordSchema,
    [
      'the hashes are those of the format',
      'parent is the record hash before',
      'ts counts records',
      RUN_IDS,
      `${INTEGERS}, where the format says so`,
      TOKENS,
      BASES,
    ],
  ],
  [
    'payload-genesis',
    'Payload of a genesis record',
    payloadSchemas.genesis,
    [RUN_IDS, BASES, 'numbers in a base snapshot are integers', TOKENS],
  ],
  [
    'payload-proposal',
    'Payload of a proposal record',
    payloadSchemas.proposal,
    [
      'proposal_hash is H({source, confidence, value})',
      RUN_IDS,
      'numbers in the detail of a failure are integers',
      TOKENS,
    ],
  ],
  [
    'payload-decision',
    'Payload of a decision record',
    payloadSchemas.decision,
    [
      'ids of nodes and edges are their hashes, and ids of requests name this decision',
      'state_hash is a hash in the first decision',
      INTEGERS,
      TOKENS,
    ],
  ],
  ['payload-rejection', 'Payload of a rejection record', payloadSchemas.rejection, [INTEGERS, TOKENS]],
  [
    'payload-artifact',
    'Payload of an artifact record',
    payloadSchemas.artifact,
    ['artifact_hash is H(content)', INTEGERS, TOKENS],
  ],
  [
    'payload-close',
    'Payload of a close record',
    payloadSchemas.close,
    ['each field agrees with the ledger before it'],
  ],
  [
    'snapshot',
    'Snapshot file',
    snapshotSchema,
    [
      RUN_IDS,
      BASES,
      'the run id of head is that of genesis',
      'the sequence in open ids is below the count of head',
      'nodes and edges are sorted by id and make a graph without cycles',
      INTEGERS,
      TOKENS,
    ],
  ],
  [
    'recorded',
    'Recorded proposals',
    recordingSchema,
    [
      'ask_hash is H({t: "ask", kind, body})',
      'no two entries have the same ask_hash',
      'what is left out is null, and further keys of a proposal are not read',
    ],
  ],
  ['fixture', 'fixture.json of a golden fixture', fixtureSchema, ['further keys are the own of the fixture']],
  [
    'fixture-expected',
    'expected.json of a golden fixture',
    fixtureExpectedSchema,
    ['the value of chosen is not null and not empty', 'node_count is the sum of node_kinds'],
  ],
];

/** A published schema as JSON Schema, draft 2020-12; null if the list has none of that name. */
export function findJsonSchema(name: string, published: readonly Published[] = PUBLISHED): object | null {
  const found = published.find(([known]) => known === name);
  if (found === undefined) return null;
  const [, title, schema, beyond] = found;
  const described = beyond.length === 0 ? {} : { description: `Beyond this schema: ${beyond.join('; ')}.` };
  return {
    $id: `urn:assay:schema:${name}:0`,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...toJsonSchema(schema),
    title,
    ...described,
  };
}
