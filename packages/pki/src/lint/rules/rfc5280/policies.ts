// Certificate policies (RFC 5280 §4.2.1.4), policy mappings (§4.2.1.5) and policy constraints (§4.2.1.11, §4.2.1.14).
import { contentBytes, openElement, parseDer, readChildren, readOid, type DerElement } from '../../../der/reader.ts';
import { decodeTextLeniently } from '../../../der/text.ts';
import { OID } from '../../../oids.ts';
import { uriProblem } from '../../name-syntax.ts';
import { TAG } from '../../../der/tags.ts';
import type { PolicyInformation } from '../../../x509/extensions.ts';
import type { CertificateRules, LintSubject } from '../../certificate-rule.ts';

interface Qualifier {
  readonly policy: string;
  readonly type: string;
  readonly content: DerElement;
}

/** Returns the PolicyQualifierInfo items of all policies. */
function qualifiers({ certificate }: LintSubject): Qualifier[] {
  const value = certificate.extensionValue(OID.certificatePolicies);
  if (value === undefined || !certificate.certificatePolicies.some(isQualified)) return [];
  return readChildren(parseDer(value)).flatMap((information) => {
    const cursor = openElement(information, TAG.sequence);
    const policy = readOid(cursor.next());
    const list = cursor.optional(TAG.sequence);
    return list === undefined ? [] : readChildren(list).map((info) => ({ policy, ...readQualifier(info) }));
  });
}

const isQualified = ({ cpsUrls, hasOtherQualifiers }: PolicyInformation): boolean =>
  hasOtherQualifiers || cpsUrls.length > 0;

function readQualifier(info: DerElement): Pick<Qualifier, 'type' | 'content'> {
  const cursor = openElement(info, TAG.sequence);
  return { type: readOid(cursor.next()), content: cursor.next() };
}

/** Returns the explicitText of user notices, the only member of UserNotice that is not a SEQUENCE. */
function explicitTexts(subject: LintSubject): DerElement[] {
  return qualifiers(subject).flatMap(({ type, content }) =>
    type === OID.userNoticeQualifier ? readChildren(content).filter(({ tag }) => tag !== TAG.sequence) : [],
  );
}

const DISPLAY_TEXT_TYPES: readonly number[] = [TAG.utf8String, TAG.visibleString, TAG.bmpString];

const POLICY_RULES = {
  'policies-distinct': {
    demand: 'A certificate policy must not appear twice.',
    remedy: 'Remove the duplicate policy.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: ({ certificate }) => {
      const policies = certificate.certificatePolicies.map(({ oid }) => oid);
      return new Set(policies).size < policies.length;
    },
  },
  'any-policy-qualifiers': {
    demand: 'The policy anyPolicy must not have qualifiers other than a CPS pointer and a user notice.',
    remedy: 'Omit the other qualifiers.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: (subject) =>
      qualifiers(subject).some(
        ({ policy, type }) => policy === OID.anyPolicy && type !== OID.cpsQualifier && type !== OID.userNoticeQualifier,
      ),
  },
  'policy-qualifiers-absent': {
    demand: 'Policies should not have qualifiers.',
    remedy: 'Omit the qualifiers.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: (subject) => qualifiers(subject).length > 0,
  },
  'user-notice-type': {
    demand: 'The text of a user notice must be a UTF8String, BMPString or VisibleString.',
    remedy: 'Encode the text as UTF8String.',
    citation: 'RFC 6818 §3',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: (subject) => explicitTexts(subject).some(({ tag }) => !DISPLAY_TEXT_TYPES.includes(tag)),
  },
  'user-notice-length': {
    demand: 'The text of a user notice must not be longer than 200 characters.',
    remedy: 'Shorten the text to 200 characters or fewer.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: (subject) =>
      explicitTexts(subject).some(
        (text) => [...(decodeTextLeniently(text.tag, contentBytes(text)) ?? '')].length > 200,
      ),
  },
} satisfies CertificateRules;

const NOTICE_RULES = {
  'cps-uri': {
    demand: 'The pointer to a certification practice statement must be a well-formed URI.',
    remedy: 'Specify the URL of the statement, or omit the qualifier.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: ({ certificate }) => {
      const urls = certificate.certificatePolicies.flatMap(({ cpsUrls }) => cpsUrls);
      const wrong = urls.find((url) => uriProblem(url) !== undefined);
      return wrong === undefined ? undefined : { value: wrong };
    },
  },
  'user-notice-without-reference': {
    demand: "A user notice should not refer to an organization's notice.",
    remedy: 'Put the text itself in the notice, or omit the qualifier.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: (subject) =>
      qualifiers(subject).some(
        ({ type, content }) =>
          type === OID.userNoticeQualifier && readChildren(content).some(({ tag }) => tag === TAG.sequence),
      ),
  },
  'user-notice-utf8': {
    demand: 'The text of a user notice should be a UTF8String.',
    remedy: 'Encode the text as UTF8String.',
    citation: 'RFC 6818 §3',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: (subject) => explicitTexts(subject).some(({ tag }) => tag !== TAG.utf8String),
  },
  'user-notice-characters': {
    demand: 'The text of a user notice should not contain control characters.',
    remedy: 'Write the text on one line, without control characters.',
    citation: 'RFC 6818 §3',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: (subject) => noticeTexts(subject).some((text) => /\p{Cc}/u.test(text)),
  },
  'user-notice-normalized': {
    demand: 'The text of a user notice should be in Unicode normalization form C.',
    remedy: 'Normalize the text to NFC.',
    citation: 'RFC 6818 §3',
    severity: 'warning',
    field: 'extensions.certificatePolicies',
    violates: (subject) => noticeTexts(subject).some((text) => text.normalize('NFC') !== text),
  },
} satisfies CertificateRules;

const noticeTexts = (subject: LintSubject): string[] =>
  explicitTexts(subject).map((text) => decodeTextLeniently(text.tag, contentBytes(text)) ?? '');

const POLICY_CONTROL_RULES = {
  'policy-mappings-only-for-ca': {
    demand: 'Only a CA certificate should contain policy mappings.',
    remedy: 'Omit the extension.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    field: 'extensions.policyMappings',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyMappings) !== undefined,
  },
  'policy-mappings-any-policy': {
    demand: 'Policies must not be mapped to or from anyPolicy.',
    remedy: 'Map the policies by their own OIDs.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'error',
    field: 'extensions.policyMappings',
    violates: ({ certificate }) =>
      certificate.policyMappings.some(({ issuerDomainPolicy, subjectDomainPolicy }) =>
        [issuerDomainPolicy, subjectDomainPolicy].includes(OID.anyPolicy),
      ),
  },
  'policy-mappings-asserted': {
    demand: "A mapped policy should also be one of the certificate's policies.",
    remedy: "Add the mapped policy to the certificate's policies.",
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    field: 'extensions.policyMappings',
    violates: ({ certificate }) => {
      const asserted = new Set(certificate.certificatePolicies.map(({ oid }) => oid));
      return certificate.policyMappings.some(({ issuerDomainPolicy }) => !asserted.has(issuerDomainPolicy));
    },
  },
  'policy-constraints-only-for-ca': {
    demand: 'Only a CA certificate should contain policy constraints.',
    remedy: 'Omit the extension.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'warning',
    field: 'extensions.policyConstraints',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyConstraints) !== undefined,
  },
  'policy-constraints-not-empty': {
    demand: 'The policyConstraints extension must not be empty.',
    remedy: 'Set a constraint, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'error',
    field: 'extensions.policyConstraints',
    violates: ({ certificate }) =>
      certificate.policyConstraints !== undefined && Object.keys(certificate.policyConstraints).length === 0,
  },
  'inhibit-any-policy-only-for-ca': {
    demand: 'Only a CA certificate should inhibit anyPolicy.',
    remedy: 'Omit the extension.',
    citation: 'RFC 5280 §4.2.1.14',
    severity: 'warning',
    field: 'extensions.inhibitAnyPolicy',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.inhibitAnyPolicy) !== undefined,
  },
} satisfies CertificateRules;

export const POLICIES = {
  ...POLICY_RULES,
  ...NOTICE_RULES,
  ...POLICY_CONTROL_RULES,
} satisfies CertificateRules;
