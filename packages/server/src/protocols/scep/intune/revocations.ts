// Revokes certificates at Intune's request, and reports the results. Requests belong to a tenant, so all of a tenant's
// profiles are processed together.
import { buildName, normalizeName, parseCertificate, parseNameText, PkiError } from '@signetry/pki';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { IntuneAccount, IntuneProfiles } from '../../../areas/scep-profiles/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { isAppError, rejected } from '../../../kernel/errors.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import type { Intune, RevocationRequest, RevocationResult } from './client.ts';
import { IntuneFault } from './faults.ts';

/** Maximum that Intune returns in one call. */
const LIMIT = 500;
const AT_ONCE = 8;
const MAX_MESSAGE = 255;
/** Error codes of Microsoft's library; codes from 4100 are retryable. */
const ERROR = { none: 0, nonRetryable: 4000, invalid: 4002, notFound: 4004, retryable: 4100 } as const;

export interface RevocationParts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly intune: Pick<Intune, 'downloadRevocations' | 'uploadResults'>;
  readonly profiles: Pick<IntuneProfiles, 'findAll'>;
  readonly raProfiles: Pick<RaProfiles, 'authorityOf'>;
  readonly certificates: Pick<ProtocolCertificates, 'findBySerialNumber' | 'issuerNamesUnder' | 'revoke'>;
}

/** All profiles that use the same application. */
interface Tenant {
  readonly account: IntuneAccount;
  readonly profileUuids: readonly string[];
}

/** Returns a summary as text; rejects (422) if a call to Intune failed for any tenant. */
export async function revokeForIntune(parts: RevocationParts, context: RequestContext): Promise<string> {
  const tenants = await findTenants(parts.profiles);
  if (tenants.length === 0) return 'No SCEP profile uses Microsoft Intune.';
  const counts = { revoked: 0, failed: 0, left: 0 };
  const problems: string[] = [];
  for (const tenant of tenants) {
    if (context.signal.aborted) break;
    try {
      const done = await revokeForTenant(parts, tenant, context);
      counts.revoked += done.revoked;
      counts.failed += done.failed;
      counts.left += done.left;
    } catch (error) {
      if (!(error instanceof IntuneFault)) throw error;
      problems.push(`Tenant ${tenant.account.tenant}: ${error.message}.`);
    }
  }
  const told = `Revoked: ${counts.revoked}. Not revoked: ${counts.failed}. Left to other authorities: ${counts.left}.`;
  if (problems.length > 0) throw rejected(...problems, told);
  return told;
}

async function findTenants(profiles: RevocationParts['profiles']): Promise<readonly Tenant[]> {
  const tenants = new Map<string, { readonly account: IntuneAccount; readonly profileUuids: string[] }>();
  for (const { uuid, account } of await profiles.findAll()) {
    const key = JSON.stringify([account.tenant.toLowerCase(), account.applicationId.toLowerCase()]);
    const known = tenants.get(key) ?? { account, profileUuids: [] };
    known.profileUuids.push(uuid);
    tenants.set(key, known);
  }
  return [...tenants.values()];
}

async function revokeForTenant(parts: RevocationParts, tenant: Tenant, context: RequestContext) {
  const requests = await parts.intune.downloadRevocations(tenant.account, LIMIT);
  const ownIssuers = new Set(
    requests.length === 0 ? [] : await parts.certificates.issuerNamesUnder(tenant.profileUuids),
  );
  const results: (RevocationResult | undefined)[] = [];
  // If the platform stops, Intune will return the remaining requests again later.
  for (let from = 0; from < requests.length && !context.signal.aborted; from += AT_ONCE) {
    const some = requests.slice(from, from + AT_ONCE);
    results.push(
      ...(await Promise.all(some.map((each) => resultOf(parts, { request: each, tenant, ownIssuers }, context)))),
    );
  }
  const known = results.filter((result) => result !== undefined);
  if (known.length > 0) await parts.intune.uploadResults(tenant.account, known);
  const revoked = known.filter(({ succeeded }) => succeeded).length;
  return { revoked, failed: known.length - revoked, left: results.length - known.length };
}

interface RequestedRevocation {
  readonly request: RevocationRequest;
  readonly tenant: Tenant;
  /** Normalized names of the issuers that issued under the tenant's profiles. */
  readonly ownIssuers: ReadonlySet<string>;
}

/** Returns undefined if the request is for a different authority of the tenant, which must respond to it. */
async function resultOf(
  parts: RevocationParts,
  wanted: RequestedRevocation,
  context: RequestContext,
): Promise<RevocationResult | undefined> {
  const { request, ownIssuers } = wanted;
  const { requestContext, issuerName } = request;
  const issuer = issuerName === '' ? undefined : normalized(issuerName);
  if (issuerName !== '' && !ownIssuers.has(issuer ?? '')) return undefined;
  const failure = (errorCode: number, words: string): RevocationResult => ({
    requestContext,
    succeeded: false,
    errorCode,
    errorMessage: words.slice(0, MAX_MESSAGE),
  });
  try {
    const found = await findNamed(parts, wanted, issuer);
    if (!found) return failure(ERROR.notFound, 'No certificate with this serial number was issued for the tenant.');
    const problem = found.state === 'revoked' ? undefined : await revokeOne(parts, found, context);
    if (problem !== undefined) return failure(ERROR.nonRetryable, problem);
    return { requestContext, succeeded: true, errorCode: ERROR.none, errorMessage: '' };
  } catch (error) {
    if (isAppError(error)) return failure(ERROR.retryable, error.message);
    parts.log.error({ error, serialNumber: request.serialNumber }, 'cannot revoke a certificate for Microsoft Intune');
    return failure(ERROR.retryable, 'The platform could not revoke the certificate; see its log.');
  }
}

/** Returns why the certificate cannot be revoked at all; undefined if it was revoked. */
async function revokeOne(
  { clock, certificates, raProfiles }: RevocationParts,
  { uuid, ra_profile_uuid: raProfileUuid, not_after: notAfter }: FoundCertificate,
  context: RequestContext,
): Promise<string | undefined> {
  if (notAfter !== null && notAfter < clock.now()) return 'The certificate has expired.';
  const authorityUuid = raProfileUuid === null ? undefined : await raProfiles.authorityOf(raProfileUuid);
  if (raProfileUuid === null || authorityUuid === undefined)
    return 'The certificate no longer has an RA profile with an authority.';
  // Intune does not specify a reason.
  const input = { authorityUuid, raProfileUuid, certificateUuid: uuid, reason: 'unspecified', attributes: [] } as const;
  await certificates.revoke(input, context);
  return undefined;
}

/** Finds the certificate among those issued under the tenant's profiles. */
async function findNamed(
  { certificates }: RevocationParts,
  { request: { serialNumber }, tenant: { profileUuids } }: RequestedRevocation,
  issuer: string | undefined,
): Promise<FoundCertificate | undefined> {
  const digits = serialNumber
    .replaceAll(/[\s:-]/g, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
  if (!/^[0-9a-f]+$/.test(digits)) return undefined;
  return (await certificates.findBySerialNumber(digits)).find(
    ({ protocol_profile_uuid: profileUuid, der }) =>
      profileUuid !== null &&
      profileUuids.includes(profileUuid) &&
      (issuer === undefined || normalizeName(parseCertificate(der).issuer) === issuer),
  );
}

function normalized(text: string): string | undefined {
  try {
    return normalizeName(buildName(parseNameText(text)));
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}
