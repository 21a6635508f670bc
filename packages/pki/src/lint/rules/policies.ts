// Certificate policies (RFC 5280 §4.2.1.4), their mappings (§4.2.1.5) and constraints (§4.2.1.11, §4.2.1.14).
import { contentBytes, openElement, parseDer, readChildren, readOid, type DerElement } from '../../der/reader.ts';
import { decodeTextLeniently } from '../../der/text.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import type { CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';

interface Qualifier {
  readonly policy: string;
  readonly type: string;
  readonly content: DerElement;
}

/** PolicyQualifierInfo of all policies. */
function qualifiers({ certificate }: LintSubject): Qualifier[] {
  const value = certificate.extensionValue(OID.certificatePolicies);
  if (value === undefined) return [];
  return readChildren(parseDer(value)).flatMap((information) => {
    const cursor = openElement(information, TAG.sequence);
    const policy = readOid(cursor.next());
    const list = cursor.optional(TAG.sequence);
    return list === undefined ? [] : readChildren(list).map((info) => ({ policy, ...readQualifier(info) }));
  });
}

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
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    violates: ({ certificate }) => {
      const policies = certificate.certificatePolicies.map(({ oid }) => oid);
      return new Set(policies).size < policies.length;
    },
  },
  'any-policy-qualifiers': {
    demand: 'The policy anyPolicy may have no qualifiers other than a CPS pointer and a user notice.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    violates: (subject) =>
      qualifiers(subject).some(
        ({ policy, type }) => policy === OID.anyPolicy && type !== OID.cpsQualifier && type !== OID.userNoticeQualifier,
      ),
  },
  'policy-qualifiers-absent': {
    demand: 'Policies should have no qualifiers.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'notice',
    violates: (subject) => qualifiers(subject).length > 0,
  },
  'user-notice-type': {
    demand: 'The text of a user notice must be a UTF8String, BMPString or VisibleString.',
    citation: 'RFC 6818 §3',
    severity: 'error',
    violates: (subject) => explicitTexts(subject).some(({ tag }) => !DISPLAY_TEXT_TYPES.includes(tag)),
  },
  'user-notice-length': {
    demand: 'The text of a user notice must not be longer than 200 characters.',
    citation: 'RFC 5280 §4.2.1.4',
    severity: 'error',
    violates: (subject) =>
      explicitTexts(subject).some(
        (text) => [...(decodeTextLeniently(text.tag, contentBytes(text)) ?? '')].length > 200,
      ),
  },
} satisfies CertificateRuleGroup['rules'];

const POLICY_CONTROL_RULES = {
  'policy-mappings-only-for-ca': {
    demand: 'Only a CA should map policies.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyMappings) !== undefined,
  },
  'policy-mappings-any-policy': {
    demand: 'Policies must not be mapped to or from anyPolicy.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'error',
    violates: ({ certificate }) =>
      certificate.policyMappings.some(({ issuerDomainPolicy, subjectDomainPolicy }) =>
        [issuerDomainPolicy, subjectDomainPolicy].includes(OID.anyPolicy),
      ),
  },
  'policy-mappings-asserted': {
    demand: 'A mapped policy should be among the policies of the certificate.',
    citation: 'RFC 5280 §4.2.1.5',
    severity: 'warning',
    violates: ({ certificate }) => {
      const asserted = new Set(certificate.certificatePolicies.map(({ oid }) => oid));
      return certificate.policyMappings.some(({ issuerDomainPolicy }) => !asserted.has(issuerDomainPolicy));
    },
  },
  'policy-constraints-only-for-ca': {
    demand: 'Only a CA should have policy constraints.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'warning',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.policyConstraints) !== undefined,
  },
  'policy-constraints-not-empty': {
    demand: 'The policyConstraints extension must not be empty.',
    citation: 'RFC 5280 §4.2.1.11',
    severity: 'error',
    violates: ({ certificate }) =>
      certificate.policyConstraints !== undefined && Object.keys(certificate.policyConstraints).length === 0,
  },
  'inhibit-any-policy-only-for-ca': {
    demand: 'Only a CA should inhibit anyPolicy.',
    citation: 'RFC 5280 §4.2.1.14',
    severity: 'warning',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.extensionValue(OID.inhibitAnyPolicy) !== undefined,
  },
} satisfies CertificateRuleGroup['rules'];

export const POLICIES = {
  name: 'Policies',
  description: 'Certificate policies, policy mappings and policy constraints',
  rules: { ...POLICY_RULES, ...POLICY_CONTROL_RULES },
} satisfies CertificateRuleGroup;
