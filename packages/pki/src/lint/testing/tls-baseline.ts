// Examples for the Baseline Requirements beyond those in `baseline.ts`.
import { BASELINE_POLICIES } from '../certificate-rule.ts';
import {
  authorityInfoAccessExtension,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  distributionPointNamePart,
  extKeyUsageExtension,
  keyUsageExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import { generalNamePart } from '../../x509/general-names.ts';
import { ia5StringPart, namedBitsPart, oidPart, sequence, utf8StringPart } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { rsaKey } from './public-keys.ts';
import {
  altNames,
  authority,
  certificateOf,
  critical,
  dns,
  withOutOfScope,
  publicServer,
  rawExtension,
  sample,
  server,
  uri,
  type Changes,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { BASELINE_AUTHORITIES } from '../rules/baseline/authorities.ts';
import type { BASELINE_PROFILE } from '../rules/baseline/profile.ts';
import type { BASELINE_SUBJECTS } from '../rules/baseline/subjects.ts';
import type { RdnInput } from '../../names.ts';

export const policies = (...oids: readonly string[]): ExtensionInput =>
  certificatePoliciesExtension(oids.map((oid) => ({ oid })));
const VALIDATED = policies(BASELINE_POLICIES.domainValidated);
const withExtensions = (...extensions: readonly ExtensionInput[]): Sample => publicServer({ extensions });
const withoutExtensions = (...oids: readonly string[]): Sample => publicServer({ without: oids });
const subject = (...rdns: readonly RdnInput[]): Sample => publicServer({ subject: rdns });
const withDnsName = (name: string): Sample => withExtensions(altNames(dns('www.example.com'), dns(name)));
const BEFORE_SC104 = [Date.UTC(2026, 9, 3), Date.UTC(2026, 10, 3)] as const;
const CN = { type: 'CN', value: 'www.example.com' };
const C = { type: 'C', value: 'DE' };
const O = { type: 'O', value: 'Example' };
const notice = (type: string): ExtensionInput =>
  rawExtension(
    OID.certificatePolicies,
    sequence([
      sequence([
        oidPart(BASELINE_POLICIES.domainValidated),
        sequence([
          sequence([
            oidPart(type),
            type === OID.cpsQualifier ? ia5StringPart('http://a.example') : sequence([utf8StringPart('x')]),
          ]),
        ]),
      ]),
    ]),
  );

export const BASELINE_PROFILE_EXAMPLES: ExamplesOf<typeof BASELINE_PROFILE> = withOutOfScope(server(), {
  'baseline-key-type': { passes: publicServer(), fails: publicServer({ spki: rsaKey({ lead: 0x7f }) }) },
  'baseline-purpose-not-critical': {
    passes: publicServer(),
    fails: withExtensions(critical(extKeyUsageExtension([OID.serverAuth]))),
  },
  'baseline-forbidden-purpose': {
    passes: withExtensions(extKeyUsageExtension([OID.serverAuth, OID.clientAuth])),
    fails: withExtensions(extKeyUsageExtension([OID.serverAuth, OID.codeSigning])),
  },
  'baseline-policies-not-critical': { passes: publicServer(), fails: withExtensions(critical(VALIDATED)) },
  'baseline-any-policy': {
    passes: publicServer(),
    fails: withExtensions(policies(BASELINE_POLICIES.domainValidated, OID.anyPolicy)),
  },
  'baseline-policy-first': {
    passes: withExtensions(policies(BASELINE_POLICIES.domainValidated, '1.2.3')),
    fails: withExtensions(policies('1.2.3', BASELINE_POLICIES.domainValidated)),
  },
  'baseline-policy-qualifiers': {
    passes: withExtensions(notice(OID.cpsQualifier)),
    fails: withExtensions(notice(OID.userNoticeQualifier)),
  },
  'baseline-needless-usage': {
    passes: publicServer(),
    fails: withExtensions(keyUsageExtension(['digitalSignature', 'keyAgreement'])),
  },
  'baseline-subject-key-identifier': { passes: withoutExtensions(OID.subjectKeyIdentifier), fails: publicServer() },
  'baseline-authority-info-access': {
    passes: publicServer({ validity: BEFORE_SC104 }),
    fails: publicServer({ validity: BEFORE_SC104, without: [OID.authorityInfoAccess] }),
    isOutOfScope: withoutExtensions(OID.authorityInfoAccess),
  },
  'baseline-issuer-location': {
    passes: publicServer(),
    fails: withoutExtensions(OID.authorityInfoAccess),
    isOutOfScope: publicServer({ validity: BEFORE_SC104, without: [OID.authorityInfoAccess] }),
  },
  'baseline-access-methods': {
    passes: publicServer(),
    fails: withExtensions(
      rawExtension(
        OID.authorityInfoAccess,
        sequence([sequence([oidPart('1.3.6.1.5.5.7.48.5'), generalNamePart(uri('http://a.example'))])]),
      ),
    ),
  },
  'baseline-revocation': {
    passes: withExtensions(authorityInfoAccessExtension({ ocsp: ['http://ocsp.example.com'] })),
    fails: withoutExtensions(OID.crlDistributionPoints),
  },
  'baseline-distribution-points': {
    passes: withExtensions(crlDistributionPointsExtension(['http://ca.example.com/ca.crl'])),
    fails: withExtensions(
      rawExtension(
        OID.crlDistributionPoints,
        sequence([sequence([distributionPointNamePart(['http://a.example/a.crl']), namedBitsPart(2, 0x81)])]),
      ),
    ),
  },
});

const ORGANIZATION = { extensions: [policies(BASELINE_POLICIES.organizationValidated)] };
const INDIVIDUAL = { extensions: [policies(BASELINE_POLICIES.individualValidated)] };
const L = { type: 'L', value: 'Berlin' };
const PERSON = [
  { type: 'SURNAME', value: 'Musterfrau' },
  { type: 'GIVENNAME', value: 'Anna' },
];

export const BASELINE_SUBJECTS_EXAMPLES: ExamplesOf<typeof BASELINE_SUBJECTS> = withOutOfScope(server(), {
  'baseline-subject-order': { passes: subject(C, O, CN), fails: subject(CN, C) },
  'baseline-subject-repeated': { passes: subject(C, CN), fails: subject(C, C, CN) },
  'baseline-subject-single-valued': { passes: subject(C, CN), fails: subject([C, CN]) },
  'baseline-subject-metadata': { passes: subject(C, CN), fails: subject(C, { type: 'L', value: '-' }, CN) },
  'baseline-organization-validated': {
    passes: publicServer({ ...ORGANIZATION, subject: [C, L, O, CN] }),
    fails: publicServer({ ...ORGANIZATION, subject: [C, O, CN] }),
  },
  'baseline-individual-validated': {
    passes: publicServer({ ...INDIVIDUAL, subject: [C, L, ...PERSON, CN] }),
    fails: publicServer({ ...INDIVIDUAL, subject: [C, L, CN] }),
  },
  'baseline-common-name-copied': {
    passes: publicServer(),
    fails: subject({ type: 'CN', value: 'WWW.example.com' }),
  },
  'baseline-wildcard-domain': { passes: withDnsName('*.example.com'), fails: withDnsName('*.com') },
  'baseline-onion': { passes: withDnsName(`${'a'.repeat(56)}.onion`), fails: withDnsName('facebookcorewwwi.onion') },
});

/** A CA that issues publicly trusted server certificates. */
export const publicAuthority = (changes: Changes = {}): Sample =>
  sample(
    {
      subject: [C, O, { type: 'CN', value: 'Example TLS CA' }],
      extensions: [
        ...AUTHORITY_EXTENSIONS,
        policies(BASELINE_POLICIES.domainValidated),
        extKeyUsageExtension([OID.serverAuth]),
      ],
    },
    changes,
  );

const AUTHORITY_EXTENSIONS = [
  rawExtension(OID.basicConstraints, sequence([Uint8Array.of(1, 1, 0xff)]), true),
  keyUsageExtension(['keyCertSign', 'cRLSign']),
  crlDistributionPointsExtension(['http://ca.example.com/root.crl']),
];

export const BASELINE_AUTHORITIES_EXAMPLES: ExamplesOf<typeof BASELINE_AUTHORITIES> = withOutOfScope(authority(), {
  'baseline-ca-purpose': { passes: publicAuthority(), fails: publicAuthority({ without: [OID.extKeyUsage] }) },
  'baseline-ca-one-policy': {
    passes: publicAuthority(),
    fails: publicAuthority({
      extensions: [policies(BASELINE_POLICIES.domainValidated, BASELINE_POLICIES.organizationValidated)],
    }),
  },
  'baseline-ca-any-policy': {
    passes: publicAuthority(),
    fails: publicAuthority({ extensions: [policies(BASELINE_POLICIES.domainValidated, OID.anyPolicy)] }),
  },
  'baseline-ca-policies': {
    passes: publicAuthority({ issuerCertificate: certificateOf(publicAuthority()) }),
    fails: authority({ issuerCertificate: certificateOf(publicAuthority()) }),
  },
  'baseline-ca-subject': { passes: publicAuthority(), fails: publicAuthority({ subject: [C, O] }) },
  'baseline-ca-revocation': {
    passes: publicAuthority(),
    fails: publicAuthority({ without: [OID.crlDistributionPoints] }),
  },
  'baseline-ca-key-usage': {
    passes: publicAuthority(),
    fails: publicAuthority({ extensions: [keyUsageExtension(['keyCertSign'])] }),
  },
});
