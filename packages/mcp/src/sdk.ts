/** What client and server give the SDK of MCP: who we are, and no validator. */
import { InvariantError } from '@assay/kernel';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/** Version that servers and clients of this package state. */
export const VERSION = '0.1.0';

/** Takes the place of the SDK's own validator, and is a defect where it is asked. */
export const unusedValidator: jsonSchemaValidator = {
  getValidator: () => {
    throw new InvariantError('mcp/validator', 'expected no schema to be compiled');
  },
};
