/**
 * The store: create, delete, hand over, and find. All artifacts are visible; their contents are not.
 *
 * Source: specs/ecology.md B2, B7; 004 L505–560.
 */
import { compareText, field, PersistentMap, type Json, type JsonObject } from '@assay/kernel';
import { makeMetadata } from '../contracts/ask.js';
import { permit, find, makeRefusal } from '../contracts/permit.js';
import { isId, isReserved } from '../config/config.js';
import type { Draft } from '../world/draft.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { isContract, isLive, readTools, type Artifact, type EcologyState } from '../world/state.js';
import { listOwned } from '../world/owned.js';
import { isStorable } from '../protocol/action.js';
import { faultOfQuota, faultOfShape, handOver, isGuard, makeMade, measured } from '../store/writing.js';
import { voidBid } from './mint.js';
import {
  ANY,
  faultOfHolder,
  ID,
  refuseShape,
  FLAG,
  COUNT,
  method,
  readNumber,
  TEXT,
  readText,
  readValue,
  type Call,
  type Method,
} from './service.js';

const TYPES = ['agent', 'tool', 'account', 'data', 'contract'] as const;
type Type = (typeof TYPES)[number];
const LISTED_MAX = 100;
const LISTED = 20;

const SCHEMA: JsonObject = Object.freeze({ description: 'A JSON Schema.' });
const INTERFACE: JsonObject = Object.freeze({
  type: ['object', 'null'],
  properties: {
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: TEXT, description: TEXT, inputSchema: SCHEMA, outputSchema: SCHEMA },
        required: ['name'],
      },
    },
  },
  description: 'What it offers, as in MCP; a contract has the tool check_permission.',
});

const CREATED = {
  'id?': ID,
  content: ANY,
  'interface?': INTERFACE,
  'has_standing?': FLAG,
  'can_execute?': FLAG,
  'access_contract_id?': ID,
};
const LIMITED = { 'limit?': COUNT, 'offset?': COUNT };

/** The store. */
export const STORE: ReadonlyMap<string, Method> = new Map([
  method('create', 'Makes an artifact; the id is yours to choose, once.', CREATED, create),
  method('delete', 'Empties an artifact for ever; its id stays taken.', { artifact_id: ID }, remove),
  method(
    'transfer_ownership',
    'Makes somebody else the owner.',
    { artifact_id: ID, to: ID },
    transferOwnership,
  ),
  method(
    'search',
    'Artifacts whose id or tools hold words of the query.',
    { query: TEXT, 'type_filter?': { type: 'string', enum: TYPES }, 'limit?': COUNT },
    search,
  ),
  method('get_metadata', 'All about an artifact but its content.', { artifact_id: ID }, (call) =>
    about(call, (state, artifact) => makeMetadata(state, artifact)),
  ),
  method('get_interface', 'The interface of an artifact.', { artifact_id: ID }, (call) =>
    about(call, (_, artifact) => artifact.interface),
  ),
  method('get_artifact_info', 'Interface and metadata at once.', { artifact_id: ID }, (call) =>
    about(call, (state, artifact) => makeMetadata(state, artifact)),
  ),
  method('list_all', 'Artifacts by id.', LIMITED, (call) =>
    list(call, ({ things }) => things.sorted().flatMap(([id, thing]) => (isLive(thing) ? [id] : []))),
  ),
  method('list_by_owner', 'Artifacts of an owner, by id.', { owner: TEXT, ...LIMITED }, (call) => {
    const owner = readText(call.args, 'owner');
    const { size } = call.physics.draft.state.owned.get(owner) ?? PersistentMap.empty();
    return list(call, (state) => listOwned(state, owner), size);
  }),
]);

function create({ physics, frame, args }: Call): Outcome {
  const { draft } = physics;
  const { state, config } = draft;
  const flag = (key: string): boolean => field(args, key) === true;
  const id = readText(args, 'id') || freeId(state);
  const [content, described] = [readValue(args, 'content'), readValue(args, 'interface')];
  if (!isId(id)) return refuseShape('id');
  if (isReserved(id)) return refused('INVALID_ARGS', 'the id is reserved');
  if (!isStorable(content) || !isStorable(described))
    return refuseShape(isStorable(content) ? 'interface' : 'content');
  if (state.things.has(id)) return refused('CONFLICT', 'the id is taken');
  const contract = readText(args, 'access_contract_id') || config.contracts.default;
  const owner = frame.requester;
  const flags = { has_standing: flag('has_standing'), can_execute: flag('can_execute') };
  const shape = { id, content, interface: described, owner, access_contract_id: contract, ...flags };
  const seen = measured(draft, shape);
  const { size, hash } = seen;
  const wrong = faultOfShape(draft, shape, size);
  if (wrong !== null) return wrong;
  const isOwnGuard = contract === id && isContract(shape as unknown as Artifact);
  if (!isOwnGuard && !isGuard(draft, contract))
    return refused('INVALID_CONTRACT', 'the access contract is none');
  const full = faultOfQuota(draft, frame.payer, size.bytes, { bytes: 0, count: 0 });
  if (full !== null) return full;
  draft.emit(makeMade(draft, shape, seen, frame.requester, frame.payer), size);
  return done({ id, version: 1, content_hash: hash });
}

/** The first free name of the numbered ones. */
function freeId({ things, serial }: EcologyState): string {
  let at = serial;
  while (things.has(`a${at}`)) at += 1;
  return `a${at}`;
}

/** Deletes; a second time succeeds and does nothing. A live bid on it is refunded. */
function remove({ physics, frame, args }: Call): Outcome {
  const { draft } = physics;
  const { state } = draft;
  const id = readText(args, 'artifact_id');
  const thing = state.things.get(id);
  if (thing === undefined) return refused('NOT_FOUND', 'there is no such artifact');
  if (!isLive(thing)) return done(null);
  const refusal = makeRefusal(permit(physics, frame, thing, { action: 'delete' }));
  if (refusal !== null) return refusal;
  if (thing.has_standing) return refused('CONFLICT', 'what has standing is not deleted');
  voidBid(draft, id);
  draft.emit({ t: 'gone', i: id });
  return done(null);
}

function transferOwnership({ physics, frame, args }: Call): Outcome {
  const { draft } = physics;
  const [id, to] = [readText(args, 'artifact_id'), readText(args, 'to')];
  const artifact = find(draft, id);
  if (!('id' in artifact)) return artifact;
  const refusal = makeRefusal(permit(physics, frame, artifact, { action: 'transfer' }));
  if (refusal !== null) return refusal;
  const nobody = faultOfHolder(physics, to);
  if (nobody !== null) return nobody;
  voidBid(draft, id);
  return handOver(draft, artifact, { to, contract: artifact.access_contract_id, payer: to }) ?? done(null);
}

function about(
  { physics: { draft }, args }: Call,
  tell: (state: EcologyState, artifact: Artifact) => Json,
): Outcome {
  const artifact = find(draft, readText(args, 'artifact_id'));
  return 'id' in artifact ? done(tell(draft.state, artifact)) : artifact;
}

/** Steps of looking at an artifact, and at a unit of what it says. */
const [LOOK_STEPS, TEXT_STEPS] = [64, 8];

/** Nobody pays for looking: one answer, and who verifies it, looks only so long. */
function lookAt({ context: { meter }, state }: Draft, count: number = state.things.size): Outcome | null {
  if (meter.isSpent) return refused('LIMIT_EXCEEDED', 'one answer looks at too much');
  meter.spend(LOOK_STEPS * count);
  return null;
}

function list(
  { physics: { draft }, args }: Call,
  listIds: (state: EcologyState) => readonly string[],
  count?: number,
): Outcome {
  const tooMuch = lookAt(draft, count);
  if (tooMuch !== null) return tooMuch;
  const from = readNumber(args, 'offset');
  const most = Math.min(readNumber(args, 'limit', LISTED), LISTED_MAX);
  return done(listIds(draft.state).slice(from, from + most));
}

/** What an artifact is, by its flags and its interface. */
function findType(artifact: Artifact): Type {
  if (isContract(artifact)) return 'contract';
  if (artifact.has_standing) return artifact.can_execute ? 'agent' : 'account';
  return artifact.can_execute ? 'tool' : 'data';
}

/** Words in common over id, tools and descriptions; the most first, then by id. */
function search({ physics: { draft }, args }: Call): Outcome {
  const tooMuch = lookAt(draft);
  if (tooMuch !== null) return tooMuch;
  const words = new Set(listWords(readText(args, 'query')));
  const filter = readText(args, 'type_filter');
  const most = Math.min(readNumber(args, 'limit', LISTED), LISTED_MAX);
  const found = draft.state.things.sorted().flatMap(([, thing]) => {
    if (!isLive(thing) || (filter !== '' && findType(thing) !== filter)) return [];
    const text = readTools(thing.interface).map(({ name, description }) => `${name} ${description}`);
    const said = [thing.id, ...text].join(' ');
    draft.context.meter.spend(TEXT_STEPS * (32 + said.length));
    const own = new Set(listWords(said));
    const score = [...own].filter((word) => words.has(word)).length;
    return score === 0
      ? []
      : [{ score, id: thing.id, tools: readTools(thing.interface).map(({ name }) => name) }];
  });
  found.sort((a, b) => b.score - a.score || compareText(a.id, b.id));
  return done(found.slice(0, most));
}

/** ASCII words in lower case. */
function listWords(text: string): readonly string[] {
  const words = text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
  return words.split(/[^a-z0-9]+/).filter((word) => word !== '');
}
