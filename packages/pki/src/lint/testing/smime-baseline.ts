// Examples for the S/MIME Baseline Requirements.
import {
  crlDistributionPointsExtension,
  extKeyUsageExtension,
  keyUsageExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import { OID } from '../../oids.ts';
import { policies } from './tls-baseline.ts';
import { rsaKey } from './public-keys.ts';
import {
  altNames,
  certificateOf,
  critical,
  DAY_MS,
  dns,
  ISSUER_CERTIFICATE,
  mailbox,
  withOutOfScope,
  root,
  sample,
  SAMPLE_FROM_MS,
  server,
  type Changes,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { RdnInput } from '../../names.ts';
import type { SMIME_BASELINE } from '../rules/smime-baseline.ts';

const policy = (type: number, generation: number): ExtensionInput => policies(`2.23.140.1.5.${type}.${generation}`);
const MAIL = 'anna@example.com';

/** A mailbox-validated certificate of the multipurpose generation. */
const mail = (changes: Changes = {}): Sample =>
  sample(
    {
      subject: [{ type: 'CN', value: MAIL }],
      extensions: [
        keyUsageExtension(['digitalSignature']),
        extKeyUsageExtension([OID.emailProtection]),
        altNames(mailbox(MAIL)),
        policy(1, 2),
        crlDistributionPointsExtension(['http://ca.example.com/ca.crl']),
      ],
    },
    changes,
  );
const withExtensions = (...extensions: readonly ExtensionInput[]): Sample => mail({ extensions });
const subject = (type: number, ...attributes: readonly RdnInput[]): Sample =>
  mail({ subject: attributes, extensions: [policy(type, 2)] });
const withLifetime = (days: number, generation: number, extraMs: number): Sample =>
  mail({
    validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + days * DAY_MS - 1000 + extraMs],
    extensions: [policy(1, generation)],
  });
const startingAt = (start: string, ...extensions: readonly ExtensionInput[]): Sample =>
  mail({ validity: [Date.parse(start), Date.parse(start) + 90 * DAY_MS], extensions });
const TWO_PURPOSES = extKeyUsageExtension([OID.emailProtection, '1.3.6.1.4.1.311.10.3.12']);
const withSmallIssuerKey = (start: string): Sample => ({
  ...startingAt(start),
  issuer: certificateOf(root({ spki: rsaKey() })),
});
const O = { type: 'O', value: 'Example' };
const ID = { type: 'ORGANIZATIONIDENTIFIER', value: 'NTRDE-HRB1' };
const PERSON = { type: 'GIVENNAME', value: 'Anna' };
const PSEUDONYM = { type: 'PSEUDONYM', value: 'anna' };

export const SMIME_BASELINE_EXAMPLES: ExamplesOf<(typeof SMIME_BASELINE)['rules']> = withOutOfScope(server(), {
  'smime-policy': { passes: mail(), fails: withExtensions(policies('2.23.140.1.5.1.2', '2.23.140.1.5.1.3')) },
  'smime-legacy': {
    passes: mail(),
    fails: startingAt('2025-07-15', policy(1, 1)),
    isOutOfScope: startingAt('2025-07-14', policy(1, 1)),
  },
  'smime-validity-825-days': { passes: withLifetime(825, 2, 0), fails: withLifetime(825, 2, 1000) },
  'smime-validity-1185-days': { passes: withLifetime(1185, 1, 0), fails: withLifetime(1185, 1, 1000) },
  'smime-key': { passes: mail(), fails: mail({ spki: rsaKey({ lead: 0x7f }) }) },
  'smime-issuer-key': {
    passes: { ...startingAt('2027-09-15'), issuer: ISSUER_CERTIFICATE },
    fails: withSmallIssuerKey('2027-09-15'),
    isOutOfScope: withSmallIssuerKey('2027-09-14'),
  },
  'smime-purpose': { passes: mail(), fails: withExtensions(extKeyUsageExtension([OID.clientAuth])) },
  'smime-forbidden-purpose': {
    passes: mail(),
    fails: withExtensions(extKeyUsageExtension([OID.emailProtection, OID.serverAuth])),
  },
  'smime-strict-purpose': {
    passes: withExtensions(policy(1, 3)),
    fails: withExtensions(policy(1, 3), extKeyUsageExtension([OID.emailProtection, OID.clientAuth])),
  },
  'smime-other-purpose': {
    passes: startingAt('2027-07-01', extKeyUsageExtension([OID.emailProtection, OID.clientAuth])),
    fails: startingAt('2027-07-01', TWO_PURPOSES),
    isOutOfScope: startingAt('2027-06-30', TWO_PURPOSES),
  },
  'smime-key-usage': {
    passes: withExtensions(keyUsageExtension(['digitalSignature', 'nonRepudiation', 'keyAgreement'])),
    fails: withExtensions(keyUsageExtension(['nonRepudiation'])),
  },
  'smime-crl': {
    passes: withExtensions(
      policy(1, 1),
      crlDistributionPointsExtension(['http://ca.example/ca.crl', 'ldap://ca.example/c']),
    ),
    fails: withExtensions(crlDistributionPointsExtension(['http://ca.example/ca.crl', 'ldap://ca.example/c'])),
  },
  'smime-policies-not-critical': { passes: mail(), fails: withExtensions(critical(policy(1, 2))) },
  'smime-mailbox': { passes: mail(), fails: mail({ without: [OID.subjectAltName] }) },
  'smime-host-name': { passes: mail(), fails: withExtensions(altNames(mailbox(MAIL), dns('example.com'))) },
  'smime-subject-mailbox': { passes: mail(), fails: subject(1, { type: 'EMAIL', value: 'other@example.com' }) },
  'smime-mailbox-validated-name': { passes: mail(), fails: subject(1, { type: 'CN', value: 'Anna' }) },
  'smime-mailbox-validated-subject': { passes: mail(), fails: subject(1, O) },
  'smime-organization': { passes: subject(2, O, ID), fails: subject(2, O) },
  'smime-organization-identifier': {
    passes: subject(2, O, { type: 'ORGANIZATIONIDENTIFIER', value: 'GOVUS+CA' }),
    fails: subject(2, O, { type: 'ORGANIZATIONIDENTIFIER', value: 'NTRDE' }),
  },
  'smime-person': {
    passes: mail({ subject: [{ type: 'CN', value: 'Anna' }], extensions: [policy(4, 1)] }),
    fails: subject(4, { type: 'CN', value: 'Anna' }),
  },
  'smime-pseudonym': { passes: subject(4, PSEUDONYM), fails: subject(4, PSEUDONYM, PERSON) },
  'smime-individual-organization': { passes: subject(4, PERSON), fails: subject(4, PERSON, O) },
});
