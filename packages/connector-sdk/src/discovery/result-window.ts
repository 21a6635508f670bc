// Steps from the first one that is not yet stored to the last one that was started. They can finish in any order, but
// stored steps are always contiguous, so counters are exact and a restart does not repeat any counted work.
import type { DiscoveryStep } from './discovery-kind.ts';

/** A slow step blocks the steps after it; up to this many can be started in the meantime. */
const MAX_AHEAD = 20_000;
/** Memory limit for waiting steps, in bytes; the size of a single step is limited by its kind. */
const MAX_OCTETS = 16 * 1024 * 1024;
/** Maximum number of steps per transaction. */
const MAX_BATCH = 2_000;

export class ResultWindow<Checkpoint, Sighting> {
  private readonly steps = new Map<number, DiscoveryStep<Checkpoint, Sighting>>();
  private next = 0;
  private octets = 0;
  private moved = Promise.withResolvers<void>();

  add(number: number, step: DiscoveryStep<Checkpoint, Sighting>): void {
    this.steps.set(number, step);
    this.octets += sizeOf(step);
  }

  /** Await this before starting a step; undefined if the step can start immediately. */
  room(number: number): Promise<void> | undefined {
    return this.isFull(number) ? this.waitForRoom(number) : undefined;
  }

  /** Removes and returns the steps that can be stored now, in order. */
  take(): readonly DiscoveryStep<Checkpoint, Sighting>[] {
    const steps: DiscoveryStep<Checkpoint, Sighting>[] = [];
    for (; steps.length < MAX_BATCH; this.next += 1) {
      const step = this.steps.get(this.next);
      if (!step) break;
      this.steps.delete(this.next);
      this.octets -= sizeOf(step);
      steps.push(step);
    }
    this.moved.resolve();
    this.moved = Promise.withResolvers();
    return steps;
  }

  /** Discards all remaining steps; returns the number of the next one. */
  cut(): number {
    this.steps.clear();
    this.octets = 0;
    return this.next;
  }

  /** The next step to be stored never waits, because others wait for it. */
  private isFull(number: number): boolean {
    if (number === this.next) return false;
    return number - this.next >= MAX_AHEAD || this.octets >= MAX_OCTETS;
  }

  private async waitForRoom(number: number): Promise<void> {
    while (this.isFull(number)) await this.moved.promise;
  }
}

/** Returns the memory that a step uses until it is stored, in bytes. */
function sizeOf({ certificates, octets = 0 }: DiscoveryStep<unknown, unknown>): number {
  return certificates.reduce((sum, { der, sighting }) => sum + der.length + textOf(sighting) + 500, 100 + octets);
}

const textOf = (sighting: unknown): number =>
  Object.values(sighting ?? {}).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
