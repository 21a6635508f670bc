// For EST tests: CSRs as devices create them, and profiles as the server reads them.
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parseNameText,
  parsePublicKey,
  subjectAltNameExtension,
  type CertificationRequestInput,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import type { ServedEstProfile } from '../../../areas/est-profiles/index.ts';

export const DEVICE_PASSWORD = 'correct horse battery';
export const AUTHORITY_UUID = '00000000-0000-7000-8000-0000000000aa';

/** Returns a profile with default settings, enabled, with a user `device`. */
export const servedProfile = (facts: Partial<ServedEstProfile> = {}): ServedEstProfile => ({
  family: 'profile',
  uuid: '00000000-0000-7000-8000-0000000000e5',
  name: 'devices',
  version: 1,
  enabled: true,
  raProfile: {
    uuid: '00000000-0000-7000-8000-0000000000ab',
    name: 'ra',
    enabled: true,
    authorityUuid: AUTHORITY_UUID,
  },
  issueAttributes: [],
  revokeAttributes: [],
  association: { owner: null, groupUuids: [], customAttributes: [] },
  description: undefined,
  isDefault: false,
  ownCertificates: true,
  trustedCertificateUuids: [],
  oneTimePasswords: true,
  passwordsRenew: false,
  renewalsKeepNames: true,
  bindNames: true,
  requireLinking: false,
  requestedAttributes: {},
  manualApproval: false,
  serverKeys: false,
  retryAfter: 60,
  passwords: new Map([['device', DEVICE_PASSWORD]]),
  ...facts,
});

export interface RequestSpec {
  readonly keys?: KeyPair;
  readonly dnsNames?: readonly string[];
  readonly extensions?: CertificationRequestInput['extensions'];
  readonly challengePassword?: string;
  readonly attributes?: CertificationRequestInput['attributes'];
}

/** Returns the DER of a CSR for this subject (RFC 4514 text), signed with its own key. */
export async function requestFor(subject: string, wish: RequestSpec = {}): Promise<Uint8Array> {
  const { dnsNames = [], extensions = [], challengePassword, attributes = [] } = wish;
  const { spki, privateKey } = wish.keys ?? (await generateKeyPair('P-256'));
  const names = dnsNames.map((value) => ({ kind: 'dNSName', value }) as const);
  const info = buildCertificationRequestInfo({
    subject: buildName(parseNameText(subject)),
    spki,
    extensions: [...(names.length > 0 ? [subjectAltNameExtension(names)] : []), ...extensions],
    attributes,
    ...(challengePassword === undefined ? {} : { challengePassword }),
  });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
  return assembleCertificationRequest(info, { algorithm, signature });
}
