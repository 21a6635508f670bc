// A certificate that signs responses and keys, in the form returned by the signing certificates area.
import { defaultSignatureAlgorithm, parseCertificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { TestCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import type { SigningCertificates } from '../../../areas/signing-certificates/index.ts';

export const reachCertificate =
  ({ der, keys }: TestCertificate): SigningCertificates['reach'] =>
  async () => {
    const certificate = parseCertificate(der);
    const algorithm = defaultSignatureAlgorithm(certificate.publicKey);
    return {
      certificate,
      chain: [der],
      algorithm,
      sign: async (data) => nodeCrypto.sign(keys.privateKey, { algorithm, data }),
      decrypt: async () => undefined,
    };
  };
