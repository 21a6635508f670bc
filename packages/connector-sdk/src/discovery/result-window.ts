// Steps between the first that is not stored yet and the last that was begun. They end in whatever order; what is
// stored is always everything up to a number, so that counters are exact and a restart repeats nothing that counted.
import type { DiscoveryStep } from './discovery-kind.ts';

/** A slow step holds up those behind it; this many may be begun meanwhile. */
const MAX_AHEAD = 20_000;
/** Steps that wait take no more memory than this; a step's own is limited by its kind. */
const MAX_OCTETS = 16 * 1024 * 1024;
/** Of one transaction. */
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

  /** Waited for before a step begins; undefined where it may at once. */
  room(number: number): Promise<void> | undefined {
    return this.isFull(number) ? this.waitForRoom(number) : undefined;
  }

  /** What can be stored now, in order. */
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

  /** Forgets all that is left; the number that comes next. */
  cut(): number {
    this.steps.clear();
    this.octets = 0;
    return this.next;
  }

  /** The next that would be taken waits for nothing: it is what others wait for. */
  private isFull(number: number): boolean {
    if (number === this.next) return false;
    return number - this.next >= MAX_AHEAD || this.octets >= MAX_OCTETS;
  }

  private async waitForRoom(number: number): Promise<void> {
    while (this.isFull(number)) await this.moved.promise;
  }
}

/** Octets that a step takes until it is stored. */
function sizeOf({ certificates, octets = 0 }: DiscoveryStep<unknown, unknown>): number {
  return certificates.reduce((sum, { der, sighting }) => sum + der.length + textOf(sighting) + 500, 100 + octets);
}

const textOf = (sighting: unknown): number =>
  Object.values(sighting ?? {}).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
