/**
 * Proposers that need no vendor: rules as a port, recorded answers, and a person. They only propose; the
 * kernel decides.
 *
 * @packageDocumentation
 */
export {
  FIXTURE,
  RECORDING_FORMAT,
  type RecordedAnswer,
  type RecordedAsk,
  type RecordedEntry,
  type Recording,
  type RecordingError,
  askHash,
  parseRecording,
} from './recorded/recording.js';
export { type AskDifference, type RecordingMiss, describeMiss, lookUp } from './recorded/look-up.js';
export { type RecordError, type Recorded, recordingOf } from './recorded/record.js';
export { type Dialogue, HUMAN_PROPOSER, humanPort, proposeByHand } from './human/propose.js';
export { openSession, reply, type HumanAnswer, type Session, type Turn } from './human/session.js';
export { RECORDED_PROPOSER, portsBySlot, recordedPorts, rulesPort } from './ports.js';
