/**
 * What R3 and its judges read: the evidence of a run, folded from its records. Source: calls/C4, calls/C6.
 *
 * @packageDocumentation
 */
export {
  callsIn,
  NO_EVIDENCE,
  subTaskIn,
  type Evidence,
  type EvidenceCall,
  type EvidenceItem,
  type SubTaskEvidence,
} from './evidence.js';
export { judged, transcript } from './transcript.js';
