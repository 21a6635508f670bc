// Group commit: combines concurrent single-row writes into one statement. Items that arrive while a batch is running
// form the next batch, so nothing waits for a timer, and under load many requests share one commit.

export interface BatcherOptions<Item, Result> {
  /** Writes all items in one statement or transaction and returns one result per item, in order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum number of items in a batch; limits the memory and time of one statement. */
  readonly maxItems?: number;
  /**
   * Number of concurrent batches. If there is only one, items that arrive in the meantime make the next batch larger,
   * which uses less CPU.
   */
  readonly concurrency?: number;
  /** Schedules the next flush; by default in the next turn of the event loop. */
  readonly scheduleFlush?: ScheduleFlush | undefined;
}

/** Calls `flush` when the collected items should form a batch, in a later turn of the event loop. */
export type ScheduleFlush = (flush: () => void) => void;

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that submits one item and returns its result. If a batch with multiple items fails, each item is
 * retried alone, so that one bad item (e.g. a duplicate) does not fail the others.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { write, maxItems = 64, concurrency = 1, scheduleFlush = setImmediate } = options;
  const waiting: PendingItem<Item, Result>[] = [];
  let running = 0;

  async function run(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await write(batch.map((entry) => entry.item));
      // `write` returns one result per item.
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1) for (const entry of batch) entry.reject(error);
      else for (const entry of batch) await run([entry]);
    }
  }

  function pump(): void {
    while (running < concurrency && waiting.length > 0) {
      running += 1;
      void run(waiting.splice(0, maxItems)).finally(() => {
        running -= 1;
        if (waiting.length > 0) scheduleFlush(pump);
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // The flush runs one turn later, so that requests read from sockets in the same turn also share the first batch.
      if (running < concurrency) scheduleFlush(pump);
    });
}
