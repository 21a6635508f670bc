// Connections of hot statements. Statements are named, so PostgreSQL parses and plans each once; several share a connection without
// waiting for each other's answers (pipelining), since each is a transaction of its own. The least busy connection gets the next.
import pg from 'pg';
import type { Flights } from './flights.ts';

/** A name stands for exactly one text. */
export interface HotStatement {
  readonly name: string;
  readonly text: string;
}

export interface HotConnectionsOptions {
  /** Of each connection. */
  readonly client: pg.ClientConfig;
  readonly count: number;
  readonly flights: Flights;
  readonly onError: (error: Error) => void;
}

interface Slot {
  client: Promise<pg.Client> | undefined;
  underWay: number;
}

export class HotConnections {
  private readonly slots: readonly Slot[];
  private readonly options: HotConnectionsOptions;
  private closed = false;

  constructor(options: HotConnectionsOptions) {
    this.options = options;
    this.slots = Array.from({ length: options.count }, () => ({ client: undefined, underWay: 0 }));
  }

  /** When batches of hot statements leave. */
  get departure(): Flights['departure'] {
    return this.options.flights.departure;
  }

  /** Runs a statement and returns its rows; `Row` is what the statement's select list says. */
  run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.options.flights.follow(() => this.send<Row>(statement, values));
  }

  private async send<Row>({ name, text }: HotStatement, values: readonly unknown[]): Promise<readonly Row[]> {
    const slot = this.leastBusy();
    slot.underWay += 1;
    try {
      const client = await (slot.client ??= this.connect(slot));
      const result = await client.query({ name, text, values: values as unknown[] }); // pg does not change them
      return result.rows as Row[]; // the statement's select list decides the shape
    } finally {
      slot.underWay -= 1;
    }
  }

  /** Ends the connections after what is under way on them. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.slots.map(async ({ client }) => (await client?.catch(() => undefined))?.end()));
  }

  private leastBusy(): Slot {
    let [best] = this.slots;
    for (const slot of this.slots) if (slot.underWay < (best?.underWay ?? Infinity)) best = slot;
    if (!best || this.closed) throw new Error('The connections of hot statements are closed.');
    return best;
  }

  /** A connection that breaks is forgotten: what was under way on it fails, and the next statement opens another. */
  private async connect(slot: Slot): Promise<pg.Client> {
    const client = new pg.Client({ ...this.options.client, pipeline: true } as pg.ClientConfig); // an option that the types lack
    const forget = (): void => {
      slot.client = undefined;
    };
    client.on('error', (error: Error) => {
      forget();
      this.options.onError(error);
    });
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  }
}
