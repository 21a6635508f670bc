// Enumerations for rules, triggers and the events that fire them.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';
import type { Resource } from '../platform/resource.ts';

export const TriggerType = enumeration('TriggerType', {
  event: 'Event',
  manual: 'Manual',
});
export type TriggerType = z.output<typeof TriggerType>;

export const ConditionType = enumeration('ConditionType', {
  checkField: 'Check Field',
});
export type ConditionType = z.output<typeof ConditionType>;

export const ExecutionType = enumeration('ExecutionType', {
  setField: 'Set field',
  sendNotification: 'Send notification',
});
export type ExecutionType = z.output<typeof ExecutionType>;

export const ResourceEvent = enumeration('ResourceEvent', {
  certificate_status_changed: 'Certificate validation status changed',
  certificate_action_performed: 'Certificate action performed',
  certificate_discovered: 'Certificate discovered',
  certificate_expiring: 'Certificate expiring',
  certificate_not_compliant: 'Certificate not compliant',
  discovery_finished: 'Discovery Finished',
  approval_requested: 'Approval requested',
  approval_closed: 'Approval closed',
  scheduled_job_finished: 'Scheduled job finished',
});
export type ResourceEvent = z.output<typeof ResourceEvent>;

/** The resource that an event belongs to, and the resources that can configure it. */
export interface ResourceEventFacts {
  readonly resource: Resource;
  /** Resources whose objects can have their own triggers in addition to the platform's triggers. */
  readonly overridingResources: readonly Resource[];
  /** True if a periodic check, rather than a change, raises the event. */
  readonly monitoring: boolean;
}

export const resourceEventFacts: Readonly<Record<ResourceEvent, ResourceEventFacts>> = {
  certificate_status_changed: {
    resource: 'certificates',
    overridingResources: ['raProfiles', 'groups'],
    monitoring: false,
  },
  certificate_action_performed: {
    resource: 'certificates',
    overridingResources: ['raProfiles', 'groups'],
    monitoring: false,
  },
  certificate_discovered: { resource: 'certificates', overridingResources: ['discoveries'], monitoring: false },
  certificate_expiring: { resource: 'certificates', overridingResources: ['raProfiles', 'groups'], monitoring: true },
  certificate_not_compliant: { resource: 'certificates', overridingResources: ['raProfiles'], monitoring: false },
  discovery_finished: { resource: 'discoveries', overridingResources: [], monitoring: false },
  approval_requested: { resource: 'approvals', overridingResources: [], monitoring: false },
  approval_closed: { resource: 'approvals', overridingResources: [], monitoring: false },
  scheduled_job_finished: { resource: 'jobs', overridingResources: [], monitoring: false },
};
