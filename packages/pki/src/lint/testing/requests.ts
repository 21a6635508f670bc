// Examples for the rules about certification requests. They are not signed, so any field can have an invalid value.
import {
  basicConstraintsExtension,
  extensionsPart,
  extKeyUsageExtension,
  keyUsageExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import {
  bitStringPart,
  encodeDer,
  implicitConstructed,
  integerPart,
  nullPart,
  oidPart,
  printableStringPart,
  sequence,
  setOf,
  type DerPart,
} from '../../der/writer.ts';
import { bmpString, rawName } from '../../testing/raw-names.ts';
import { buildName, type RdnInput } from '../../names.ts';
import { K256_KEY, RSA_1024, rsaKeyOf, SMALL_FACTOR } from './algorithm-strength.ts';
import { altNames, dns, mailbox, NO_NAME, rawExtension, uri } from './sample.ts';
import { fromHex } from '../../bytes.ts';
import { ML_DSA_65 } from './post-quantum.ts';
import { OID } from '../../oids.ts';
import { parseCertificationRequest, type CertificationRequest } from '../../csr.ts';
import { ROCA_MODULUS } from '../../testing/weak-keys.ts';
import { rsaKey } from './public-keys.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import type { CERTIFICATION_REQUESTS } from '../rules/requests.ts';
import type { GeneralName } from '../../x509/general-names.ts';

interface RequestChanges {
  readonly subject?: readonly RdnInput[] | DerPart;
  readonly spki?: DerPart;
  readonly signature?: string;
  readonly extensions?: readonly ExtensionInput[];
  /** Replaces all attributes; `null` omits the field. */
  readonly attributes?: readonly DerPart[] | null;
}

export interface RequestExamples {
  readonly passes: CertificationRequest;
  readonly fails: CertificationRequest;
}

const attribute = (oid: string, value: DerPart): DerPart => sequence([oidPart(oid), setOf([value])]);
const CN = { type: 'CN', value: 'www.example.com' };
const NAMES = altNames(dns('www.example.com'));
const EC_KEY = fromHex(
  '3059301306072a8648ce3d020106082a8648ce3d030107034200' +
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
);

function request(changes: RequestChanges = {}): CertificationRequest {
  const { subject = [CN], spki = EC_KEY, signature = 'SHA256withECDSA', extensions = [NAMES] } = changes;
  const attributes = changes.attributes ?? [attribute(OID.extensionRequest, extensionsPart(extensions))];
  const info = sequence([
    integerPart(0),
    Array.isArray(subject) ? buildName(subject).der : (subject as DerPart),
    spki,
    changes.attributes === null ? undefined : implicitConstructed(0, attributes),
  ]);
  const algorithm = signatureAlgorithm(signature).der;
  return parseCertificationRequest(encodeDer(sequence([info, algorithm, bitStringPart(Uint8Array.of(0))])));
}

const withNames = (...names: readonly GeneralName[]): CertificationRequest =>
  request({ extensions: [altNames(dns('www.example.com'), ...names)] });
const subject = (...rdns: readonly RdnInput[]): CertificationRequest => request({ subject: [CN, ...rdns] });
const withExtensions = (...extensions: readonly ExtensionInput[]): CertificationRequest =>
  request({ extensions: [NAMES, ...extensions] });
const withKey = (spki: DerPart): CertificationRequest => request({ spki, signature: 'SHA256withRSA' });
const MICROSOFT = attribute(OID.msExtensionRequest, extensionsPart([NAMES]));
const PRINTABLE_WITH_AT = Uint8Array.of(0x13, 3, 0x61, 0x40, 0x62); // a@b

export const REQUEST_EXAMPLES: {
  readonly [Id in keyof (typeof CERTIFICATION_REQUESTS)['rules']]: RequestExamples;
} = {
  'request-signature': { passes: request(), fails: request({ signature: 'SHA1withECDSA' }) },
  'request-signature-fits-key': { passes: request(), fails: request({ signature: 'SHA256withRSA' }) },
  'request-attributes': { passes: request({ attributes: [] }), fails: request({ attributes: null }) },
  'request-challenge-password': {
    passes: request(),
    fails: request({ attributes: [attribute(OID.challengePassword, printableStringPart('secret'))] }),
  },
  'request-extension-attribute': { passes: request(), fails: request({ attributes: [MICROSOFT] }) },
  'request-extension-malformed': { passes: request(), fails: withExtensions(rawExtension(OID.keyUsage, nullPart())) },
  'request-ca': { passes: request(), fails: withExtensions(basicConstraintsExtension({ ca: true })) },
  'request-usage-fits-key': {
    passes: withExtensions(keyUsageExtension(['digitalSignature'])),
    fails: withExtensions(keyUsageExtension(['keyEncipherment'])),
  },
  'request-purpose-fits-usage': {
    passes: withExtensions(keyUsageExtension(['digitalSignature']), extKeyUsageExtension([OID.codeSigning])),
    fails: withExtensions(keyUsageExtension(['keyAgreement']), extKeyUsageExtension([OID.codeSigning])),
  },
  'request-key': { passes: withKey(rsaKey()), fails: withKey(RSA_1024) },
  'request-small-factor': { passes: withKey(rsaKeyOf(fromHex(ROCA_MODULUS))), fails: withKey(rsaKeyOf(SMALL_FACTOR)) },
  'request-key-parameters': { passes: withKey(rsaKey()), fails: withKey(rsaKey({ parameters: null })) },
  'request-post-quantum': { passes: request({ spki: ML_DSA_65 }), fails: request({ spki: K256_KEY }) },
  'request-name': {
    passes: request({ subject: NO_NAME }),
    fails: request({ subject: NO_NAME, attributes: [] }),
  },
  'request-common-name': { passes: request(), fails: request({ attributes: [] }) },
  'request-hidden-character': { passes: request(), fails: subject({ type: 'O', value: 'Example\u202egnp' }) },
  'request-country': { passes: subject({ type: 'C', value: 'DE' }), fails: subject({ type: 'C', value: 'de' }) },
  'request-country-assigned': {
    passes: subject({ type: 'C', value: 'GB' }),
    fails: subject({ type: 'C', value: 'UK' }),
  },
  'request-attribute-length': {
    passes: subject({ type: 'O', value: 'x'.repeat(64) }),
    fails: subject({ type: 'O', value: 'x'.repeat(65) }),
  },
  'request-string-type': {
    passes: request(),
    fails: request({ subject: rawName([[OID.commonName, bmpString('www.example.com')]]) }),
  },
  'request-string-characters': {
    passes: request(),
    fails: request({ subject: rawName([[OID.serialNumber, PRINTABLE_WITH_AT]]) }),
  },
  'request-space': { passes: request(), fails: subject({ type: 'O', value: ' Example' }) },
  'request-dns-syntax': { passes: withNames(dns('*.example.com')), fails: withNames(dns('bad..example.com')) },
  'request-dns-underscore': { passes: request(), fails: withNames(dns('a_b.example.com')) },
  'request-a-label': { passes: withNames(dns('xn--mller-kva.example')), fails: withNames(dns('xn--0.example')) },
  'request-mailbox': { passes: withNames(mailbox('anna@example.com')), fails: withNames(mailbox('Anna')) },
  'request-uri': { passes: withNames(uri('spiffe://example.com/w')), fails: withNames(uri('/relative')) },
  'request-address': {
    passes: request(),
    fails: withNames({ kind: 'iPAddress', octets: new Uint8Array(8) }),
  },
};
