// Certificate policies (RFC 5280 §4.2.1.4), their mappings (§4.2.1.5) and constraints (§4.2.1.11, §4.2.1.14).
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

/** PolicyQualifierInfo of all policies. */
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

/** The explicitText of user notices: the only member of UserNotice that is not a SEQUENCE. */
function explicitTexts(subject: LintSubject): DerElement[] {
  return qualifiers(subject).flatMap(({ type, content }) =>
    type === OID.userNoticeQualifier ? readChildren(content).filter(({ tag }) => tag !== TAG.sequence) : [],
  );
}

const DISPLAY_TEXT_TYPES: readonly number[] = [TAG.utf8String, TAG.visibleString, TAG.bmpString];

const POLICY_RULES = {
  'policies-distinct': {
    demand: 'A certificate policy must not be named twice.',
    remedy: 'Name each policy once.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: ({ certificate }) => {
      const policies = certificate.certificatePolicies.map(({ oid }) => oid);
      return new Set(policies).size < policies.length;
    },
  },
  'any-policy-qualifiers': {
    demand: 'The policy anyPolicy may have no qualifiers other than a CPS pointer and a user notice.',
    remedy: 'Leave the other qualifiers out.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    field: 'extensions.certificatePolicies',
    violates: (subject) =>
      qualifiers(subject).some(
        ({ policy, type }) => policy === OID.anyPolicy && type !== OID.cpsQualifier && type !== OID.userNoticeQualifier,
      ),
  },
  'policy-qualifiers-absent': {
    demand: 'Policies should have no qualifiers.',
    remedy: 'Name the policy without qualifiers.',
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
    remedy: 'Shorten the text to 200 characters.',
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
    remedy: 'Name the address of the statement, or leave the qualifier out.',
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
    demand: 'A user notice should not refer to a notice of an organization.',
    remedy: 'Put the text itself into the notice, or leave the qualifier out.',
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
    demand: 'The text of a user notice should have no control characters.',
    remedy: 'Write the text in one line, without control characters.',
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
    demand: 'Only a CA should map policies.',
    remedy: 'Leave the extension out.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    field: 'extensions.policyMappings',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyMappings) !== undefined,
  },
  'policy-mappings-any-policy': {
    demand: 'Policies must not be mapped to or from anyPolicy.',
    remedy: 'Map the policies by their own identifiers.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'error',
    field: 'extensions.policyMappings',
    violates: ({ certificate }) =>
      certificate.policyMappings.some(({ issuerDomainPolicy, subjectDomainPolicy }) =>
        [issuerDomainPolicy, subjectDomainPolicy].includes(OID.anyPolicy),
      ),
  },
  'policy-mappings-asserted': {
    demand: 'A mapped policy should be among the policies of the certificate.',
    remedy: 'Add the mapped policy to the policies of the certificate.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    field: 'extensions.policyMappings',
    violates: ({ certificate }) => {
      const asserted = new Set(certificate.certificatePolicies.map(({ oid }) => oid));
      return certificate.policyMappings.some(({ issuerDomainPolicy }) => !asserted.has(issuerDomainPolicy));
    },
  },
  'policy-constraints-only-for-ca': {
    demand: 'Only a CA should have policy constraints.',
    remedy: 'Leave the extension out.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'warning',
    field: 'extensions.policyConstraints',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyConstraints) !== undefined,
  },
  'policy-constraints-not-empty': {
    demand: 'The policyConstraints extension must not be empty.',
    remedy: 'Set a constraint, or leave the extension out.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'error',
    field: 'extensions.policyConstraints',
    violates: ({ certificate }) =>
      certificate.policyConstraints !== undefined && Object.keys(certificate.policyConstraints).length === 0,
  },
  'inhibit-any-policy-only-for-ca': {
    demand: 'Only a CA should inhibit anyPolicy.',
    remedy: 'Leave the extension out.',
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
