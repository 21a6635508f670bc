// Shares the event loop. Hundreds of peers answer at the same moment, and each handshake is a millisecond of work: done
// as the sockets become ready, they would keep the loop for half a second.

/** Longest time for which one turn of the event loop is kept. */
const TURN_MS = 5;

/** There is one event loop in a process, and so one queue. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** Runs work in this turn or a later one, in the order of the calls. The work handles its own errors. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  setImmediate(runTurn);
}

function runTurn(): void {
  const end = performance.now() + TURN_MS;
  let done = 0;
  for (; done < waiting.length; done += 1) {
    if (done > 0 && performance.now() > end) break;
    waiting[done]?.();
  }
  waiting.splice(0, done);
  isScheduled = false;
  schedule();
}
