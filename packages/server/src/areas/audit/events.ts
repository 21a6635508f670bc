// Events of the audit trail; subscribers get them as jobs after the commit.

/** A chain was found cut, or its end altered, before records were added to it. */
export interface AuditTampering {
  /** Node whose chain it is. */
  readonly node: string;
  /** Node that found it. */
  readonly foundBy: string;
  readonly foundAt: string;
  /** In words. */
  readonly problem: string;
  /** Number of the last seal as it was found. */
  readonly foundSeal: number;
  /** Number of the last seal as it was remembered; absent when this process had not written to the chain yet. */
  readonly rememberedSeal?: number;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    audit_tampered: AuditTampering;
  }
}
