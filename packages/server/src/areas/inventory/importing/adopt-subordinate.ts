// Completes the certificate of an authority that is subordinate to another built-in authority. Assigns the RA profile
// under which the parent authority renews and revokes it, and the CSR for its renewal. If the RA profile does not
// exist, it is created.
import { certificateOperations, raProfileOperations, type RequestAttributeDto } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Authorities } from '../../authorities/index.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import { findCertificate, readCertificate, readRequest, type NameSource } from '../../certificates/index.ts';
import { storeRequest } from '../certificate/store-changes.ts';
import type { Update } from '../certificate/update.ts';

const DAY_MS = 86_400_000;

export interface AdopterOptions {
  readonly platform: Platform;
  readonly raProfiles: Pick<RaProfiles, 'create' | 'findByName'>;
  readonly authorities: Pick<Authorities, 'find' | 'subordinates'>;
  readonly update: Update;
  readonly names: NameSource;
}

/**
 * The certificate chain that an authority's connector reported, starting with the issuing CA, and the issuing CA's
 * inventory object.
 */
export interface ReportedAuthority {
  readonly authorityUuid: string;
  readonly certificateUuid: string;
  readonly chainDer: readonly Uint8Array[];
}

export function createSubordinateAdopter({ platform, raProfiles, authorities, update, names }: AdopterOptions) {
  const { database } = platform;

  /**
   * Does nothing for a root or for a certificate that already has an RA profile. Also does nothing if the connector
   * reports no CSR, or if the parent authority is not on the platform.
   */
  return async function adopt({ authorityUuid, certificateUuid, chainDer }: ReportedAuthority): Promise<void> {
    const row = await findCertificate(database.executor, certificateUuid);
    const [own, above] = chainDer;
    if (!own || !above || row?.state !== 'issued' || row.ra_profile_uuid !== null || row.archived) return;
    const text = await authorities.subordinates.certificationRequest(authorityUuid);
    if (text === undefined) return;
    const issuingAuthorityUuid = await authorities.subordinates.findAuthorityWith(above, authorityUuid);
    if (issuingAuthorityUuid === undefined) return;
    const request = readRequest(text, 'pkcs10', (await names()).codes);
    if (request.public_key_fingerprint !== row.public_key_fingerprint) return;
    const { name } = await authorities.find(authorityUuid);
    const raProfileUuid = await profileFor({ name, authorityUuid, issuingAuthorityUuid, own });
    await storeRequest(database.executor, row.uuid, request);
    // As when a user changes the profile, the authority is asked whether it issued the certificate.
    const context = { ...coreContext(newUuid()), audit: certificateOperations.updateCertificateObjects.audit };
    await update(row.uuid, { raProfileUuid }, context);
  };

  async function profileFor(facts: {
    readonly name: string;
    readonly authorityUuid: string;
    readonly issuingAuthorityUuid: string;
    readonly own: Uint8Array;
  }): Promise<string> {
    const { issuingAuthorityUuid } = facts;
    // RA profile names are unique across authorities; authority names may differ only in punctuation and case.
    for (const name of [profileName(facts.name), `ca-${facts.authorityUuid}`]) {
      const found = await raProfiles.findByName(name);
      if (found?.authorityUuid === issuingAuthorityUuid) return found.uuid;
      if (!found) {
        const request = {
          name,
          description: `Certificate of the subordinate CA ${facts.name}. Created by the platform.`,
          attributes: attributesOf(readCertificate(facts.own).certificate),
          enabled: true,
        };
        const context = { ...coreContext(newUuid()), audit: raProfileOperations.createRaProfile.audit };
        return raProfiles.create(issuingAuthorityUuid, request, context);
      }
    }
    throw new Error(`All candidate RA profile names for ${facts.name} already exist.`);
  }
}

/** Returns the certificate's current values, which a renewal requests. Connectors find attributes by name. */
function attributesOf(certificate: Certificate): RequestAttributeDto[] {
  const days = Math.ceil((certificate.notAfterMs + 1000 - certificate.notBeforeMs) / DAY_MS);
  const { pathLength } = certificate.basicConstraints ?? {};
  const integer = (name: string, data: number): RequestAttributeDto => ({
    uuid: newUuid(),
    name,
    contentType: 'integer',
    content: [{ data }],
  });
  return [
    { uuid: newUuid(), name: 'data_certificateAuthority', contentType: 'boolean', content: [{ data: true }] },
    integer('data_validityDays', days),
    ...(pathLength === undefined ? [] : [integer('data_pathLength', pathLength)]),
  ];
}

/** Returns an RA profile name that is suitable for URLs. */
function profileName(authorityName: string): string {
  const slug = authorityName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'ca-authority' : `ca-${slug}`;
}
