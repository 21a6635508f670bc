// CA certificates: fetched from the connector and passed to the certificate area, which registers itself here.
import { authorityProviderOperations, type CertificateDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Connectors } from '../connectors/index.ts';
import type { IssuingProfile, IssuingProfiles } from './issuing-profiles.ts';
import { raProfiles } from './store.ts';

/** Certificates of an authority, as returned by its connector. */
export interface CaChain {
  readonly authorityUuid: string;
  readonly connectorUuid: string;
  /** Identifier of the authority at its connector. */
  readonly authorityConnectorUuid: string;
  /** Starts with the issuing certificate. */
  readonly chainDer: readonly Uint8Array[];
}

/** Certificate inventory functions that RA profiles use. */
export interface CaCertificates {
  /** Imports the certificates and returns their UUIDs in the same order. */
  learn(chain: CaChain, context: RequestContext): Promise<readonly string[]>;
  describe(certificateUuids: readonly string[], context: RequestContext): Promise<CertificateDetailDto[]>;
}

export function createCaCertificates(
  platform: Platform,
  parts: { readonly connectors: Connectors; readonly profiles: IssuingProfiles },
) {
  const { database, log } = platform;
  let inventory: CaCertificates | undefined;

  async function fetchChain(profile: IssuingProfile, { signal }: RequestContext): Promise<CaChain> {
    const { authorityUuid, connectorUuid, authorityConnectorUuid, raProfileAttributes } = profile;
    const client = await parts.connectors.client(connectorUuid);
    const request = {
      params: { uuid: authorityConnectorUuid },
      body: { raProfileAttributes },
    };
    const { certificates } = await client.call(authorityProviderOperations.getCaCertificates, request, { signal });
    const chainDer = certificates.map(({ certificateData }) => derOf(certificateData));
    return { authorityUuid, connectorUuid, authorityConnectorUuid, chainDer };
  }

  /** Imports the certificates of a profile's authority and stores which of them is the issuing certificate. */
  async function learn(raProfileUuid: string, context: RequestContext): Promise<readonly string[]> {
    if (!inventory) return [];
    const profile = await parts.profiles.forUpkeep(raProfileUuid);
    const uuids = await inventory.learn(await fetchChain(profile, context), context);
    const [issuing = null] = uuids;
    if (issuing !== profile.caCertificateUuid) {
      await raProfiles.updateMany(database.executor, [raProfileUuid], { ca_certificate_uuid: issuing });
      parts.profiles.invalidate([raProfileUuid]);
    }
    return uuids;
  }

  return {
    /** Called after a profile has been written. An authority that does not return its certificates can still issue. */
    learnQuietly: async (raProfileUuid: string, context: RequestContext): Promise<void> => {
      try {
        await learn(raProfileUuid, context);
      } catch (error) {
        // The profile has been committed; an error here would suggest that it has not.
        log.warn({ error, raProfile: raProfileUuid }, 'cannot import the certificates of an authority');
      }
    },
    /** Fetches and returns the certificates of a profile's authority. */
    list: async (raProfileUuid: string, context: RequestContext): Promise<CertificateDetailDto[]> => {
      const uuids = await learn(raProfileUuid, context);
      return inventory && uuids.length > 0 ? inventory.describe(uuids, context) : [];
    },
    register: (registered: CaCertificates): void => {
      inventory = registered;
    },
  };
}

/** Connectors send DER in Base64, but some send PEM. */
const derOf = (text: string): Uint8Array =>
  new Uint8Array(Buffer.from(text.replaceAll(/-----[^-]+-----/g, ''), 'base64'));
