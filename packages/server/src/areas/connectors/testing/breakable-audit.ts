// An audit trail that tests can break: a change whose record cannot be written must not be applied.
import type { AuditTrail } from '../../audit/index.ts';

export interface BreakableAudit extends AuditTrail {
  isBroken: boolean;
}

export function createBreakableAudit(trail: AuditTrail): BreakableAudit {
  const throwIfBroken = (): void => {
    if (audit.isBroken) throw new Error('the audit trail is broken');
  };
  const audit: BreakableAudit = {
    ...trail,
    isBroken: false,
    append: async (tx, context, entry) => {
      throwIfBroken();
      await trail.append(tx, context, entry);
    },
    change: (context, work) =>
      trail.change(context, async (tx) => {
        const objects = await work(tx);
        throwIfBroken();
        return objects;
      }),
  };
  return audit;
}
