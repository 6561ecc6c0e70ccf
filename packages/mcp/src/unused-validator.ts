/**
 * The SDK compiles JSON Schemas of the other side into code. Nothing here asks it to: arguments are read by
 * zod, and what servers declare is compared by its hash and looked through, never run.
 *
 * @module
 */
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { InvariantError } from '@assay/kernel';

/** Takes the place of the SDK's own validator, and is a defect where it is asked. */
export const unusedValidator: jsonSchemaValidator = {
  getValidator: () => {
    throw new InvariantError('mcp/validator', 'expected no schema to be compiled');
  },
};
