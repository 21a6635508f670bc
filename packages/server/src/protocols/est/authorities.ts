// Authorities known to a profile: its RA profile's authority with its chain, and the authorities that it trusts to
// identify clients.
import { parseCertificate, type Certificate } from '@signetry/pki';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { CertificateChains } from '../../areas/inventory/index.ts';
import type { ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';

export interface KnownAuthorities {
  /** DER certificates from the issuing CA to the root, as far as they are known. */
  readonly chain: readonly Uint8Array[];
  /** CA certificates of the RA profile's authority. */
  readonly own: readonly Certificate[];
  readonly trusted: readonly Certificate[];
}

export type Authorities = (profile: ServedEstProfile) => Promise<KnownAuthorities>;

export function createAuthorities(
  { clock }: Pick<Platform, 'clock'>,
  {
    raProfiles,
    certificates,
    chains,
  }: {
    readonly raProfiles: Pick<RaProfiles, 'findByUuid' | 'caCertificateUuids'>;
    readonly certificates: Pick<ProtocolCertificates, 'findByUuids'>;
    readonly chains: Pick<CertificateChains, 'chainOf'>;
  },
): Authorities {
  const loadCertificates = async (uuids: readonly string[]): Promise<Certificate[]> =>
    uuids.length === 0 ? [] : (await certificates.findByUuids(uuids)).map(({ der }) => parseCertificate(der));

  async function load(key: string): Promise<KnownAuthorities> {
    // The cache key is written below, with these types.
    const { raProfileUuid, trusted } = JSON.parse(key) as { raProfileUuid: string | null; trusted: string[] };
    const facts = raProfileUuid === null ? undefined : await raProfiles.findByUuid(raProfileUuid);
    const { authorityUuid = null, caCertificateUuid = null } = facts ?? {};
    return {
      chain: caCertificateUuid === null ? [] : await chains.chainOf(caCertificateUuid),
      own: authorityUuid === null ? [] : await loadCertificates(await raProfiles.caCertificateUuids(authorityUuid)),
      trusted: await loadCertificates(trusted),
    };
  }

  const known = createExpiringCache({ clock, load });
  return ({ raProfile, trustedCertificateUuids: trusted }) =>
    known.get(JSON.stringify({ raProfileUuid: raProfile?.uuid ?? null, trusted }));
}
