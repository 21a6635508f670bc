// Findings between the first target that is not stored yet and the last that was begun. Targets end in whatever order;
// what is stored is always everything up to a number, so that counters are exact and a restart repeats nothing that
// counted.
import { sizeOf, type Finding } from './finding.ts';

/** A silent target holds up those behind it for its time-out; this many may be begun meanwhile. */
const MAX_AHEAD = 20_000;
/** Findings that wait take no more memory than this; a target's own is limited by what a peer may send. */
const MAX_OCTETS = 16 * 1024 * 1024;
/** Of one transaction. */
const MAX_BATCH = 2_000;

export interface Batch {
  readonly findings: readonly Finding[];
  /** The first target behind them. */
  readonly next: number;
}

export class ResultWindow {
  private readonly findings = new Map<number, Finding>();
  private next: number;
  private octets = 0;
  private moved = Promise.withResolvers<void>();

  constructor(next: number) {
    this.next = next;
  }

  add(number: number, finding: Finding): void {
    this.findings.set(number, finding);
    this.octets += sizeOf(finding);
  }

  /** Waited for before a target begins; undefined where it may at once. */
  room(number: number): Promise<void> | undefined {
    return this.isFull(number) ? this.waitForRoom(number) : undefined;
  }

  /** What can be stored now. */
  take(): Batch {
    const findings: Finding[] = [];
    for (; findings.length < MAX_BATCH; this.next += 1) {
      const finding = this.findings.get(this.next);
      if (!finding) break;
      this.findings.delete(this.next);
      this.octets -= sizeOf(finding);
      findings.push(finding);
    }
    this.moved.resolve();
    this.moved = Promise.withResolvers();
    return { findings, next: this.next };
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
