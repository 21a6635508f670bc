// Three steps of one item after the other, each item behind the one before: while one is worked on, the next is read
// and the last is written. At most one item is in each step, so that memory does not grow with the number of items.

export interface Turns<Item, Result> {
  /** Undefined after the last. */
  readonly read: () => Promise<Item | undefined>;
  readonly work: (item: Item) => Promise<Result>;
  readonly write: (result: Result) => Promise<void>;
  /** Nothing is begun after it; what was not written by then is left out. */
  readonly signal?: AbortSignal | undefined;
}

/** Writes in the order of reading. Rejects with the first error, once nothing is under way any more. */
export async function inTurns<Item, Result>({ read, work, write, signal }: Turns<Item, Result>): Promise<void> {
  const isAborted = (): boolean => signal?.aborted ?? false;
  let reading = settled(isAborted() ? undefined : read());
  let writing = settled<void>(undefined);
  try {
    for (;;) {
      const item = take(await reading);
      if (item === undefined || isAborted()) break;
      reading = settled(read());
      const result = take(await settled(work(item)));
      take(await writing);
      if (isAborted()) break;
      writing = settled(write(result));
    }
  } finally {
    await reading;
    take(await writing);
  }
}

/** An outcome that may be waited for later without being an unhandled rejection meanwhile. */
type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

async function settled<Value>(promise: Promise<Value> | Value): Promise<Outcome<Value>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

function take<Value>(outcome: Outcome<Value>): Value {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
