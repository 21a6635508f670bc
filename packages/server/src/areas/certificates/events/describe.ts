// Data in certificate events, as defined by the API. If a certificate no longer exists, only its identifier is known.
import { CertificateValidationStatus } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { Events } from '../../../platform/events/outbox.ts';
import './payloads.ts';
import { findFacts, type CertificateFactsRow } from './store.ts';

/** Data in every certificate event. */
export type CertificateFacts = {
  readonly certificateUuid: string;
  readonly fingerprint?: string;
  readonly serialNumber?: string;
  readonly subjectDn?: string;
  readonly issuerDn?: string;
};

/** Additional data in most certificate events. Times are in ISO 8601. */
export type CertificateContext = CertificateFacts & {
  readonly authorityInstanceUuid?: string;
  readonly raProfileUuid?: string;
  readonly raProfileName?: string;
  readonly notBefore?: string;
  readonly expiresAt?: string;
};

/** Returns the data in the order of the identifiers. */
export async function describeCertificates(
  executor: Executor,
  uuids: readonly string[],
): Promise<readonly CertificateContext[]> {
  const rows = new Map((await findFacts(executor, uuids)).map((row) => [row.uuid, row]));
  return uuids.map((uuid) => contextOf(uuid, rows.get(uuid)));
}

const contextOf = (uuid: string, row: CertificateFactsRow | undefined): CertificateContext => ({
  certificateUuid: uuid,
  ...(row && {
    ...optionalMember('fingerprint', row.fingerprint),
    ...optionalMember('serialNumber', row.serial_number),
    subjectDn: row.subject_dn,
    issuerDn: row.issuer_dn,
    ...optionalMember('authorityInstanceUuid', row.authority_uuid),
    ...optionalMember('raProfileUuid', row.ra_profile_uuid),
    ...optionalMember('raProfileName', row.ra_profile_name),
    ...optionalMember('notBefore', row.not_before?.toISOString() ?? null),
    ...optionalMember('expiresAt', row.not_after?.toISOString() ?? null),
  }),
});

const optionalMember = <Name extends string>(name: Name, value: string | null): { [Key in Name]?: string } =>
  value === null ? {} : ({ [name]: value } as { [Key in Name]?: string }); // The key is the value of `name`.

export function publishCertificateEvents(events: Events): void {
  events.publish('certificate_change_ended', { resource: 'certificates', objectOf: () => null });
  events.publish('certificate_status_changed', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
    describe: async (executor, payloads) => {
      const contexts = await describeCertificates(executor, payloads.map(certificateOf));
      return payloads.map(({ from, to, requesterUuid }, index) => ({
        ...contexts[index],
        oldStatus: CertificateValidationStatus.labels[from],
        newStatus: CertificateValidationStatus.labels[to],
        ...optionalMember('requesterUuid', requesterUuid ?? null),
      }));
    },
  });
  events.publish('certificate_action_performed', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
    describe: async (executor, payloads) => {
      const contexts = await describeCertificates(executor, payloads.map(certificateOf));
      return payloads.map(({ action, requesterUuid, problem }, index) => ({
        ...contexts[index],
        action,
        // Events raised by an earlier version may lack the requester.
        ...optionalMember('requesterUuid', requesterUuid ?? null),
        ...optionalMember('errorMessage', problem ?? null),
      }));
    },
  });
}

const certificateOf = ({ certificateUuid }: { readonly certificateUuid: string }): string => certificateUuid;
