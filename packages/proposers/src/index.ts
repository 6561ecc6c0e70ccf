/**
 * Proposers that need no vendor: rules as a port, recorded answers, and a person. They only propose; the
 * kernel decides.
 *
 * @packageDocumentation
 */
export { type Recording, type RecordingError, askHash, parseRecording } from './recorded/recording.js';
export { describeMiss, lookUp } from './recorded/look-up.js';
export { type RecordError, makeRecording } from './recorded/record.js';
export { humanPort } from './human/propose.js';
export { portsBySlot, recordedPorts, rulesPort } from './ports.js';
