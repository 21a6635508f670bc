// One attempt at one challenge: what its steps need, and what they leave behind for the log.
import type { Clock } from '../../../kernel/clock.ts';
import type { EgressGate } from '../../../platform/net/egress.ts';
import type { ValidationRules } from './challenge.ts';
import type { DnsLookups } from './dns-lookups.ts';

export interface Attempt {
  readonly egress: EgressGate;
  readonly dns: DnsLookups;
  readonly clock: Clock;
  readonly rules: ValidationRules;
  /** Aborted when the time of the whole attempt is up. */
  readonly signal: AbortSignal;
  readonly connectTimeoutMs: number;
  /** Addresses that were reached for, for the log only. */
  readonly targets: string[];
}
