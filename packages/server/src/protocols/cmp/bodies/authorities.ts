// The authorities above the certificates of the RA profile, as far as they are known.
import type { CertificatesArea } from '../../../areas/certificates/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { CmpCall } from '../call.ts';

export interface AuthorityParts {
  readonly certificates: Pick<CertificatesArea, 'chainOf'>;
  readonly raProfiles: Pick<RaProfiles, 'caCertificateUuids'>;
}

/** Each once, in DER; roots too. */
export async function authoritiesOf(
  { certificates, raProfiles }: AuthorityParts,
  { raProfile }: CmpCall,
): Promise<Uint8Array[]> {
  const uuids = await raProfiles.caCertificateUuids(raProfile.authorityUuid);
  const chains = await Promise.all(uuids.map((uuid) => certificates.chainOf(uuid)));
  return [...new Map(chains.flat().map((der) => [Buffer.from(der).toString('base64'), der])).values()];
}
