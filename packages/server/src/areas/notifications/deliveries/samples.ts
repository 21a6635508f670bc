// Sample event data in the API format, for tests and previews.
import type { ResourceEvent } from '@signetry/contract';
import type { EventData } from '../tables.ts';

const DAY_MS = 86_400_000;
/** UUID that does not belong to any object. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

const certificate: EventData = {
  certificateUuid: NOBODY,
  fingerprint: '0'.repeat(64),
  serialNumber: '00',
  subjectDn: 'CN=example.com',
  issuerDn: 'CN=Example CA',
};

const context: EventData = {
  ...certificate,
  authorityInstanceUuid: NOBODY,
  raProfileUuid: NOBODY,
  raProfileName: 'Example profile',
};

const discovery: EventData = {
  discoveryUuid: NOBODY,
  discoveryName: 'Example discovery',
  discoveryConnectorName: 'example-connector',
};

export function sampleOf(event: ResourceEvent, now: Date): EventData {
  const after = (days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString();
  const lifetime = { notBefore: after(-60), expiresAt: after(30) };
  const approval: EventData = {
    approvalUuid: NOBODY,
    approvalProfileUuid: NOBODY,
    approvalProfileName: 'Example approvals',
    version: 1,
    expiryAt: after(2),
    resource: 'certificates',
    resourceAction: 'issue',
    objectUuid: NOBODY,
    objectName: 'www.example.com',
    creatorUuid: NOBODY,
    creatorUsername: 'example',
  };
  const samples: Readonly<Record<ResourceEvent, EventData>> = {
    certificate_status_changed: { ...context, ...lifetime, oldStatus: 'Valid', newStatus: 'Expiring' },
    certificate_action_performed: { ...context, action: 'issue' },
    certificate_discovered: { ...certificate, ...discovery, ...lifetime },
    certificate_expiring: { ...context, ...lifetime },
    certificate_not_compliant: { ...certificate, complianceCheckResultDto: { status: 'nok' } },
    discovery_finished: { ...discovery, discoveryStatus: 'completed', totalCertificateDiscovered: 12 },
    approval_requested: { ...approval, status: 'PENDING', recipientType: 'user', recipientUuid: NOBODY },
    approval_closed: { ...approval, status: 'APPROVED', closedAt: after(0) },
    scheduled_job_finished: { jobName: 'exampleJob', jobType: 'ExampleTask', status: 'Succeeded' },
  };
  return samples[event];
}
