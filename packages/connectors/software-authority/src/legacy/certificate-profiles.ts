// Certificate profiles that end entity profiles can offer: the purpose of a certificate. All other settings, such as
// its validity and URLs, come from the RA profile.
import type { NameAndIdDto, RequestAttributeDto } from '@signetry/contract';
import { OID, type KeyUsage } from '@signetry/pki';
import { PROFILE } from '../attributes/ra-profile-settings.ts';

interface Purpose {
  readonly id: number;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly string[];
}

const SIGN_AND_DECRYPT: readonly KeyUsage[] = ['digitalSignature', 'keyEncipherment'];

/** Identifiers never change: platforms store them. */
const PROFILES = {
  ENDUSER: { id: 1, keyUsages: SIGN_AND_DECRYPT, extendedKeyUsages: [OID.clientAuth, OID.emailProtection] },
  SERVER: { id: 2, keyUsages: SIGN_AND_DECRYPT, extendedKeyUsages: [OID.serverAuth] },
  CLIENT: { id: 3, keyUsages: ['digitalSignature'], extendedKeyUsages: [OID.clientAuth] },
  EMAIL: { id: 4, keyUsages: SIGN_AND_DECRYPT, extendedKeyUsages: [OID.emailProtection] },
  CODESIGNING: { id: 5, keyUsages: ['digitalSignature'], extendedKeyUsages: [OID.codeSigning] },
} as const satisfies Readonly<Record<string, Purpose>>;

export type CertificateProfileName = keyof typeof PROFILES;

export const CERTIFICATE_PROFILES = Object.keys(PROFILES) as readonly CertificateProfileName[];

export const isCertificateProfile = (name: string): name is CertificateProfileName => Object.hasOwn(PROFILES, name);

export const presentCertificateProfile = (name: CertificateProfileName): NameAndIdDto => ({
  id: PROFILES[name].id,
  name,
});

/** Returns a certificate profile's settings as RA profile attributes. */
export const settingsOf = (name: CertificateProfileName): readonly RequestAttributeDto[] => [
  setting(PROFILE.keyUsages, PROFILES[name].keyUsages),
  setting(PROFILE.extendedKeyUsages, PROFILES[name].extendedKeyUsages),
];

const setting = (name: string, values: readonly string[]): RequestAttributeDto => ({
  uuid: '',
  name,
  contentType: 'string',
  content: values.map((data) => ({ data })),
});
