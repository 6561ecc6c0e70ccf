import type { Connection, SqliteDriver } from '../../src/driver.ts';
import { SqliteFailure } from '../../src/failure.ts';

/** The process died here; nothing of it runs on. Not a failure of SQLite, so no code may catch it. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** What happens at a statement: the process dies before or after it, or SQLite refuses with a result code. */
export type Fault = { readonly crash: 'before' | 'after' } | { readonly code: number };

/** A driver with faults at chosen statements, and a list of all statements. */
export class FaultyDriver {
  readonly statements: string[] = [];
  /** Connections that are open, the dead process's included: they stay so until `bury`. */
  readonly connections: Connection[] = [];
  private isDead = false;
  private readonly inner: SqliteDriver;
  private readonly faultAt: (sql: string, index: number) => Fault | null;

  constructor(inner: SqliteDriver, faultAt: (sql: string, index: number) => Fault | null = () => null) {
    this.inner = inner;
    this.faultAt = faultAt;
  }

  get driver(): SqliteDriver {
    return {
      ...this.inner,
      open: (place) => {
        const db = this.inner.open(place);
        this.connections.push(db);
        return {
          exec: (sql) => this.step(sql, () => db.exec(sql)),
          rows: (sql, ...values) => this.step(sql, () => db.rows(sql, ...values)),
          // A dead process closes nothing in an orderly way.
          close: () => (this.isDead ? undefined : this.close(db)),
        };
      },
    };
  }

  /** Closes what the dead process left open, so that this one may go on; the files were copied before. */
  bury(): void {
    for (const db of [...this.connections]) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // It was in no transaction.
      }
      this.close(db);
    }
  }

  private close(db: Connection): void {
    this.connections.splice(this.connections.indexOf(db), 1);
    db.close();
  }

  private step<T>(sql: string, action: () => T): T {
    if (this.isDead) throw new Crash();
    this.statements.push(sql);
    const fault = this.faultAt(sql, this.statements.length - 1);
    if (fault === null) return action();
    if ('code' in fault) throw new SqliteFailure(fault.code, 'injected');
    if (fault.crash === 'after') action();
    this.isDead = true;
    throw new Crash();
  }
}
