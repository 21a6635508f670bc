// Named points in issuance, revocation, ACME orders and key rotation at which the fault suites kill the process. They
// do nothing in normal operation.

export const faultPointNames = [
  'issue.beforeIntent', 'issue.afterIntent', 'issue.afterSignature', 'issue.afterRecord', 'issue.beforeAnswer',
  'revoke.beforeIntent', 'revoke.afterIntent', 'revoke.afterEffect', 'revoke.afterRecord', 'revoke.beforeAnswer',
  'acme.afterOrder', 'acme.afterValidation', 'acme.afterDecision', 'acme.afterTake', 'acme.beforeAnswer',
] as const; // prettier-ignore

/**
 * Further points have their own tests: keys in tokens, key rotation, approvals, enrollment requests, locations, expiry,
 * renewals, notifications, rules, scheduled jobs, and bulk changes, imports, discoveries, validation and compliance
 * checks.
 */
export type FaultPointName =
  | (typeof faultPointNames)[number]
  | 'key.afterCreation'
  | 'key.afterDestruction'
  | 'keys.afterBatch'
  | 'approval.afterDecision'
  | 'certificates.afterSet'
  | 'certificates.afterImport'
  | 'discoveries.afterSet'
  | 'enrollment.afterBegin'
  | 'enrollment.beforeSettled'
  | 'entities.afterRequest'
  | 'entities.afterPush'
  | 'entities.afterVerdict'
  | 'expiry.afterNotice'
  | 'notifications.afterCall'
  | 'renewals.afterBegin'
  | 'renewals.afterOrder'
  | 'scheduler.afterBegin'
  | 'validation.afterBatch'
  | 'workflows.beforeStep'
  | 'workflows.afterStep'
  | 'compliance.afterBatch';

export type FaultPoints = (name: FaultPointName) => void;

export const noFaults: FaultPoints = () => undefined;

/** Kills the process, like kill -9, the Nth time it passes the point specified as `NAME:N`. */
export function killingFaultPoints(specification: string): FaultPoints {
  const [point, count = '1'] = specification.split(':');
  let left = Number(count);
  return (name) => {
    if (name !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
