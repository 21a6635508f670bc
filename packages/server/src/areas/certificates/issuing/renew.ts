// Renewing (same key) and rekeying (another key) of an issued certificate. Both end in a new certificate object that
// succeeds the old one; the old one stays issued.
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { requirePermission } from '../../identity/index.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { LocationsPort } from '../core/locations-port.ts';
import type { RequestFacts } from '../core/read-request.ts';
import { findRequest, withContent } from '../core/store.ts';
import type { CertificateRow, RequestRow } from '../core/tables.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { issuedUnder, usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import { refuseWrongAlternativeKey } from './alternative-keys.ts';
import type { CheckedRequest } from './check.ts';
import type { Issuance } from './issuance.ts';
import type { IssueAnswer } from './issue.ts';
import { describeNameChange, keepsNames } from './succession-names.ts';

export interface SuccessorInput extends ProfilePath {
  readonly certificateUuid: string;
  /** Absent: the stored request of the old certificate. */
  readonly request: RequestFacts | undefined;
  /** It takes the place of the old certificate wherever that is. */
  readonly replaceInLocations?: boolean | undefined;
}

export interface RekeyInput extends ProfilePath {
  readonly certificateUuid: string;
  /** Given the old certificate, in DER, that the request may have to be made for. */
  readonly request: (predecessor: Uint8Array) => Promise<RequestFacts>;
  readonly replaceInLocations?: boolean | undefined;
}

export function createCertificateRenewer(options: {
  readonly executor: Executor;
  readonly raProfiles: RaProfiles;
  readonly issuance: Pick<Issuance, 'perform'>;
  readonly issueAttributes: Pick<CallAttributes, 'customOf'>;
  readonly locations: Pick<LocationsPort, 'replacing'>;
}) {
  const { executor, raProfiles, issuance, issueAttributes, locations } = options;

  async function renew(input: SuccessorInput, context: RequestContext): Promise<IssueAnswer> {
    const { profile, row, predecessor } = await renewable(input);
    const stored = await requestOf(row);
    const request = input.request ?? factsOfStored(stored);
    if (request.public_key_fingerprint !== row.public_key_fingerprint) {
      throw rejected(
        'request: its public key differs from that of the certificate to be renewed; use rekey for a new key',
      );
    }
    if (row.hybrid_certificate) refuseWrongAlternativeKey('renew', { predecessor: predecessor.der, request });
    if (input.request) assertMayName(input.request, { row, stored, context });
    return succeed(input, { kind: 'renew', profile, request, predecessor }, context);
  }

  async function rekey(input: RekeyInput, context: RequestContext): Promise<IssueAnswer> {
    const { profile, row, predecessor } = await renewable(input);
    const request = await input.request(predecessor.der);
    if (request.public_key_fingerprint === row.public_key_fingerprint) {
      throw rejected('request: its public key is that of the certificate to be rekeyed; use renew to keep the key');
    }
    if (request.subject_dn_normalized !== row.subject_dn_normalized) {
      throw rejected(
        `request: its subject (${request.subject_dn}) differs from that of the certificate (${row.subject_dn}); issue a new certificate for another subject`,
      );
    }
    if (row.hybrid_certificate) refuseWrongAlternativeKey('rekey', { predecessor: predecessor.der, request });
    assertMayName(request, { row, stored: await requestOf(row), context });
    return succeed(input, { kind: 'rekey', profile, request, predecessor }, context);
  }

  /** The successor takes over the custom attributes. */
  async function succeed(
    { certificateUuid, replaceInLocations = false }: Pick<SuccessorInput, 'certificateUuid' | 'replaceInLocations'>,
    successor: Pick<CheckedRequest, 'kind' | 'profile' | 'request' | 'predecessor'>,
    context: RequestContext,
  ): Promise<IssueAnswer> {
    const { predecessor } = successor;
    const customAttributes = predecessor ? await issueAttributes.customOf(predecessor.uuid) : [];
    const withReservation = replaceInLocations ? await locations.replacing(certificateUuid, context) : undefined;
    return issuance.perform({ ...successor, attributes: [], customAttributes, withReservation }, context);
  }

  const requestOf = async ({ request_uuid: uuid }: CertificateRow): Promise<RequestRow | undefined> =>
    uuid === null ? undefined : findRequest(executor, uuid);

  async function renewable(input: ProfilePath & { readonly certificateUuid: string }) {
    const profile = await usableProfile(raProfiles, input);
    const row = await issuedUnder(executor, { certificateUuid: input.certificateUuid, profile });
    return { profile, row, predecessor: await withContent(executor, row) };
  }

  return { renew, rekey };
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
