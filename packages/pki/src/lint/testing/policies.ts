// Examples for the rules about policies.
import { bmpString } from '../../testing/raw-names.ts';
import {
  certificatePoliciesExtension,
  inhibitAnyPolicyExtension,
  policyConstraintsExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import { OID } from '../../oids.ts';
import { ia5StringPart, integerPart, oidPart, sequence, utf8StringPart, type DerPart } from '../../der/writer.ts';
import { authority, rawExtension, server, type ExamplesOf } from './sample.ts';
import type { POLICIES } from '../rules/rfc5280/policies.ts';

const policies = (...oids: readonly string[]): ExtensionInput =>
  certificatePoliciesExtension(oids.map((oid) => ({ oid })));

/** Policies with one qualifier. */
const qualified = (policy: string, type: string, content: DerPart): ExtensionInput =>
  rawExtension(
    OID.certificatePolicies,
    sequence([sequence([oidPart(policy), sequence([sequence([oidPart(type), content])])])]),
  );
const notice = (text: DerPart): ExtensionInput => qualified('1.2.3', OID.userNoticeQualifier, sequence([text]));
const mapping = (from: string, to: string): ExtensionInput =>
  rawExtension(OID.policyMappings, sequence([sequence([oidPart(from), oidPart(to)])]), true);

const CONSTRAINTS = policyConstraintsExtension({ requireExplicitPolicy: 0 });

export const POLICIES_EXAMPLES: ExamplesOf<typeof POLICIES> = {
  'policies-distinct': {
    passes: server({ extensions: [policies('1.2.3', '1.2.4')] }),
    fails: server({ extensions: [policies('1.2.3', '1.2.3')] }),
  },
  'any-policy-qualifiers': {
    passes: server({ extensions: [qualified(OID.anyPolicy, OID.cpsQualifier, ia5StringPart('http://a.example'))] }),
    fails: server({ extensions: [qualified(OID.anyPolicy, '1.2.3', ia5StringPart('x'))] }),
  },
  'policy-qualifiers-absent': {
    passes: server({ extensions: [policies('1.2.3')] }),
    fails: server({ extensions: [certificatePoliciesExtension([{ oid: '1.2.3', cpsUrl: 'http://a.example' }])] }),
  },
  'user-notice-type': {
    passes: server({ extensions: [notice(utf8StringPart('As is.'))] }),
    fails: server({ extensions: [notice(ia5StringPart('As is.'))] }),
  },
  'user-notice-length': {
    passes: server({ extensions: [notice(utf8StringPart('é'.repeat(200)))] }),
    fails: server({ extensions: [notice(utf8StringPart('é'.repeat(201)))] }),
  },
  'policy-mappings-only-for-ca': {
    passes: server(),
    fails: server({ extensions: [mapping('1.2.3', '1.2.4')] }),
    isOutOfScope: authority({ extensions: [mapping('1.2.3', '1.2.4')] }),
  },
  'policy-mappings-any-policy': {
    passes: authority({ extensions: [mapping('1.2.3', '1.2.4')] }),
    fails: authority({ extensions: [mapping('1.2.3', OID.anyPolicy)] }),
  },
  'policy-mappings-asserted': {
    passes: authority({ extensions: [policies('1.2.3'), mapping('1.2.3', '1.2.4')] }),
    fails: authority({ extensions: [policies('1.2.4'), mapping('1.2.3', '1.2.4')] }),
  },
  'policy-constraints-only-for-ca': {
    passes: server(),
    fails: server({ extensions: [CONSTRAINTS] }),
    isOutOfScope: authority({ extensions: [CONSTRAINTS] }),
  },
  'policy-constraints-not-empty': {
    passes: authority({ extensions: [CONSTRAINTS] }),
    fails: authority({ extensions: [policyConstraintsExtension({})] }),
  },
  'inhibit-any-policy-only-for-ca': {
    passes: server(),
    fails: server({ extensions: [inhibitAnyPolicyExtension(0)] }),
    isOutOfScope: authority({ extensions: [inhibitAnyPolicyExtension(0)] }),
  },
  'cps-uri': {
    passes: server({ extensions: [certificatePoliciesExtension([{ oid: '1.2.3', cpsUrl: 'https://a.example/cps' }])] }),
    fails: server({ extensions: [certificatePoliciesExtension([{ oid: '1.2.3', cpsUrl: 'a.example/cps' }])] }),
  },
  'user-notice-without-reference': {
    passes: server({ extensions: [notice(utf8StringPart('As is.'))] }),
    fails: server({
      extensions: [notice(sequence([utf8StringPart('Example'), sequence([integerPart(1)])]))],
    }),
  },
  'user-notice-utf8': {
    passes: server({ extensions: [notice(utf8StringPart('As is.'))] }),
    fails: server({ extensions: [notice(bmpString('As is.'))] }),
  },
  'user-notice-characters': {
    passes: server({ extensions: [notice(utf8StringPart('As is.'))] }),
    fails: server({ extensions: [notice(utf8StringPart('As\nis.'))] }),
  },
  'user-notice-normalized': {
    passes: server({ extensions: [notice(utf8StringPart('M\u00fcller'))] }),
    fails: server({ extensions: [notice(utf8StringPart('Mu\u0308ller'))] }),
  },
};
