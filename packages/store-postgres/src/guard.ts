/**
 * Standing between a connection and the parser of the driver.
 *
 * @module
 */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';
import { Framing, type Fault } from './framing.js';

/** Where the driver begins to listen: to the socket, or to what is encrypted in it. */
type Listening = { attachListeners: (stream: EventEmitter) => void };

/**
 * Has the driver see only whole messages that are what they should be, and ends the connection at the first
 * that is not, with the {@link Fault} as its error's `code`. The driver raises what it cannot read in the
 * handler of the socket, where nobody can catch it and the process ends. To be called before the client
 * connects.
 */
export function guardMessages(client: Client): void {
  const connection: unknown = client.connection;
  const listening = connection as Listening;
  const attach = listening.attachListeners.bind(connection);
  listening.attachListeners = (stream) => {
    const messages = new EventEmitter();
    attach(messages);
    watch(stream as Duplex, (whole) => messages.emit('data', whole));
    stream.on('end', () => messages.emit('end'));
  };
}

function watch(stream: Duplex, onWhole: (whole: Buffer) => void): void {
  const framing = new Framing();
  stream.on('data', (chunk: Buffer) => {
    if (stream.destroyed) return;
    const { whole, fault } = framing.push(chunk);
    try {
      if (whole.length > 0) onWhole(whole);
    } catch (error) {
      // Of the right form, and at a moment that the driver had not thought of.
      stream.destroy(protocolError('EPROTO', error));
      return;
    }
    if (fault !== null) stream.destroy(protocolError(fault));
  });
}

function protocolError(code: Fault, cause?: unknown): Error {
  return Object.assign(new Error('what was sent is not taken', { cause }), { code });
}
