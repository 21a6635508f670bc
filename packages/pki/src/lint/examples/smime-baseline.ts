// Examples of the baseline requirements for S/MIME.
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
  critical,
  DAY_MS,
  dns,
  mailbox,
  outOfScope,
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
const extended = (...extensions: readonly ExtensionInput[]): Sample => mail({ extensions });
const subject = (type: number, ...attributes: readonly RdnInput[]): Sample =>
  mail({ subject: attributes, extensions: [policy(type, 2)] });
const forDays = (days: number, generation: number, extraMs: number): Sample =>
  mail({
    validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + days * DAY_MS - 1000 + extraMs],
    extensions: [policy(1, generation)],
  });
const O = { type: 'O', value: 'Example' };
const ID = { type: 'ORGANIZATIONIDENTIFIER', value: 'NTRDE-HRB1' };
const PERSON = { type: 'GIVENNAME', value: 'Anna' };
const PSEUDONYM = { type: 'PSEUDONYM', value: 'anna' };

export const SMIME_BASELINE_EXAMPLES: ExamplesOf<(typeof SMIME_BASELINE)['rules']> = outOfScope(server(), {
  'smime-policy': { passes: mail(), fails: extended(policies('2.23.140.1.5.1.2', '2.23.140.1.5.1.3')) },
  'smime-legacy': { passes: mail(), fails: extended(policy(1, 1)) },
  'smime-validity-825-days': { passes: forDays(825, 2, 0), fails: forDays(825, 2, 1000) },
  'smime-validity-1185-days': { passes: forDays(1185, 1, 0), fails: forDays(1185, 1, 1000) },
  'smime-key': { passes: mail(), fails: mail({ spki: rsaKey({ lead: 0x7f }) }) },
  'smime-purpose': { passes: mail(), fails: extended(extKeyUsageExtension([OID.clientAuth])) },
  'smime-forbidden-purpose': {
    passes: mail(),
    fails: extended(extKeyUsageExtension([OID.emailProtection, OID.serverAuth])),
  },
  'smime-strict-purpose': {
    passes: extended(policy(1, 3)),
    fails: extended(policy(1, 3), extKeyUsageExtension([OID.emailProtection, OID.clientAuth])),
  },
  'smime-key-usage': { passes: mail(), fails: mail({ without: [OID.keyUsage] }) },
  'smime-crl': { passes: mail(), fails: extended(crlDistributionPointsExtension(['https://ca.example.com/ca.crl'])) },
  'smime-policies-not-critical': { passes: mail(), fails: extended(critical(policy(1, 2))) },
  'smime-mailbox': { passes: mail(), fails: mail({ without: [OID.subjectAltName] }) },
  'smime-host-name': { passes: mail(), fails: extended(altNames(mailbox(MAIL), dns('example.com'))) },
  'smime-subject-mailbox': { passes: mail(), fails: subject(1, { type: 'EMAIL', value: 'other@example.com' }) },
  'smime-mailbox-validated-name': { passes: mail(), fails: subject(1, { type: 'CN', value: 'Anna' }) },
  'smime-mailbox-validated-subject': { passes: mail(), fails: subject(1, O) },
  'smime-organization': { passes: subject(2, O, ID), fails: subject(2, O) },
  'smime-organization-identifier': {
    passes: subject(2, O, ID),
    fails: subject(2, O, { type: 'ORGANIZATIONIDENTIFIER', value: 'HRB 1' }),
  },
  'smime-person': { passes: subject(4, PERSON), fails: subject(4, { type: 'CN', value: 'Anna' }) },
  'smime-pseudonym': { passes: subject(4, PSEUDONYM), fails: subject(4, PSEUDONYM, PERSON) },
  'smime-individual-organization': { passes: subject(4, PERSON), fails: subject(4, PERSON, O) },
});
