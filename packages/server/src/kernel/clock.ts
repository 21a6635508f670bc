// Time comes from here, so that tests can set it. Durations use the monotonic clock, which never jumps.

export interface Clock {
  now(): Date;
  /** Milliseconds of a clock that only goes forward; differences are durations, the value itself means nothing. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
