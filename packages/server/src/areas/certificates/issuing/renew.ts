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
import type { Association, CheckedRequest } from './check.ts';
import type { Issuance } from './issuance.ts';
import { answerOf, type IssueAnswer, type IssueAttempt } from './issue.ts';
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

/** What comes over a protocol. */
export interface ProtocolSuccessorInput extends ProfilePath {
  readonly certificateUuid: string;
  readonly request: RequestFacts;
  readonly association: Association;
}

type Found = Awaited<ReturnType<ReturnType<typeof renewableWith>>>;

export type CertificateRenewer = ReturnType<typeof createCertificateRenewer>;

export function createCertificateRenewer(options: {
  readonly executor: Executor;
  readonly raProfiles: RaProfiles;
  readonly issuance: Pick<Issuance, 'perform'>;
  readonly issueAttributes: Pick<CallAttributes, 'customOf'>;
  readonly locations: Pick<LocationsPort, 'replacing'>;
}) {
  const { executor, issuance, issueAttributes, locations } = options;

  const renewable = renewableWith(options);

  async function renew(input: SuccessorInput, context: RequestContext): Promise<IssueAnswer> {
    return answerOf(await renewFound(await renewable(input), input, context));
  }

  async function renewFound(
    { profile, row, predecessor }: Found,
    input: SuccessorInput & { readonly association?: Association },
    context: RequestContext,
  ): Promise<IssueAttempt> {
    const stored = await requestOf(row);
    const request = input.request ?? factsOfStored(stored);
    assertSameKey(request, row);
    if (row.hybrid_certificate) refuseWrongAlternativeKey('renew', { predecessor: predecessor.der, request });
    if (input.request) assertMayName(input.request, { row, stored, context });
    return succeed(input, { kind: 'renew', profile, request, predecessor }, context);
  }

  async function rekey(input: RekeyInput, context: RequestContext): Promise<IssueAnswer> {
    const found = await renewable(input);
    const request = await input.request(found.predecessor.der);
    return answerOf(await rekeyFound(found, { ...input, request }, context));
  }

  async function rekeyFound(
    { profile, row, predecessor }: Found,
    input: SuccessorInput & { readonly request: RequestFacts; readonly association?: Association },
    context: RequestContext,
  ): Promise<IssueAttempt> {
    const { request } = input;
    assertOtherKeySameSubject(request, row);
    if (row.hybrid_certificate) refuseWrongAlternativeKey('rekey', { predecessor: predecessor.der, request });
    assertMayName(request, { row, stored: await requestOf(row), context });
    return succeed(input, { kind: 'rekey', profile, request, predecessor }, context);
  }

  /** Renews where the request is for the key of the certificate, otherwise rekeys. */
  async function succeedWith(input: ProtocolSuccessorInput, context: RequestContext): Promise<IssueAttempt> {
    const found = await renewable(input);
    const keepsKey = input.request.public_key_fingerprint === found.row.public_key_fingerprint;
    return keepsKey ? renewFound(found, input, context) : rekeyFound(found, input, context);
  }

  /** The successor takes over the custom attributes; what the profile of a protocol sets is added. */
  async function succeed(
    input: Pick<SuccessorInput, 'certificateUuid' | 'replaceInLocations'> & { readonly association?: Association },
    successor: Pick<CheckedRequest, 'kind' | 'profile' | 'request' | 'predecessor'>,
    context: RequestContext,
  ): Promise<IssueAttempt> {
    const { certificateUuid, replaceInLocations = false, association } = input;
    const set = association?.customAttributes ?? [];
    const kept = (await issueAttributes.customOf(certificateUuid)).filter(
      ({ name }) => !set.some((each) => each.name === name),
    );
    const withReservation = replaceInLocations ? await locations.replacing(certificateUuid, context) : undefined;
    const customAttributes = [...kept, ...set];
    return issuance.perform({ ...successor, attributes: [], customAttributes, association, withReservation }, context);
  }

  const requestOf = async ({ request_uuid: uuid }: CertificateRow): Promise<RequestRow | undefined> =>
    uuid === null ? undefined : findRequest(executor, uuid);

  return { renew, rekey, succeedWith };
}

const renewableWith =
  ({ raProfiles, executor }: { readonly raProfiles: RaProfiles; readonly executor: Executor }) =>
  async (input: ProfilePath & { readonly certificateUuid: string }) => {
    const profile = await usableProfile(raProfiles, input);
    const row = await issuedUnder(executor, { certificateUuid: input.certificateUuid, profile });
    return { profile, row, predecessor: await withContent(executor, row) };
  };

function assertSameKey(request: RequestFacts, row: CertificateRow): void {
  if (request.public_key_fingerprint === row.public_key_fingerprint) return;
  throw rejected('request: its public key differs from that of the certificate to be renewed; use rekey for a new key');
}

function assertOtherKeySameSubject(request: RequestFacts, row: CertificateRow): void {
  if (request.public_key_fingerprint === row.public_key_fingerprint)
    throw rejected('request: its public key is that of the certificate to be rekeyed; use renew to keep the key');
  if (request.subject_dn_normalized !== row.subject_dn_normalized)
    throw rejected(
      `request: its subject (${request.subject_dn}) differs from that of the certificate (${row.subject_dn}); issue a new certificate for another subject`,
    );
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
