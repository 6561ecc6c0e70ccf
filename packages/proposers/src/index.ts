/**
 * Proposers that need no vendor: rules as a port, recorded answers, and a person. They only propose; the
 * kernel decides.
 *
 * @packageDocumentation
 */
export * from './recorded/recording.js';
export * from './recorded/look-up.js';
export * from './recorded/record.js';
export * from './human/propose.js';
export { openSession, reply, type HumanAnswer, type Session, type Turn } from './human/session.js';
export * from './ports.js';
