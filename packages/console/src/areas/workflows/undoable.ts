// Runs a sequence of requests. If one is rejected, the completed ones are undone in reverse order.
export interface Undoable {
  /** Registers a function that undoes the step that was just completed. */
  undoBy(undo: () => Promise<unknown>): void;
}

export interface UndoableWork extends Undoable {
  attempt<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

export function createUndoable(): UndoableWork {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    undoBy: (undo) => void steps.push(undo),
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        // If an undo fails, the remaining ones still run, and the original error is thrown.
        for (const undo of steps.toReversed()) await undo().catch(() => undefined);
        throw error;
      }
    },
  };
}
