// Work of several requests: when one is refused, those before it are undone, the last one first.
export interface Undoable {
  /** How the step that was just done is undone. */
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
        // What cannot be undone stays; the others are undone all the same, and the first refusal is what is told.
        for (const undo of steps.toReversed()) await undo().catch(() => undefined);
        throw error;
      }
    },
  };
}
