// Events of the audit trail; subscribers receive them as jobs after the commit.

/** A chain was found to be truncated, or its head was found to be altered, before records were appended to it. */
export interface AuditTampering {
  /** Node that owns the chain. */
  readonly node: string;
  /** Node that detected the tampering. */
  readonly foundBy: string;
  readonly foundAt: string;
  readonly problem: string;
  /** Number of the last seal found. */
  readonly foundSeal: number;
  /** Number of the last seal that this process remembers; absent if it had not written to the chain yet. */
  readonly rememberedSeal?: number;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    audit_tampered: AuditTampering;
  }
}
