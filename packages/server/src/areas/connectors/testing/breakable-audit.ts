// An audit trail for tests that can be broken: a change whose record cannot be written must not happen.
import type { AuditTrail } from '../../audit/index.ts';

export interface BreakableAudit extends AuditTrail {
  isBroken: boolean;
}

export function createBreakableAudit(trail: AuditTrail): BreakableAudit {
  const audit: BreakableAudit = {
    ...trail,
    isBroken: false,
    append: (tx, context, entry) =>
      audit.isBroken ? Promise.reject(new Error('the audit trail is broken')) : trail.append(tx, context, entry),
  };
  return audit;
}
