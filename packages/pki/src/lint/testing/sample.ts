// Certificates for the rule examples: a valid one of each kind, modified in the one respect that an example covers.
// They are not signed, so any field can have an invalid value.
import {
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  extensionsPart,
  extKeyUsageExtension,
  keyUsageExtension,
  ocspNoCheckExtension,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import { BASELINE_POLICIES } from '../certificate-rule.ts';
import { buildName, type RdnInput } from '../../names.ts';
import {
  bitStringPart,
  encodeDer,
  explicitPart,
  integerPart,
  sequence,
  timePart,
  type DerPart,
} from '../../der/writer.ts';
import { fromHex } from '../../bytes.ts';
import { ipAddressName, type GeneralName } from '../../x509/general-names.ts';
import { OID } from '../../oids.ts';
import { parseCertificate, parseTbsCertificate, type Certificate } from '../../x509/certificate.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import type { CertificateRules } from '../certificate-rule.ts';

/** A to-be-signed certificate to lint, with its input. */
export interface Sample {
  readonly tbs: Uint8Array;
  /** Signature algorithm outside the signed part; by default, the one inside it. */
  readonly outerAlgorithm?: DerPart;
  readonly issuer?: Certificate;
  readonly parameters?: object;
}

/**
 * A sample that a rule must accept, one that it must reject and, unless the rule applies to all certificates, one to
 * which it does not apply.
 */
export interface RuleExamples {
  readonly passes: Sample;
  readonly fails: Sample;
  readonly isOutOfScope?: Sample;
}

/** Examples for every rule of a group. A rule without examples does not compile. */
export type ExamplesOf<Rules extends CertificateRules> = { readonly [Id in keyof Rules]: RuleExamples };

/** notBefore of the samples. */
export const SAMPLE_FROM_MS: number = Date.UTC(2026, 10, 20);
export const DAY_MS = 86_400_000;
export const NO_NAME: DerPart = sequence([]);
const KEY_IDENTIFIER = new Uint8Array(20).fill(0x4b);
const P256_GENERATOR =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
  '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';
/** The public point is the curve's generator. */
const EC_KEY = fromHex(`3059301306072a8648ce3d020106082a8648ce3d030107034200${P256_GENERATOR}`);

export interface Changes {
  /** Zero-based, as encoded; `undefined` to omit it. */
  readonly version?: number | undefined;
  readonly serial?: DerPart;
  readonly signature?: DerPart;
  readonly issuer?: DerPart;
  /** Start and end, as encoded parts or in milliseconds since 1970. */
  readonly validity?: readonly [DerPart | number, DerPart | number];
  readonly subject?: readonly RdnInput[] | DerPart;
  readonly spki?: DerPart;
  readonly uniqueId?: DerPart;
  /** Replace extensions with the same OID; others are appended. */
  readonly extensions?: readonly ExtensionInput[];
  /** OIDs of extensions to omit. */
  readonly without?: readonly string[];
  /** Replaces all extensions. */
  readonly extensionList?: DerPart;
  readonly issuerCertificate?: Certificate;
  readonly parameters?: object;
}

const asTime = (time: DerPart | number): DerPart => (typeof time === 'number' ? timePart(time) : time);
const asName = (name: readonly RdnInput[] | DerPart): DerPart =>
  Array.isArray(name) ? buildName(name).der : (name as DerPart);

const ISSUER: readonly RdnInput[] = [
  { type: 'C', value: 'DE' },
  { type: 'CN', value: 'Example CA' },
];

export function sample(
  base: { subject: readonly RdnInput[]; extensions: readonly ExtensionInput[] },
  changes: Changes,
): Sample {
  const { version = 2, validity = [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 90 * DAY_MS], extensions = [] } = changes;
  const isReplaced = ({ oid }: ExtensionInput): boolean =>
    changes.without?.includes(oid) === true || extensions.some((extension) => extension.oid === oid);
  const list =
    changes.extensionList ?? extensionsPart([...base.extensions.filter((one) => !isReplaced(one)), ...extensions]);
  const tbs = encodeDer(
    sequence([
      'version' in changes && changes.version === undefined ? undefined : explicitPart(0, integerPart(version)),
      changes.serial ?? integerPart(new Uint8Array(16).fill(0x41)),
      changes.signature ?? signatureAlgorithm('SHA256withECDSA').der,
      changes.issuer ?? asName(ISSUER),
      sequence(validity.map(asTime)),
      asName(changes.subject ?? base.subject),
      changes.spki ?? EC_KEY,
      changes.uniqueId,
      explicitPart(3, list),
    ]),
  );
  const { issuerCertificate: issuer, parameters } = changes;
  return { tbs, ...(issuer && { issuer }), ...(parameters && { parameters }) };
}

export const dns = (value: string): GeneralName => ({ kind: 'dNSName', value });
export const uri = (value: string): GeneralName => ({ kind: 'uniformResourceIdentifier', value });
export const mailbox = (value: string): GeneralName => ({ kind: 'rfc822Name', value });
export const altNames = (...names: readonly GeneralName[]): ExtensionInput => subjectAltNameExtension(names);
export const critical = (extension: ExtensionInput): ExtensionInput => ({ ...extension, critical: true });
export const notCritical = (extension: ExtensionInput): ExtensionInput => ({ ...extension, critical: false });
/** An extension with a value that its builder function would reject. */
export const rawExtension = (oid: string, part: DerPart, isCritical = false): ExtensionInput => ({
  oid,
  critical: isCritical,
  part,
});

const NAME_OF_SERVER = 'www.example.com';
const KEY_IDENTIFIERS = [
  subjectKeyIdentifierExtension(KEY_IDENTIFIER),
  authorityKeyIdentifierExtension(KEY_IDENTIFIER),
];
const CRL = crlDistributionPointsExtension(['http://ca.example.com/ca.crl']);
const CA_EXTENSIONS = [basicConstraintsExtension({ ca: true }), keyUsageExtension(['keyCertSign', 'cRLSign'])];
const SERVER_EXTENSIONS = [
  basicConstraintsExtension({ ca: false }),
  keyUsageExtension(['digitalSignature']),
  extKeyUsageExtension([OID.serverAuth]),
  ...KEY_IDENTIFIERS,
  altNames(dns(NAME_OF_SERVER)),
  CRL,
];

/** A server certificate from a private CA. */
export const server = (changes: Changes = {}): Sample =>
  sample({ subject: [{ type: 'CN', value: NAME_OF_SERVER }], extensions: SERVER_EXTENSIONS }, changes);

/** A server certificate with additional SANs. */
export const serverWithNames = (...names: readonly GeneralName[]): Sample =>
  server({ extensions: [altNames(dns(NAME_OF_SERVER), ...names)] });

/** A server certificate with additional subject attributes after the common name. */
export const serverWithSubject = (...rdns: readonly RdnInput[]): Sample =>
  server({ subject: [{ type: 'CN', value: NAME_OF_SERVER }, ...rdns] });

/** A server certificate that asserts compliance with the Baseline Requirements. */
export const publicServer = (changes: Changes = {}): Sample =>
  sample(
    {
      subject: [{ type: 'CN', value: NAME_OF_SERVER }],
      extensions: [
        ...SERVER_EXTENSIONS,
        certificatePoliciesExtension([{ oid: BASELINE_POLICIES.domainValidated }]),
        authorityInfoAccessExtension({ caIssuers: ['http://ca.example.com/ca.cer'] }),
      ],
    },
    changes,
  );

/** A subordinate CA certificate. */
export const authority = (changes: Changes = {}): Sample =>
  sample(
    { subject: [{ type: 'CN', value: 'Example Sub CA' }], extensions: [...CA_EXTENSIONS, ...KEY_IDENTIFIERS, CRL] },
    changes,
  );

/** A self-issued root CA certificate. */
export const root = (changes: Changes = {}): Sample =>
  sample({ subject: ISSUER, extensions: [...CA_EXTENSIONS, subjectKeyIdentifierExtension(KEY_IDENTIFIER)] }, changes);

/** An OCSP responder certificate. */
export const responder = (changes: Changes = {}): Sample =>
  sample(
    {
      subject: [{ type: 'CN', value: 'Example OCSP' }],
      extensions: [
        keyUsageExtension(['digitalSignature']),
        extKeyUsageExtension([OID.ocspSigning]),
        ...KEY_IDENTIFIERS,
        ocspNoCheckExtension(),
      ],
    },
    changes,
  );

export const certificateOf = ({ tbs, outerAlgorithm }: Sample): Certificate =>
  outerAlgorithm === undefined
    ? parseTbsCertificate(tbs)
    : parseCertificate(encodeDer(sequence([tbs, outerAlgorithm, bitStringPart(Uint8Array.of(1))])));

/** CA certificate of the CA that issues the samples. */
export const ISSUER_CERTIFICATE: Certificate = certificateOf(root());

export const address = (text: string): GeneralName => ipAddressName(text);

/** Adds the same out-of-scope sample to all examples. */
export const withOutOfScope = <Examples extends Readonly<Record<string, RuleExamples>>>(
  other: Sample,
  examples: Examples,
): { readonly [Id in keyof Examples]: RuleExamples } =>
  Object.fromEntries(
    Object.entries(examples).map(([id, each]) => [id, { isOutOfScope: other, ...each }]),
    // The same IDs.
  ) as { readonly [Id in keyof Examples]: RuleExamples };
