/**
 * Preloaded (`node --import`): a query that begins with HANG_AT is never sent, once one that begins with
 * HANG_AFTER was; "hung" is printed, and the process waits to be killed.
 */
import pg from 'pg';

const { HANG_AT: at, HANG_AFTER: after = '' } = process.env;
const send = pg.Client.prototype.query;
let isArmed = after === '';
pg.Client.prototype.query = function query(text, ...rest) {
  const isHung = isArmed && typeof text === 'string' && text.startsWith(at);
  isArmed ||= typeof text === 'string' && text.startsWith(after);
  if (!isHung) return send.call(this, text, ...rest);
  console.log('hung');
  return new Promise(() => setInterval(() => undefined, 1_000));
};
