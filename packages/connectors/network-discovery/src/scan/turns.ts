// Shares the event loop. Hundreds of peers answer at the same moment, and each handshake is a millisecond of work: done
// as the sockets become ready, they would keep the loop for half a second.

/** Longest time after which one turn of the event loop begins no more work. */
const TURN_MS = 5;
/** Most pieces of work in one turn, however quick each seems: sockets do some of theirs only when they are closed. */
const MOST_IN_TURN = 16;

/** There is one event loop in a process, and so one queue. */
const waiting: (() => void)[] = [];
let scheduled = 0;
let began: number | undefined;

/** Runs work in this turn or a later one, in the order of the calls. The work handles its own errors. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  schedule();
}

/**
 * Each piece has an immediate of its own: what follows from a piece, promises and ticks, runs before the next one, and
 * counts against the time of the turn.
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
