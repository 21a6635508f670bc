// Examples for the rules about post-quantum cryptography.
import {
  altSignatureAlgorithmExtension,
  altSignatureValueExtension,
  keyUsageExtension,
  subjectAltPublicKeyExtension,
} from '../../x509/extension-parts.ts';
import { bitStringPart, encodeDer, nullPart, oidPart, sequence, type DerPart } from '../../der/writer.ts';
import { critical, server, authority, type ExamplesOf, type Sample } from './sample.ts';
import { OID } from '../../oids.ts';
import { rsaKey } from './public-keys.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import type { KeyUsage } from '../../x509/extensions.ts';
import type { POST_QUANTUM } from '../rules/post-quantum.ts';

const rawKeyOf = (oid: string, octets: number, parameters?: DerPart): DerPart =>
  sequence([sequence([oidPart(oid), parameters]), bitStringPart(new Uint8Array(octets).fill(1))]);
const SLH_DSA = '2.16.840.1.101.3.4.3.20'; // SHA2-128S
export const ML_DSA_44: DerPart = rawKeyOf(OID.mlDsa44, 1312);
export const ML_DSA_65: DerPart = rawKeyOf(OID.mlDsa65, 1952);
const ML_KEM_768 = rawKeyOf(OID.mlKem768, 1184);

const withKeyUsage = (spki: DerPart, ...usages: readonly KeyUsage[]): Sample =>
  server({ spki, extensions: [keyUsageExtension(usages)] });
const withAlternativeKey = (spki: DerPart): Sample =>
  server({ extensions: [subjectAltPublicKeyExtension(encodeDer(spki))] });
const algorithm = (name: string) => altSignatureAlgorithmExtension(signatureAlgorithm(name).der);
const VALUE = altSignatureValueExtension(Uint8Array.of(1));

export const POST_QUANTUM_EXAMPLES: ExamplesOf<(typeof POST_QUANTUM)['rules']> = {
  'pq-key-parameters': {
    passes: server({ spki: ML_DSA_65 }),
    fails: server({ spki: rawKeyOf(OID.mlDsa65, 1952, nullPart()) }),
  },
  'pq-key-length': { passes: server({ spki: ML_DSA_65 }), fails: server({ spki: rawKeyOf(OID.mlDsa65, 1954) }) },
  'pq-ml-dsa-key-usage': {
    passes: withKeyUsage(ML_DSA_65, 'digitalSignature'),
    fails: withKeyUsage(ML_DSA_65, 'digitalSignature', 'keyEncipherment'),
  },
  'pq-slh-dsa-key-usage': {
    passes: withKeyUsage(rawKeyOf(SLH_DSA, 32), 'digitalSignature'),
    fails: withKeyUsage(rawKeyOf(SLH_DSA, 32), 'keyAgreement'),
  },
  'pq-ml-kem-key-usage': {
    passes: withKeyUsage(ML_KEM_768, 'keyEncipherment'),
    fails: withKeyUsage(ML_KEM_768, 'keyEncipherment', 'digitalSignature'),
  },
  'pq-ml-kem-ca': {
    passes: authority({ spki: ML_DSA_65 }),
    fails: authority({ spki: ML_KEM_768 }),
    isOutOfScope: server({ spki: ML_KEM_768 }),
  },
  'pq-hash-ml-dsa': {
    passes: server({ signature: signatureAlgorithm('ML-DSA-65').der }),
    fails: server({ signature: sequence([oidPart('2.16.840.1.101.3.4.3.33')]) }),
  },
  'pq-draft-algorithm': {
    passes: server({ spki: ML_DSA_65 }),
    fails: server({ spki: rawKeyOf('1.3.6.1.4.1.2.267.12.6.5', 1952) }),
  },
  'pq-key': { passes: server({ spki: ML_DSA_65 }), fails: server({ spki: rsaKey() }) },
  'pq-signature': { passes: server({ signature: signatureAlgorithm('ML-DSA-65').der }), fails: server() },
  'pq-category': { passes: server({ spki: ML_DSA_65 }), fails: server({ spki: ML_DSA_44 }) },
  'hybrid-signature-complete': {
    passes: server({ extensions: [algorithm('ML-DSA-65'), VALUE] }),
    fails: server({ extensions: [VALUE] }),
  },
  'hybrid-not-critical': {
    passes: server({ extensions: [algorithm('ML-DSA-65'), VALUE] }),
    fails: server({ extensions: [critical(algorithm('ML-DSA-65')), VALUE] }),
  },
  'hybrid-key-post-quantum': { passes: withAlternativeKey(ML_DSA_65), fails: withAlternativeKey(rsaKey()) },
  'hybrid-signature-post-quantum': {
    passes: server({ extensions: [algorithm('ML-DSA-65'), VALUE] }),
    fails: server({ extensions: [algorithm('SHA256withRSA'), VALUE] }),
  },
};
