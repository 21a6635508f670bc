// Renewal (same key) and rekey (new key) of an issued certificate. Both create a new certificate object that succeeds
// the old one. The old certificate stays issued.
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { requirePermission } from '../../identity/index.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import {
  findCertificateRequest,
  withContent,
  type CertificateRow,
  type LocationsPort,
  type RequestFacts,
  type RequestRow,
  type ReservationHook,
} from '../../certificates/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { findIssuedUnder, usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import { SuccessorInProgress } from '../operations/succession.ts';
import { rejectWrongAlternativeKey } from './alternative-keys.ts';
import { factsOf, type Association, type CheckedRequest, type RequestInput } from './check.ts';
import type { Issuance } from './issuance.ts';
import { responseFor, type IssueResponse, type IssueAttempt } from './issue.ts';
import { assertMaySucceed, attemptOf, type SuccessionParts } from './one-successor.ts';
import { describeNameChange, keepsNames } from './succession-names.ts';

export interface SuccessorInput extends ProfilePath {
  readonly certificateUuid: string;
  /** If absent, the old certificate's stored request is used. */
  readonly request: RequestFacts | undefined;
  /** Whether the successor replaces the old certificate in all of its locations. */
  readonly replaceInLocations?: boolean | undefined;
}

export interface RekeyInput extends ProfilePath {
  readonly certificateUuid: string;
  /** Receives the old certificate in DER, in case the request must be generated for it. */
  readonly request: (predecessor: Uint8Array) => Promise<RequestFacts>;
  readonly replaceInLocations?: boolean | undefined;
}

/** Successor requested over a protocol or for a location. */
export interface KeyedSuccessorInput extends ProfilePath {
  readonly certificateUuid: string;
  readonly request: RequestInput;
  readonly association?: Association | undefined;
  readonly withReservation?: ReservationHook | undefined;
}

/** Input for the successor in addition to its request. */
type Additions = Pick<KeyedSuccessorInput, 'certificateUuid' | 'association' | 'withReservation'> &
  Pick<SuccessorInput, 'replaceInLocations'>;

type Found = Awaited<ReturnType<ReturnType<typeof renewableWith>>>;

export type CertificateRenewer = ReturnType<typeof createCertificateRenewer>;

interface RenewerParts extends SuccessionParts {
  readonly raProfiles: RaProfiles;
  readonly issuance: Pick<Issuance, 'perform'>;
  readonly issueAttributes: Pick<CallAttributes, 'customOf'>;
  readonly locations: Pick<LocationsPort, 'replacing'>;
}

export function createCertificateRenewer(options: RenewerParts) {
  const { executor } = options;
  const renewable = renewableWith(options);
  const succeed = successionWith(options);

  async function renew(input: SuccessorInput, context: RequestContext): Promise<IssueResponse> {
    return responseFor(await renewFound(await renewable(input), input, context));
  }

  async function renewFound(
    found: Found,
    input: Additions & Pick<SuccessorInput, 'request'>,
    context: RequestContext,
  ): Promise<IssueAttempt> {
    const { row, predecessor } = found;
    const stored = await requestOf(row);
    const request = input.request ?? factsOfStored(stored);
    assertSameKey(request, row);
    if (row.hybrid_certificate) rejectWrongAlternativeKey('renew', { predecessor: predecessor.der, request });
    if (input.request) assertMayName(input.request, { row, stored, context });
    return succeed(input, { ...successionOf(found), kind: 'renew', request }, context);
  }

  async function rekey(input: RekeyInput, context: RequestContext): Promise<IssueResponse> {
    const found = await renewable(input);
    const request = await input.request(found.predecessor.der);
    return responseFor(await rekeyFound(found, { ...input, request }, context));
  }

  async function rekeyFound(
    found: Found,
    input: Additions & { readonly request: RequestFacts },
    context: RequestContext,
  ): Promise<IssueAttempt> {
    const { row, predecessor } = found;
    const { request } = input;
    assertOtherKeySameSubject(request, row);
    if (row.hybrid_certificate) rejectWrongAlternativeKey('rekey', { predecessor: predecessor.der, request });
    assertMayName(request, { row, stored: await requestOf(row), context });
    return succeed(input, { ...successionOf(found), kind: 'rekey', request }, context);
  }

  /** Renews if the request is for the certificate's key; otherwise rekeys. */
  async function succeedWith(input: KeyedSuccessorInput, context: RequestContext): Promise<IssueAttempt> {
    const found = await renewable(input);
    if (typeof input.request === 'function') await assertMaySucceed(options, found);
    const request = await factsOf(input.request);
    const keepsKey = request.public_key_fingerprint === found.row.public_key_fingerprint;
    return (keepsKey ? renewFound : rekeyFound)(found, { ...input, request }, context);
  }

  const requestOf = async ({ request_uuid: uuid }: CertificateRow): Promise<RequestRow | undefined> =>
    uuid === null ? undefined : findCertificateRequest(executor, uuid);

  return { renew, rekey, succeedWith };
}

/** Combines the custom attributes that the successor inherits with those that a protocol profile adds. */
const successionWith =
  ({ executor, issuance, issueAttributes, locations }: RenewerParts) =>
  async (
    input: Additions,
    successor: Pick<CheckedRequest, 'kind' | 'profile' | 'request' | 'predecessor' | 'begunAt'>,
    context: RequestContext,
  ): Promise<IssueAttempt> => {
    const { certificateUuid, replaceInLocations = false, association } = input;
    const set = association?.customAttributes ?? [];
    const kept = (await issueAttributes.customOf(certificateUuid)).filter(
      ({ name }) => !set.some((each) => each.name === name),
    );
    const replacing = replaceInLocations ? await locations.replacing(certificateUuid, context) : undefined;
    const withReservation = replacing ?? input.withReservation;
    const customAttributes = [...kept, ...set];
    const checked = { ...successor, attributes: [], customAttributes, association, withReservation };
    try {
      return await issuance.perform(checked, context);
    } catch (error) {
      // If rows are written with a reservation or the identifier was chosen in advance, a separate reservation is
      // required.
      if (!(error instanceof SuccessorInProgress) || association || withReservation) throw error;
      const joined = await attemptOf(executor, error.underWay, successor.request);
      if (!joined) throw error;
      return joined;
    }
  };

const renewableWith =
  ({ raProfiles, executor, platform }: Pick<RenewerParts, 'raProfiles' | 'executor' | 'platform'>) =>
  async (input: ProfilePath & { readonly certificateUuid: string }) => {
    const begunAt = platform.clock.now();
    const profile = await usableProfile(raProfiles, input);
    const row = await findIssuedUnder(executor, { certificateUuid: input.certificateUuid, profile });
    return { profile, row, predecessor: await withContent(executor, row), begunAt };
  };

const successionOf = ({ profile, predecessor, begunAt }: Found) => ({ profile, predecessor, begunAt });

function assertSameKey(request: RequestFacts, row: CertificateRow): void {
  if (request.public_key_fingerprint === row.public_key_fingerprint) return;
  throw rejected('request: its public key differs from that of the certificate to be renewed; use rekey for a new key');
}

function assertOtherKeySameSubject(request: RequestFacts, row: CertificateRow): void {
  if (request.public_key_fingerprint === row.public_key_fingerprint)
    throw rejected('request: its public key is that of the certificate to be rekeyed; use renew to keep the key');
  if (request.subject_dn_normalized !== row.subject_dn_normalized)
    throw rejected(
      `request: its subject (${request.subject_dn}) differs from that of the certificate (${row.subject_dn}); issue a new certificate for a different subject`,
    );
}

/**
 * Rejects different names, because they would make it a different certificate. Callers that can only renew must keep
 * the granted names, and so must the platform.
 */
function assertMayName(
  request: RequestFacts,
  facts: { readonly row: CertificateRow; readonly stored: RequestRow | undefined; readonly context: RequestContext },
): void {
  const { row, stored, context } = facts;
  if (keepsNames(request, stored ? [row, stored] : [row])) return;
  const name = `for names that differ from those of ${row.common_name || row.uuid}: ${describeNameChange(row, request)}`;
  if (context.actor.type === 'core')
    throw rejected(`request: it is ${name}. Automatic renewal does not change names; renew the certificate manually`);
  requirePermission(context, { resource: 'certificates', action: 'issue', name });
}

function factsOfStored(stored: RequestRow | undefined): RequestFacts {
  if (!stored)
    throw rejected('request: required, because the certificate has no stored request (it was uploaded or discovered)');
  const { der, created_at: _createdAt, ...facts } = stored;
  return { ...facts, uuid: newUuid(), der };
}
