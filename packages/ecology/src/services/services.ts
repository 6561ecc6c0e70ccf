/**
 * The genesis services by id. Source: specs/ecology.md B2, "Names".
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';
import { ESCROW } from './escrow.js';
import { LEDGER, RIGHTS } from './ledger.js';
import { LLM, LLM_ID } from './llm.js';
import { MINT } from './mint.js';
import type { Service } from './service.js';
import { STORE } from './store.js';

/** All that is not read, write or noop is an invoke on one of these. */
export const SERVICES: ReadonlyMap<string, Service> = new Map([
  ['genesis_ledger_api', LEDGER],
  ['genesis_store_api', STORE],
  ['genesis_mint_api', MINT],
  ['genesis_escrow_api', ESCROW],
  ['genesis_rights_registry_api', RIGHTS],
  [LLM_ID, LLM],
]);

/** The interface of a service: its methods as MCP tools. */
export function describeInterface(service: Service): JsonObject {
  return {
    tools: [...service].map(([name, { description, input }]) => ({ name, description, inputSchema: input })),
  };
}
