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
  let reading = settle(isAborted() ? undefined : read());
  let writing = settle<void>(undefined);
  try {
    for (;;) {
      const item = unwrap(await reading);
      if (item === undefined || isAborted()) break;
      reading = settle(read());
      const result = unwrap(await settle(work(item)));
      unwrap(await writing);
      if (isAborted()) break;
      writing = settle(write(result));
    }
  } finally {
    await reading;
    unwrap(await writing);
  }
}

/** An outcome that can be awaited later without causing an unhandled rejection in the meantime. */
type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

async function settle<Value>(promise: Promise<Value> | Value): Promise<Outcome<Value>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
