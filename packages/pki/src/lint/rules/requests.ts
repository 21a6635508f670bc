// Rules for certificate requests (RFC 2986, RFC 2985): reasons for a CA to reject a request, and common client
// omissions.
import { checkKeyPolicy, DEFAULT_KEY_POLICY } from '../../key-policy.ts';
import {
  characterProblem,
  countryProblem,
  lengthProblem,
  spaceProblem,
  stringTypeProblem,
  unassignedCountry,
} from '../attribute-problems.ts';
import { commonName, isEmptyName } from '../../names.ts';
import { firstProblem, type NameProblem } from '../alternative-name-problems.ts';
import { formatGeneralName } from '../../x509/general-names.ts';
import { hiddenCharacterOfGeneralName, hiddenCharacterOfName } from '../../x509/name-characters.ts';
import { hasSmallFactor } from '../../rsa-weaknesses.ts';
import { isQuantumSafe } from '../key-strength.ts';
import { keyFitsAlgorithm } from '../../keys.ts';
import { OID } from '../../oids.ts';
import { parseDer, readChildren } from '../../der/reader.ts';
import { requestSignatureProblem } from '../../csr.ts';
import { PkiError } from '../../errors.ts';
import { resolveSignatureAlgorithm } from '../../algorithms.ts';
import { TAG } from '../../der/tags.ts';
import { unsupportedUsages, incompatiblePurpose } from '../usage-compatibility.ts';
import * as problems from '../alternative-name-problems.ts';
import type { RequestRule, RequestRules, RequestRuleSet, RequestSubject } from '../request-rule.ts';
import type { NameAttribute } from '../../names.ts';
import type { Violation } from '../rule.ts';

const SUBJECT_REMEDY = 'Create a new CSR with a corrected subject.';
const ATTRIBUTES = 0xa0;

/** Returns a rule for the subject attributes. */
const subjectRule = (
  demand: string,
  citation: string,
  problemOf: (attributes: readonly NameAttribute[]) => Violation | undefined,
): RequestRule => ({
  demand,
  remedy: SUBJECT_REMEDY,
  citation,
  severity: 'error',
  field: 'subject',
  violates: ({ attributes }) => problemOf(attributes),
});

/** Returns a rule for each requested subject alternative name. */
const nameRule = (demand: string, citation: string, problemOf: NameProblem): RequestRule => ({
  demand,
  remedy: 'Create a new CSR with corrected SANs.',
  citation,
  severity: 'error',
  field: 'extensions.subjectAltName',
  violates: ({ altNames }) => firstProblem(altNames, problemOf),
});

/** Readers for everything in the requested extensions that is also read from certificates. */
const READERS: readonly ((subject: RequestSubject) => unknown)[] = [
  ({ altNames }) => altNames,
  ({ keyUsage }) => keyUsage,
  ({ extKeyUsage }) => extKeyUsage,
  ({ isForCa }) => isForCa,
];

function malformedExtension(subject: RequestSubject): string | undefined {
  for (const read of READERS) {
    try {
      read(subject);
    } catch (error) {
      if (error instanceof PkiError) return `A requested extension is malformed: ${error.message.replace(/\.$/, '')}.`;
      throw error;
    }
  }
  return undefined;
}

const FORM = {
  'request-signature': {
    demand: 'The request must not be signed with a broken digest.',
    remedy: 'Sign the request with SHA-256 or stronger.',
    citation: 'RFC 6194 §3; RFC 6151 §2',
    severity: 'error',
    field: 'signatureAlgorithm',
    violates: ({ request }) => {
      const problem = requestSignatureProblem(request);
      return problem && `The request is not acceptable: ${problem}.`;
    },
  },
  'request-signature-fits-key': {
    demand: 'The signature algorithm must match the type of the key in the request.',
    remedy: 'Sign the request with the private key that matches its public key.',
    citation: 'RFC 2986 §4.2',
    severity: 'error',
    field: 'signatureAlgorithm',
    violates: ({ request }) =>
      !keyFitsAlgorithm(request.publicKey, resolveSignatureAlgorithm(request.signatureAlgorithm)),
  },
  'request-attributes': {
    demand: 'The attributes field must be present, even if it is empty.',
    remedy: 'Create the CSR with software that conforms to RFC 2986.',
    citation: 'RFC 2986 §4.1',
    severity: 'warning',
    field: 'attributes',
    violates: ({ request }) => !readChildren(parseDer(request.info)).some(({ tag }) => tag === ATTRIBUTES),
  },
  'request-challenge-password': {
    demand: 'A challenge password should only be used for SCEP enrollment: anyone who sees the request can read it.',
    remedy: 'Omit the challenge password.',
    citation: 'RFC 2985 §5.4.1; RFC 8894 §2.4',
    severity: 'notice',
    field: 'attributes.challengePassword',
    violates: ({ request }) => request.challengePassword !== undefined && { value: '(present)' },
  },
  'request-extension-attribute': {
    demand: "Extensions should be requested with the RFC 2985 attribute, not only with Microsoft's.",
    remedy: 'Also request the extensions with extensionRequest.',
    citation: 'RFC 2985 §5.4.2',
    severity: 'notice',
    field: 'attributes',
    violates: ({ request: { attributes } }) =>
      attributes.some(({ type }) => type === OID.msExtensionRequest) &&
      !attributes.some(({ type }) => type === OID.extensionRequest),
  },
  'request-extension-malformed': {
    demand: 'Every requested extension must conform to its defined syntax.',
    remedy: 'Create a new CSR with software that encodes the extension correctly.',
    citation: 'RFC 5280 §4.2',
    severity: 'error',
    field: 'extensions',
    violates: malformedExtension,
  },
  'request-ca': {
    demand: 'The request is for a CA certificate: check that this is intended.',
    remedy: 'Omit basicConstraints from requests for other certificates.',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'warning',
    field: 'extensions.basicConstraints',
    violates: ({ isForCa }) => isForCa,
  },
  'request-usage-fits-key': {
    demand: 'The key must support every requested key usage.',
    remedy: 'Request only key usages that this type of key supports.',
    citation: 'RFC 3279 §2.3; RFC 8813 §3; RFC 8410 §5; RFC 9881 §5',
    severity: 'error',
    field: 'extensions.keyUsage',
    violates: ({ request, keyUsage = [] }) => unsupportedUsages(request.publicKey, keyUsage),
  },
  'request-purpose-fits-usage': {
    demand: 'Each requested extended key usage must have a compatible key usage.',
    remedy: 'Request a compatible key usage, or omit the extended key usage.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    field: 'extensions.extKeyUsage',
    violates: ({ keyUsage, extKeyUsage = [] }) => keyUsage && incompatiblePurpose(extKeyUsage, keyUsage),
  },
} satisfies RequestRules;

const KEY = {
  'request-key': {
    demand: 'The key must be of a type and size that is accepted by default, and must not expose its private key.',
    remedy:
      'Create the CSR with an RSA key of 2048 bits or more, an EC key on P-256, P-384 or P-521, Ed25519 or ML-DSA.',
    citation: 'NIST SP 800-131A; CA/Browser Forum BR §6.1.1.3, §6.1.5',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ request }) =>
      checkKeyPolicy(request.publicKey, DEFAULT_KEY_POLICY)
        .map(({ message }) => message)
        .join(' ') || undefined,
  },
  'request-small-factor': {
    demand: 'An RSA modulus must have no prime factor smaller than 752.',
    remedy: 'Generate a new key: the modulus is not a product of two large primes.',
    citation: 'CA/Browser Forum BR §6.1.6; NIST SP 800-89 §5.3.3',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ request: { publicKey } }) => publicKey.modulus !== undefined && hasSmallFactor(publicKey.modulus),
  },
  'request-key-parameters': {
    demand: 'The algorithm parameters of an RSA key must be NULL.',
    remedy: 'Encode the parameters of the key algorithm as NULL.',
    citation: 'RFC 3279 §2.3.1',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ request: { publicKey } }) =>
      publicKey.algorithm.oid === OID.rsaEncryption && publicKey.algorithm.parameters?.tag !== TAG.null,
  },
  'request-post-quantum': {
    demand: 'The key is not post-quantum.',
    remedy: 'Plan the migration to ML-DSA, SLH-DSA or a hybrid certificate.',
    citation: 'NIST IR 8547 §1',
    severity: 'notice',
    field: 'subjectPublicKeyInfo',
    violates: ({ request }) => !isQuantumSafe(request.publicKey),
  },
} satisfies RequestRules;

const NAMES = {
  'request-name': {
    demand: 'The request must identify its subject, in the subject field or in a SAN.',
    remedy: 'Specify a subject or a SAN.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    field: 'subject',
    violates: ({ request, altNames }) => isEmptyName(request.subject) && altNames.length === 0,
  },
  'request-common-name': {
    demand: 'A host name in the common name should also be requested as a SAN.',
    remedy: 'Request it as a SAN: current software ignores the common name.',
    citation: 'RFC 9525 §2',
    severity: 'warning',
    field: 'subject',
    violates: ({ request, altNames }) => {
      const name = commonName(request.subject)?.toLowerCase() ?? '';
      if (!/^[a-z0-9*-]+(?:\.[a-z0-9-]+)+$/.test(name)) return false;
      return !altNames.some((each) => formatGeneralName(each).toLowerCase() === name);
    },
  },
  'request-hidden-character': {
    demand: 'Names must not contain invisible characters.',
    remedy: SUBJECT_REMEDY,
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    field: 'subject',
    violates: ({ request, altNames }) => {
      const character =
        hiddenCharacterOfName(request.subject) ?? altNames.map(hiddenCharacterOfGeneralName).find(Boolean);
      return character !== undefined && `A name contains the invisible character ${character}.`;
    },
  },
  'request-country': subjectRule(
    'A country must be a code of two uppercase letters.',
    'RFC 5280 appendix A.1',
    countryProblem,
  ),
  'request-country-assigned': {
    ...subjectRule('A country should be an assigned ISO 3166-1 code.', 'RFC 5280 appendix A.1', unassignedCountry),
    severity: 'warning',
  },
  'request-attribute-length': subjectRule(
    'A subject attribute must not be empty or exceed its upper bound.',
    'RFC 5280 appendix A.1',
    lengthProblem,
  ),
  'request-string-type': {
    ...subjectRule(
      'A subject attribute should have its prescribed string type or, if there is none, UTF8String or PrintableString.',
      'RFC 5280 §4.1.2.4',
      stringTypeProblem,
    ),
    severity: 'warning',
  },
  'request-string-characters': subjectRule(
    'A subject attribute must not contain characters that its string type does not allow.',
    'X.680 §41',
    characterProblem,
  ),
  'request-space': {
    ...subjectRule(
      'A subject attribute should not contain leading, trailing or consecutive spaces.',
      'RFC 4518 §2.6.1',
      spaceProblem,
    ),
    severity: 'warning',
  },
  'request-dns-syntax': nameRule(
    'A DNS name must be a valid host name.',
    'RFC 5280 §4.2.1.6; RFC 1034 §3.5',
    problems.dnsSyntax,
  ),
  'request-dns-underscore': {
    ...nameRule('A DNS name should not contain an underscore.', 'RFC 1034 §3.5', problems.underscore),
    severity: 'warning',
  },
  'request-a-label': nameRule(
    'A label that begins with xn-- must be valid Punycode.',
    'RFC 9549 §2.3; RFC 3492 §6.2',
    problems.aLabel(true),
  ),
  'request-mailbox': nameRule('An email address must be a mailbox.', 'RFC 5280 §4.2.1.6', problems.mailboxSyntax),
  'request-uri': nameRule('A URI must be absolute and well-formed.', 'RFC 5280 §4.2.1.6; RFC 3986', problems.uriSyntax),
  'request-address': nameRule('An IP address must be 4 or 16 bytes long.', 'RFC 5280 §4.2.1.6', problems.addressLength),
} satisfies RequestRules;

export const CERTIFICATION_REQUESTS = {
  code: 'certification-requests',
  name: 'Certificate requests (PKCS #10)',
  description: 'Checks of certificate requests before issuance.',
  rules: { ...FORM, ...KEY, ...NAMES },
} satisfies RequestRuleSet;
