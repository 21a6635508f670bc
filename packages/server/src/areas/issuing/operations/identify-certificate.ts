// Asks an RA profile's authority whether it issued a certificate and whether the certificate fits the profile.
import { authorityProviderOperations, type MetadataAttribute } from '@signetry/contract';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { AUTHORITY_TIMEOUT_MS } from './work.ts';

/**
 * Returns the metadata that the connector expects back in later calls. Throws `object_not_found` if the certificate
 * does not belong to this authority, and `rejected_by_rules` if it does but does not fit the profile.
 */
export async function identifyCertificate(
  connectors: Pick<Connectors, 'client'>,
  { profile, der }: { readonly profile: IssuingProfile; readonly der: Uint8Array },
): Promise<readonly MetadataAttribute[]> {
  const client = await connectors.client(profile.connectorUuid);
  const { meta } = await client.call(
    authorityProviderOperations.identifyCertificate,
    {
      params: { uuid: profile.authorityConnectorUuid },
      body: { certificate: Buffer.from(der).toString('base64'), raProfileAttributes: [...profile.raProfileAttributes] },
    },
    { timeoutMs: AUTHORITY_TIMEOUT_MS },
  );
  return meta;
}
