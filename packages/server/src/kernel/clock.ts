// Source of the current time, so that tests can set it. Durations use the monotonic clock, which never jumps.

export interface Clock {
  now(): Date;
  /** Milliseconds on a monotonic clock; only differences are meaningful. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
