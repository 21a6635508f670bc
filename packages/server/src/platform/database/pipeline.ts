// Sends multiple prepared statements to PostgreSQL together, followed by one Sync message. They form one transaction
// with one commit, and their results arrive together (PostgreSQL protocol, "Pipelining"). If one statement fails, the
// others are rolled back.
import pg from 'pg';
import type { HotStatement } from './hot-statement.ts';
import { wireOf, type Field, type QueryObject, type Wire } from './pg-internals.ts';

/** A statement's columns in order, with their parsers; empty if it returns no rows. */
export type Columns = readonly { readonly name: string; readonly read: (text: string) => unknown }[];

export interface PreparedCall {
  readonly name: string;
  readonly columns: Columns;
  readonly values: readonly unknown[];
}

type Row = Record<string, unknown>;

/**
 * Callbacks that the driver invokes while the results of one submission arrive. The driver sends nothing else on the
 * connection during this time.
 */
abstract class Submission<Result> implements QueryObject {
  readonly result: Promise<Result>;
  protected readonly settle: PromiseWithResolvers<Result>;

  constructor() {
    this.settle = Promise.withResolvers<Result>();
    this.result = this.settle.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = wireOf(connection);
    wire.stream.cork();
    this.send(wire);
    wire.sync();
    wire.stream.uncork();
  }

  handleError(error: Error): void {
    this.settle.reject(error);
  }

  handleRowDescription(_message: { readonly fields: readonly Field[] }): void {}
  handleDataRow(_message: { readonly fields: readonly (string | null)[] }): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  protected abstract send(wire: Wire): void;
  abstract handleReadyForQuery(): void;
}

/** Checks that the server responds. Changes nothing, inside or outside a transaction. */
export class Heartbeat extends Submission<void> {
  protected send(): void {}

  handleReadyForQuery(): void {
    this.settle.resolve();
  }
}

/** Prepares a statement on a connection and retrieves its columns. */
export class Preparation extends Submission<Columns> {
  private columns: Columns = [];
  private readonly statement: HotStatement;

  constructor(statement: HotStatement) {
    super();
    this.statement = statement;
  }

  protected send(wire: Wire): void {
    const target = { type: 'S', name: this.statement.name } as const;
    // Closing an unknown name is not an error. The name already exists if the response to an earlier attempt was lost.
    wire.close(target);
    wire.parse(this.statement);
    wire.describe(target);
  }

  override handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') }));
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.columns);
  }
}

/**
 * Runs prepared statements as one transaction and returns each statement's rows once the transaction has been
 * committed.
 */
export class PipelinedTransaction extends Submission<readonly (readonly Row[])[]> {
  private readonly calls: readonly PreparedCall[];
  private readonly results: Row[][];
  /** Index of the statement whose result is arriving. */
  private current = 0;

  constructor(calls: readonly PreparedCall[]) {
    super();
    this.calls = calls;
    this.results = calls.map(() => []);
  }

  protected send(wire: Wire): void {
    for (const { name, values } of this.calls) {
      wire.bind({ statement: name, values });
      wire.execute({});
    }
  }

  override handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Row = {};
    for (const [index, { name, read }] of (this.calls[this.current]?.columns ?? []).entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : read(text);
    }
    this.results[this.current]?.push(row);
  }

  override handleCommandComplete(): void {
    this.current += 1;
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.results);
  }
}
