// Examples for the Baseline Requirements. The out-of-scope example is the same certificate without the CA/Browser Forum
// policy, or on a date when the requirement was not in effect.
import {
  authorityInfoAccessExtension,
  certificatePoliciesExtension,
  extKeyUsageExtension,
  keyUsageExtension,
} from '../../x509/extension-parts.ts';
import { BASELINE_POLICIES } from '../certificate-rule.ts';
import { generalNamePart, type GeneralName } from '../../x509/general-names.ts';
import { implicitConstructed, implicitPrimitive, sequence } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { rsaKey } from './public-keys.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import {
  address,
  altNames,
  DAY_MS,
  dns,
  mailbox,
  publicServer,
  rawExtension,
  server,
  type ExamplesOf,
  type RuleExamples,
  type Sample,
} from './sample.ts';
import type { BASELINE } from '../rules/baseline/subscribers.ts';

/** The validity period includes its last second. */
function validity(days: number, { from, other }: { from: string; other: string }): RuleExamples {
  const valid = (start: string, extraMs: number): Sample => {
    const startMs = Date.parse(start);
    return publicServer({ validity: [startMs, startMs + days * DAY_MS - 1000 + extraMs] });
  };
  return { passes: valid(from, 0), fails: valid(from, 1000), isOutOfScope: valid(other, 1000) };
}

const withNames = (...names: readonly GeneralName[]): Sample =>
  publicServer({ extensions: [altNames(dns('www.example.com'), ...names)] });
const policies = (...oids: readonly string[]) => certificatePoliciesExtension(oids.map((oid) => ({ oid })));
const ORGANIZATION = policies(BASELINE_POLICIES.organizationValidated);
const CN = { type: 'CN', value: 'www.example.com' };
const O = { type: 'O', value: 'Example' };
const OU = { type: 'OU', value: 'IT' };
const BEFORE_2022 = [Date.UTC(2021, 5, 1), Date.UTC(2021, 6, 1)] as const;
const BEFORE_2019 = [Date.UTC(2018, 5, 1), Date.UTC(2018, 6, 1)] as const;
const BEFORE_2026 = [Date.UTC(2025, 5, 1), Date.UTC(2025, 6, 1)] as const;

export const BASELINE_EXAMPLES: ExamplesOf<typeof BASELINE> = {
  'baseline-validity-398-days': validity(398, { from: '2026-03-14', other: '2026-03-15' }),
  'baseline-validity-200-days': validity(200, { from: '2026-03-15', other: '2026-03-14' }),
  'baseline-validity-100-days': validity(100, { from: '2027-03-15', other: '2027-03-14' }),
  'baseline-validity-47-days': validity(47, { from: '2029-03-15', other: '2029-03-14' }),
  'baseline-policy': {
    passes: publicServer({ extensions: [policies(BASELINE_POLICIES.domainValidated, '1.2.3')] }),
    fails: publicServer({
      extensions: [policies(BASELINE_POLICIES.domainValidated, BASELINE_POLICIES.organizationValidated)],
    }),
    isOutOfScope: server(),
  },
  'baseline-signature': {
    passes: publicServer(),
    fails: publicServer({ signature: signatureAlgorithm('Ed25519').der }),
    isOutOfScope: server({ signature: signatureAlgorithm('Ed25519').der }),
  },
  'baseline-rsa-size': {
    passes: publicServer({ spki: rsaKey() }),
    fails: publicServer({ spki: rsaKey({ lead: 0x7f }) }),
    isOutOfScope: server({ spki: rsaKey({ lead: 0x7f }) }),
  },
  'baseline-purpose': {
    passes: publicServer({ extensions: [extKeyUsageExtension([OID.serverAuth, OID.clientAuth])] }),
    fails: publicServer({ extensions: [extKeyUsageExtension([OID.serverAuth, OID.anyExtendedKeyUsage])] }),
    isOutOfScope: server({ extensions: [extKeyUsageExtension([OID.anyExtendedKeyUsage])] }),
  },
  'baseline-key-usage': {
    passes: publicServer({ extensions: [keyUsageExtension(['digitalSignature', 'keyAgreement'])] }),
    fails: publicServer({ extensions: [keyUsageExtension(['digitalSignature', 'nonRepudiation'])] }),
    isOutOfScope: server({ extensions: [keyUsageExtension(['keyAgreement'])] }),
  },
  'baseline-authority-key-identifier': {
    passes: publicServer(),
    fails: publicServer({
      extensions: [
        rawExtension(
          OID.authorityKeyIdentifier,
          sequence([
            implicitPrimitive(0, Uint8Array.of(1)),
            implicitConstructed(1, [generalNamePart(dns('ca.example'))]),
            implicitPrimitive(2, Uint8Array.of(1)),
          ]),
        ),
      ],
    }),
    isOutOfScope: server(),
  },
  'baseline-http-only': {
    passes: publicServer(),
    fails: publicServer({ extensions: [authorityInfoAccessExtension({ caIssuers: ['ldap://ca.example/cn=CA'] })] }),
    isOutOfScope: server(),
  },
  'baseline-names': {
    passes: withNames(address('198.51.101.1')),
    fails: withNames(mailbox('a@example.com')),
    isOutOfScope: server(),
  },
  'baseline-internal-name': {
    passes: withNames(dns('*.example.com'), dns('example.com')),
    fails: withNames(dns('intranet')),
    isOutOfScope: server({ extensions: [altNames(dns('intranet'))] }),
  },
  'baseline-reserved-address': {
    passes: withNames(address('172.32.0.1'), address('2606:4700::1')),
    fails: withNames(address('172.31.0.1')),
    isOutOfScope: server({ extensions: [altNames(address('10.0.0.1'))] }),
  },
  'baseline-reverse-name': {
    passes: withNames(dns('arpa.example.com')),
    fails: withNames(dns('1.2.0.192.in-addr.arpa')),
    isOutOfScope: publicServer({ validity: BEFORE_2026, extensions: [altNames(dns('8.b.d.0.1.0.0.2.ip6.arpa'))] }),
  },
  'baseline-underscore': {
    passes: publicServer(),
    fails: withNames(dns('a_b.example.com')),
    isOutOfScope: publicServer({ validity: BEFORE_2019, extensions: [altNames(dns('a_b.example.com'))] }),
  },
  'baseline-common-name': {
    passes: publicServer({ subject: [] }),
    fails: publicServer({ subject: [{ type: 'CN', value: 'Example' }] }),
    isOutOfScope: server({ subject: [{ type: 'CN', value: 'Example' }] }),
  },
  'baseline-organizational-unit': {
    passes: publicServer({ subject: [O, CN], extensions: [ORGANIZATION] }),
    fails: publicServer({ subject: [O, OU, CN], extensions: [ORGANIZATION] }),
    isOutOfScope: publicServer({ subject: [O, OU, CN], extensions: [ORGANIZATION], validity: BEFORE_2022 }),
  },
  'baseline-domain-validated-subject': {
    passes: publicServer({ subject: [{ type: 'C', value: 'DE' }, CN] }),
    fails: publicServer({ subject: [O, CN] }),
    isOutOfScope: publicServer({ subject: [O, CN], validity: BEFORE_2022 }),
  },
};
