// CA certificates above the RA profile's certificates, as far as they are known.
import type { CertificateChains } from '../../../areas/inventory/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { CmpCall } from '../call.ts';

export interface AuthorityParts {
  readonly chains: Pick<CertificateChains, 'chainOf'>;
  readonly raProfiles: Pick<RaProfiles, 'caCertificateUuids'>;
}

/** Returns each certificate once, in DER, including roots. */
export async function authoritiesOf(
  { chains: { chainOf }, raProfiles }: AuthorityParts,
  { raProfile }: CmpCall,
): Promise<Uint8Array[]> {
  const uuids = await raProfiles.caCertificateUuids(raProfile.authorityUuid);
  const chains = await Promise.all(uuids.map((uuid) => chainOf(uuid)));
  return [...new Map(chains.flat().map((der) => [Buffer.from(der).toString('base64'), der])).values()];
}
