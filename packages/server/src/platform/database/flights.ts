// When the batches of hot statements leave. While statements are under way, batches wait at the gate and gather more; all of them
// leave when the last statement is back. So the requests of a moment stay together from step to step, which under load makes
// fewer and larger statements of every kind. Where nothing is under way nothing waits.

/** Bounds what a batch waits for the statements of others, e.g. for one that waits for a lock itself. */
const MAX_WAIT_MS = 20;

export class Flights {
  private underWay = 0;
  private boarding: (() => void)[] = [];
  private departing = false;
  private latest: NodeJS.Timeout | undefined;

  /** Calls `leave` in the turn of the event loop in which a batch should be made and sent. */
  readonly departure = (leave: () => void): void => {
    this.boarding.push(leave);
    if (this.underWay === 0) this.depart();
    else this.latest ??= setTimeout(() => this.depart(), MAX_WAIT_MS);
  };

  /** Counts a statement as under way until it ends. */
  async follow<Result>(statement: () => Promise<Result>): Promise<Result> {
    this.underWay += 1;
    try {
      return await statement();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0 && this.boarding.length > 0) this.depart();
    }
  }

  /** In the next turn, so that requests read from the sockets in this one come along. */
  private depart(): void {
    clearTimeout(this.latest);
    this.latest = undefined;
    if (this.departing) return;
    this.departing = true;
    setImmediate(() => {
      this.departing = false;
      const leaving = this.boarding;
      this.boarding = [];
      for (const leave of leaving) leave();
    });
  }
}
