// One attempt at a challenge: the resources that its steps use, and the data recorded for the log.
import type { Clock } from '../../../kernel/clock.ts';
import type { EgressGate } from '../../../platform/net/egress.ts';
import type { ValidationRules } from './challenge.ts';
import type { DnsLookups } from './dns-lookups.ts';

export interface Attempt {
  readonly egress: EgressGate;
  readonly dns: DnsLookups;
  readonly clock: Clock;
  readonly rules: ValidationRules;
  /** Aborted when the time limit of the whole attempt is reached. */
  readonly signal: AbortSignal;
  readonly connectTimeoutMs: number;
  /** IP addresses to which a connection was attempted, for the log only. */
  readonly targets: string[];
}
