// Shares the event loop fairly. Each handshake takes a millisecond of CPU time. If hundreds of peers respond at the
// same moment and their sockets are handled as soon as they are ready, they block the loop for half a second.

/** Time after which no more work is started in a turn of the event loop. */
const TURN_MS = 5;
/** Maximum number of work items in one turn, even if each seems fast: sockets do some of their work only on close. */
const MOST_IN_TURN = 16;

/** A single queue, since a process has only one event loop. */
const waiting: (() => void)[] = [];
let scheduled = 0;
let began: number | undefined;

/** Runs work in this turn or a later one, in call order. The work must handle its own errors. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  schedule();
}

/**
 * Runs each work item in a separate immediate, so that the promises and ticks that it causes run before the next item
 * and count toward the turn's time.
 */
function schedule(): void {
  for (; scheduled < Math.min(waiting.length, MOST_IN_TURN); scheduled += 1) setImmediate(runNext);
}

function runNext(): void {
  scheduled -= 1;
  if (began === undefined) {
    began = performance.now();
    setImmediate(() => (began = undefined));
  }
  if (performance.now() - began <= TURN_MS) waiting.shift()?.();
  schedule();
}
