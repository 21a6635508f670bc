// Renewing (same key) and rekeying (another key) of an issued certificate. Both end in a new certificate object that
// succeeds the old one; the old one stays issued.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { requirePermission } from '../../identity/index.ts';
import type { CertificateIssuer, IssueAnswer } from './issue.ts';
import type { RequestFacts } from '../core/read-request.ts';
import * as store from '../core/store.ts';
import { describeNameChange, keepsNames } from './succession-names.ts';
import type { CertificateRow, RequestRow } from '../core/tables.ts';
import type { Predecessor } from '../operations/work.ts';

export interface SuccessorInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly certificateUuid: string;
  /** Absent: the stored request of the old certificate, for a renewal only. */
  readonly request: RequestFacts | undefined;
}

export type CertificateRenewer = ReturnType<typeof createCertificateRenewer>;

export function createCertificateRenewer(options: { readonly executor: Executor; readonly issuer: CertificateIssuer }) {
  const { executor, issuer } = options;

  async function renew(input: SuccessorInput, context: RequestContext): Promise<IssueAnswer> {
    const { profile, row, predecessor } = await renewable(input);
    const stored = await requestOf(row);
    const request = input.request ?? factsOfStored(stored);
    if (request.public_key_fingerprint !== row.public_key_fingerprint) {
      throw rejected(
        'request: its public key differs from that of the certificate to be renewed; use rekey for a new key',
      );
    }
    if (input.request) assertMayName(input.request, { row, stored, context });
    return issuer.perform({ kind: 'renew', profile, request, attributes: [], predecessor }, context);
  }

  async function rekey(input: SuccessorInput, context: RequestContext): Promise<IssueAnswer> {
    const { profile, row, predecessor } = await renewable(input);
    if (!input.request) throw rejected('request: a certification request for the new key is needed');
    if (input.request.public_key_fingerprint === row.public_key_fingerprint) {
      throw rejected('request: its public key is that of the certificate to be rekeyed; use renew to keep the key');
    }
    if (input.request.subject_dn_normalized !== row.subject_dn_normalized) {
      throw rejected(
        `request: its subject (${input.request.subject_dn}) differs from that of the certificate (${row.subject_dn}); issue a new certificate for another subject`,
      );
    }
    assertMayName(input.request, { row, stored: await requestOf(row), context });
    return issuer.perform({ kind: 'rekey', profile, request: input.request, attributes: [], predecessor }, context);
  }

  const requestOf = async ({ request_uuid: uuid }: CertificateRow): Promise<RequestRow | undefined> =>
    uuid === null ? undefined : store.findRequest(executor, uuid);

  async function renewable(input: SuccessorInput) {
    const profile = await issuer.usableProfile(input.authorityUuid, input.raProfileUuid);
    const row = await store.findOne(executor, input.certificateUuid);
    if (!row) throw notFound('Certificate', input.certificateUuid);
    assertIssuedUnder(row, profile.uuid);
    return { profile, row, predecessor: await predecessorOf(row) };
  }

  async function predecessorOf(row: CertificateRow): Promise<Predecessor> {
    return {
      uuid: row.uuid,
      der: await store.contentOf(executor, row),
      publicKeyFingerprint: row.public_key_fingerprint,
      subjectDnNormalized: row.subject_dn_normalized,
      issuerDnNormalized: row.issuer_dn_normalized,
      issuerSerialNumber: row.issuer_serial_number,
    };
  }

  return { renew, rekey, predecessorOf };
}

/** Other names are another certificate: whoever may only renew keeps those that were granted. */
function assertMayName(
  request: RequestFacts,
  facts: { readonly row: CertificateRow; readonly stored: RequestRow | undefined; readonly context: RequestContext },
): void {
  const { row, stored, context } = facts;
  if (keepsNames(request, stored ? [row, stored] : [row])) return;
  const name = `for other names than ${row.common_name || row.uuid} has: ${describeNameChange(row, request)}`;
  requirePermission(context, { resource: 'certificates', action: 'issue', name });
}

function factsOfStored(stored: RequestRow | undefined): RequestFacts {
  if (!stored)
    throw rejected('request: the certificate has no stored request (it was uploaded or discovered), so one is needed');
  const { der, created_at: _createdAt, ...facts } = stored;
  return { ...facts, uuid: newUuid(), der };
}

/** Refuses certificates that cannot be renewed, rekeyed or revoked under this RA profile. */
export function assertIssuedUnder(row: CertificateRow, raProfileUuid: string): void {
  const name = row.common_name || row.uuid;
  if (row.archived)
    throw new AppError('invalid_state', {
      what: 'Certificate',
      name,
      state: 'archived',
      needed: 'one that is not archived',
    });
  if (row.state !== 'issued')
    throw new AppError('invalid_state', { what: 'Certificate', name, state: row.state, needed: 'the state issued' });
  if (row.ra_profile_uuid !== raProfileUuid)
    throw rejected(`certificate: ${name} does not belong to the RA profile of this path`);
}
