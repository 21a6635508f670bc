// Calls to v1 authorities, under the end entity profile specified in the RA profile.
import { legacyAuthorityProviderOperations, type OperationResponse } from '@signetry/contract';
import { formatNameRfc4514 } from '@signetry/pki';
import { isObject } from '../../../kernel/is-object.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { readCertificate } from '../../certificates/index.ts';
import { AUTHORITY_TIMEOUT_MS, type Enrollment, type IssuingWork, type RevokingWork } from './work.ts';

type Clients = Pick<Connectors, 'client'>;

/** RA profile attribute that specifies the end entity profile, as v1 authorities define it. */
const END_ENTITY_PROFILE = 'endEntityProfile';

/** Returns the end entity profile of an RA profile. Its content is an object with identifier and name. */
export function endEntityProfileOf({ name, raProfileAttributes }: IssuingProfile): string {
  const attribute = raProfileAttributes.find((each) => each.name === END_ENTITY_PROFILE);
  const [item] = attribute?.content ?? [];
  const data = item && 'data' in item ? item.data : undefined;
  const profile = isObject(data) && 'name' in data ? data.name : data;
  if (typeof profile === 'string' && profile !== '') return profile;
  throw rejected(
    `RA profile ${name} does not specify an end entity profile: set its attribute ${END_ENTITY_PROFILE} to one of the authority's profiles.`,
  );
}

/** Returns the path parameters of calls under an RA profile's end entity profile. */
export const endEntityParams = (profile: IssuingProfile) => ({
  uuid: profile.authorityConnectorUuid,
  endEntityProfileName: endEntityProfileOf(profile),
});

export async function requestIssuance(
  connectors: Clients,
  { profile, request, operationUuid }: IssuingWork,
  { username, password }: Enrollment,
): Promise<OperationResponse<typeof legacyAuthorityProviderOperations.issueCertificate>> {
  if (request.format !== 'pkcs10')
    throw rejected('request: v1 authorities accept only PKCS #10; request the certificate with p10cr');
  const client = await connectors.client(profile.connectorUuid);
  const pkcs10 = Buffer.from(request.der).toString('base64');
  return client.call(
    legacyAuthorityProviderOperations.issueCertificate,
    { params: endEntityParams(profile), body: { username, password: password.reveal(), pkcs10 } },
    { idempotencyKey: operationUuid, timeoutMs: AUTHORITY_TIMEOUT_MS },
  );
}

/** Requests revocation of the certificate, which is identified by issuer and serial number. */
export function requestRevocation(connectors: Clients, work: RevokingWork): Promise<void> {
  const { reason } = work;
  if (reason === 'removeFromCRL') throw new Error('Legacy authority providers do not support hold.');
  const { certificate, facts } = readCertificate(work.der);
  const named = { certificateSN: facts.serial_number, issuerDN: formatNameRfc4514(certificate.issuer) };
  return requestNamedRevocation(connectors, work.profile, { ...named, reason }, work.operationUuid);
}

export async function requestNamedRevocation(
  connectors: Clients,
  profile: IssuingProfile,
  named: {
    readonly certificateSN: string;
    readonly issuerDN: string;
    readonly reason: Exclude<RevokingWork['reason'], 'removeFromCRL'>;
  },
  idempotencyKey: string,
): Promise<void> {
  const client = await connectors.client(profile.connectorUuid);
  await client.call(
    legacyAuthorityProviderOperations.revokeCertificate,
    { params: endEntityParams(profile), body: named },
    { idempotencyKey, timeoutMs: AUTHORITY_TIMEOUT_MS },
  );
}
