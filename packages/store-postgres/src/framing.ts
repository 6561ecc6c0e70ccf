/**
 * What a server sends, cut into whole messages and judged before the driver sees any of it: its parser takes
 * the form of every message for granted, and throws, or never ends, where it is another.
 *
 * @module
 */
import { columnsOf, FORMS, isLogin, LOGIN } from './message-forms.js';

/**
 * Why what was sent is not taken, by the system's names. `EPROTO`: it is not PostgreSQL's protocol.
 * `EPROTONOSUPPORT`: a way to log in that the driver does not have. `EMSGSIZE`: more than {@link ANSWER_MAX}
 * in one answer.
 */
export type Fault = 'EPROTO' | 'EPROTONOSUPPORT' | 'EMSGSIZE';

/** The messages that are whole by now, in one piece, and what is wrong with the one after them. */
export type Framed = { readonly whole: Buffer; readonly fault: Fault | null };

/** Most bytes of a message before the login is over. */
export const LOGIN_MAX = 65_536;
/**
 * Most bytes of one message after it, and of all rows of one answer: about what a text of the runtime can
 * hold.
 */
export const ANSWER_MAX = 536_870_912;

/** Letter and length. */
const HEAD = 5;
/** What a server may say before it is ready for the first statement, and what only then. */
const BEFORE_LOGIN = 'ENKRSZ';
const ONLY_THEN = 'KR';

/**
 * The messages of one connection. Linear in what is sent; keeps no more than the message that is under way.
 */
export class Framing {
  private parts: Buffer[] = [];
  private held = 0;
  private needed = HEAD;
  private isLoggedIn = false;
  /** The last request of a login. */
  private asked: number | null = null;
  /** Of the rows that may come, null where none may. */
  private columns: number | null = null;
  private rowBytes = 0;

  /** Takes the next bytes. After a fault nothing more is to be given. */
  push(chunk: Buffer): Framed {
    this.parts.push(chunk);
    this.held += chunk.length;
    if (this.held < this.needed) return { whole: NOTHING, fault: null };
    const bytes = this.parts.length === 1 ? chunk : Buffer.concat(this.parts);
    let at = 0;
    this.needed = HEAD;
    while (bytes.length - at >= HEAD) {
      const letter = String.fromCharCode(bytes[at] as number);
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      const fault = this.foreseen(letter, end - at - HEAD);
      if (fault !== null) return { whole: bytes.subarray(0, at), fault };
      if (end > bytes.length) {
        this.needed = end - at;
        break;
      }
      const found = this.judged(letter, bytes.subarray(at + HEAD, end));
      if (found !== null) return { whole: bytes.subarray(0, at), fault: found };
      at = end;
    }
    this.held = bytes.length - at;
    // Answers come whole as a rule: nothing is left over then, and the next is not copied to stand behind it.
    this.parts = this.held === 0 ? [] : [bytes.subarray(at)];
    return { whole: bytes.subarray(0, at), fault: null };
  }

  /** What is wrong with a message of which only the head has come: nothing is kept that will not be taken. */
  private foreseen(letter: string, size: number): Fault | null {
    const isKnown = this.isLoggedIn
      ? letter in FORMS && !ONLY_THEN.includes(letter)
      : BEFORE_LOGIN.includes(letter);
    if (!isKnown || size < 0 || (!this.isLoggedIn && size > LOGIN_MAX)) return 'EPROTO';
    return this.rowBytes + size > ANSWER_MAX ? 'EMSGSIZE' : null;
  }

  private judged(letter: string, body: Buffer): Fault | null {
    if (letter === 'R') return this.login(body);
    if (FORMS[letter]?.(body) !== true) return 'EPROTO';
    switch (letter) {
      case 'T':
        this.columns = columnsOf(body);
        return null;
      case 'D':
        this.rowBytes += body.length;
        return columnsOf(body) === this.columns ? null : 'EPROTO';
      case 'Z':
        this.isLoggedIn = true;
        this.rowBytes = 0;
        this.columns = null;
        return null;
      case 'C':
        this.columns = null;
        return null;
      default:
        return null;
    }
  }

  /** The steps of a login come in their order: the driver takes for granted that it has begun one. */
  private login(body: Buffer): Fault | null {
    const isOfForm = isLogin(body);
    if (isOfForm === null) return 'EPROTONOSUPPORT';
    const step = isOfForm ? body.readInt32BE(0) : null;
    const before = this.asked;
    this.asked = step;
    if (step === LOGIN.SASL_CONTINUE) return before === LOGIN.SASL ? null : 'EPROTO';
    if (step === LOGIN.SASL_FINAL) return before === LOGIN.SASL_CONTINUE ? null : 'EPROTO';
    if (step === LOGIN.DONE) return before === LOGIN.SASL || before === LOGIN.SASL_CONTINUE ? 'EPROTO' : null;
    return step !== null && before === null ? null : 'EPROTO';
  }
}

const NOTHING = Buffer.alloc(0);
