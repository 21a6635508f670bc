// Shares the event loop. If hundreds of peers respond at the same moment, each handshake takes a millisecond of CPU
// time: handled as the sockets become ready, they would block the loop for half a second.

/** Time after which a turn of the event loop starts no more work. */
const TURN_MS = 5;
/** Maximum number of work items in one turn, even if each seems fast: sockets do some of their work only on close. */
const MOST_IN_TURN = 16;

/** A process has one event loop, so there is one queue. */
const waiting: (() => void)[] = [];
let scheduled = 0;
let began: number | undefined;

/** Runs work in this turn or a later one, in call order. The work must handle its own errors. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  schedule();
}

/**
 * Each work item gets its own immediate: the promises and ticks that it causes run before the next item and count
 * towards the time of the turn.
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
