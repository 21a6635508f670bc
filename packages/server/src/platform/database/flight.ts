// Several prepared statements sent to PostgreSQL at once, in front of one Sync: they are one transaction with one commit, and
// their results come back together (PostgreSQL protocol, "Pipelining"). One that fails undoes the others.
import pg from 'pg';
import type { HotStatement } from './hot-statement.ts';

/** How the columns of a statement are read, in order; none where it returns no rows. */
export type Columns = readonly { readonly name: string; readonly read: (text: string) => unknown }[];

export interface PreparedCall {
  readonly name: string;
  readonly columns: Columns;
  readonly values: readonly unknown[];
}

type Row = Record<string, unknown>;

/** Parts of `pg.Connection` that its types do not tell: what the driver's own queries send. */
interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  close(target: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: HotStatement): void;
  describe(target: { readonly type: 'S'; readonly name: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(portal: object): void;
  sync(): void;
}

/** What the driver calls while the answers of one submission arrive. It sends nothing else on the connection meanwhile. */
abstract class Submission<Result> {
  readonly result: Promise<Result>;
  protected readonly settle: PromiseWithResolvers<Result>;

  constructor() {
    this.settle = Promise.withResolvers<Result>();
    this.result = this.settle.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as WireConnection; // its types lack what is used here
    wire.stream.cork();
    this.send(wire);
    wire.sync();
    wire.stream.uncork();
  }

  handleError(error: Error): void {
    this.settle.reject(error);
  }

  handleRowDescription(_message: {
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  }) {}
  handleDataRow(_message: { readonly fields: readonly (string | null)[] }): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  protected abstract send(wire: WireConnection): void;
  abstract handleReadyForQuery(): void;
}

/** Asks for a sign of life and changes nothing, within a transaction or not. */
export class Heartbeat extends Submission<void> {
  protected send(): void {}

  handleReadyForQuery(): void {
    this.settle.resolve();
  }
}

/** Prepares a statement on a connection and learns its columns. */
export class Preparation extends Submission<Columns> {
  private columns: Columns = [];
  private readonly statement: HotStatement;

  constructor(statement: HotStatement) {
    super();
    this.statement = statement;
  }

  protected send(wire: WireConnection): void {
    const target = { type: 'S', name: this.statement.name } as const;
    // Not an error where there is none of the name; there is one after an attempt whose answer was lost.
    wire.close(target);
    wire.parse(this.statement);
    wire.describe(target);
  }

  override handleRowDescription({ fields }: Parameters<Submission<Columns>['handleRowDescription']>[0]): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') }));
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.columns);
  }
}

/** Runs prepared statements as one transaction; answers the rows of each, when all of it is committed. */
export class Flight extends Submission<readonly (readonly Row[])[]> {
  private readonly calls: readonly PreparedCall[];
  private readonly results: Row[][];
  /** Place of the statement whose answer arrives. */
  private place = 0;

  constructor(calls: readonly PreparedCall[]) {
    super();
    this.calls = calls;
    this.results = calls.map(() => []);
  }

  protected send(wire: WireConnection): void {
    for (const { name, values } of this.calls) {
      wire.bind({ statement: name, values });
      wire.execute({});
    }
  }

  override handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Row = {};
    for (const [index, { name, read }] of (this.calls[this.place]?.columns ?? []).entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : read(text);
    }
    this.results[this.place]?.push(row);
  }

  override handleCommandComplete(): void {
    this.place += 1;
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.results);
  }
}
