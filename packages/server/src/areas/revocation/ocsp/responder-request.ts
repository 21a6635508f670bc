// Generates a responder key and a CSR for its certificate. For CAs with an RSA or EC key, the responder key is P-256:
// every client can verify it, and signing takes microseconds. A post-quantum CA gets a responder of equal strength,
// because an attacker who breaks the responder's key can forge responses for the CA.
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parsePublicKey,
  type PublicKey,
} from '@signetry/pki';
import { exportPrivateKey, generateKeyPair, KEY_SPECS, nodeCrypto, type KeySpec } from '@signetry/pki/node';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ResponderRow } from '../tables.ts';
import { sealingPurpose } from './responders.ts';

/** Maximum length of a common name (RFC 5280 appendix A, ub-common-name). */
const MAX_COMMON_NAME = 64;

/** Returns the key type for a CA's responder. */
export const responderKeySpec = ({ name }: Pick<PublicKey, 'name'>): KeySpec =>
  KEY_SPECS.find((spec) => spec === name && spec.startsWith('ML-DSA')) ?? 'P-256';

/** Returns whether the responder's key type is the one required for the CA. */
export const hasResponderKey = (responder: PublicKey, ca: PublicKey): boolean =>
  responderKeySpec(responder) === responderKeySpec(ca);

/** Returns the row to store before the certificate is requested, and the CSR (PKCS #10, RFC 2986). */
export async function newResponderRequest(
  authority: { readonly uuid: string; readonly name: string; readonly caKey: PublicKey },
  { sealer, clock }: Pick<Platform, 'sealer' | 'clock'>,
): Promise<{ readonly row: ResponderRow; readonly request: Uint8Array }> {
  const { privateKey, spki } = await generateKeyPair(responderKeySpec(authority.caKey));
  const uuid = newUuid();
  const pkcs8 = exportPrivateKey(privateKey);
  const sealed = sealer.seal(pkcs8, sealingPurpose(uuid));
  pkcs8.fill(0);
  const commonName = [...`OCSP responder of ${authority.name}`].slice(0, MAX_COMMON_NAME).join('');
  const info = buildCertificationRequestInfo({ subject: buildName([{ type: 'CN', value: commonName }]), spki });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const signature = await nodeCrypto.signAsync(privateKey, { algorithm, data: info });
  const row: ResponderRow = {
    uuid,
    authority_uuid: authority.uuid,
    sealed_key: Buffer.from(sealed),
    public_key: Buffer.from(spki),
    certificate_uuid: null,
    issuer_key: null,
    certificate: null,
    not_before: null,
    not_after: null,
    created_at: clock.now(),
  };
  return { row, request: assembleCertificationRequest(info, { algorithm, signature }) };
}
