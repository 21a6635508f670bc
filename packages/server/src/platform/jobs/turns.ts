// Three-stage pipeline: while one item is processed, the next is read and the previous one is written. Each stage holds
// at most one item, so that memory use does not grow with the number of items.

export interface Turns<Item, Result> {
  /** Returns undefined after the last item. */
  readonly read: () => Promise<Item | undefined>;
  readonly work: (item: Item) => Promise<Result>;
  readonly write: (result: Result) => Promise<void>;
  /** Once it fires, no further stage starts; results not yet written are dropped. */
  readonly signal?: AbortSignal | undefined;
}

/** Writes results in the order in which items were read. Rejects with the first error, once no stage is running. */
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

/** An outcome that can be awaited later without causing an unhandled rejection in the meantime. */
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
