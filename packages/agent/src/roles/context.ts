/**
 * What whoever plays a role is made with.
 *
 * @module
 */
import type { Ports } from '@assay/host';
import type { Evidence } from '@assay/controller/evidence';
import type { Outputs } from '../executor/outputs.js';

/** What a run shows so far, and its whole outputs. Source: calls/C4. */
export type RoleContext = { readonly evidence: () => Evidence; readonly outputs: Outputs };

/** Ports of a role, or of several, made for one run. */
export type RolePorts = (context: RoleContext) => Ports;
