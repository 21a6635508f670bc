// Examples for the rules about extensions in general.
import { timestampList } from './timestamps.ts';
import {
  booleanPart,
  encodeDer,
  nullPart,
  octetStringPart,
  oidPart,
  sequence,
  setOf,
  type DerPart,
} from '../../der/writer.ts';
import { generalNamePart } from '../../x509/general-names.ts';
import { OID } from '../../oids.ts';
import { authority, dns, rawExtension, responder, server, type ExamplesOf, type RuleExamples, uri } from './sample.ts';
import type { EXTENSIONS } from '../rules/rfc5280/extensions.ts';
import * as parts from '../../x509/extension-parts.ts';

/** A certificate with the correct extension criticality, and one with the wrong one. */
function criticality(extension: parts.ExtensionInput): RuleExamples {
  const flipped = { ...extension, critical: !extension.critical };
  return { passes: authority({ extensions: [extension] }), fails: authority({ extensions: [flipped] }) };
}

/** A certificate whose extension has a member, and one whose extension is empty. */
function emptiness(extension: parts.ExtensionInput): RuleExamples {
  return {
    passes: authority({ extensions: [extension] }),
    fails: authority({ extensions: [rawExtension(extension.oid, sequence([]))] }),
  };
}

const access = (method: string, location: string): DerPart =>
  sequence([sequence([oidPart(method), generalNamePart(uri(location))])]);
const CA_REPOSITORY = '1.3.6.1.5.5.7.48.5';

const SUBJECT_INFO_ACCESS = rawExtension(OID.subjectInfoAccess, access(CA_REPOSITORY, 'http://ca.example'));
const DIRECTORY_ATTRIBUTES = rawExtension(
  OID.subjectDirectoryAttributes,
  sequence([sequence([oidPart('1.2.3'), setOf([nullPart()])])]),
);
const MAPPINGS = rawExtension(OID.policyMappings, sequence([sequence([oidPart('1.2.3'), oidPart('1.2.4')])]), true);
const POINTS = parts.crlDistributionPointsExtension(['http://ca.example/ca.crl']);
const DELTA_POINTS = parts.freshestCrlExtension(['http://ca.example/delta.crl']);
const AUTHORITY_INFO_ACCESS = parts.authorityInfoAccessExtension({ ocsp: ['http://ca.example'] });
const ISSUER_NAMES = parts.issuerAltNameExtension([dns('ca.example')]);
const POISON = rawExtension(OID.ctPrecertificatePoison, nullPart(), true);
const TIMESTAMPS = rawExtension(OID.ctSctList, octetStringPart(Uint8Array.of(0, 0)));

const SCT_LIST = timestampList(1);

export const EXTENSIONS_EXAMPLES: ExamplesOf<typeof EXTENSIONS> = {
  'extension-malformed': {
    passes: server(),
    fails: server({ extensions: [rawExtension(OID.certificatePolicies, nullPart())] }),
  },
  'basic-constraints-default': {
    passes: server(),
    fails: server({
      extensions: [rawExtension(OID.basicConstraints, sequence([encodeDer(booleanPart(false))]), true)],
    }),
  },
  'precertificate-without-scts': {
    passes: server({ extensions: [POISON] }),
    fails: server({ extensions: [POISON, TIMESTAMPS] }),
  },
  'authority-key-identifier-not-critical': criticality(parts.authorityKeyIdentifierExtension(Uint8Array.of(1))),
  'subject-key-identifier-not-critical': criticality(parts.subjectKeyIdentifierExtension(Uint8Array.of(1))),
  'policy-mappings-critical': criticality(MAPPINGS),
  'issuer-alt-name-not-critical': criticality(ISSUER_NAMES),
  'subject-directory-attributes-not-critical': criticality(DIRECTORY_ATTRIBUTES),
  'name-constraints-critical': criticality(parts.nameConstraintsExtension({ permitted: [dns('example.com')] })),
  'policy-constraints-critical': criticality(parts.policyConstraintsExtension({ requireExplicitPolicy: 0 })),
  'crl-distribution-points-not-critical': criticality(POINTS),
  'inhibit-any-policy-critical': criticality(parts.inhibitAnyPolicyExtension(0)),
  'freshest-crl-not-critical': criticality(DELTA_POINTS),
  'authority-info-access-not-critical': criticality(AUTHORITY_INFO_ACCESS),
  'subject-info-access-not-critical': criticality(SUBJECT_INFO_ACCESS),
  'ocsp-no-check-not-critical': {
    passes: responder(),
    fails: responder({ extensions: [{ ...parts.ocspNoCheckExtension(), critical: true }] }),
  },
  'precertificate-poison-critical': criticality(POISON),
  'acme-identifier-critical': criticality(parts.acmeIdentifierExtension(new Uint8Array(32))),
  'certificate-policies-not-empty': emptiness(parts.certificatePoliciesExtension([{ oid: '1.2.3' }])),
  'policy-mappings-not-empty': emptiness(MAPPINGS),
  'issuer-alt-name-not-empty': emptiness(ISSUER_NAMES),
  'subject-directory-attributes-not-empty': emptiness(DIRECTORY_ATTRIBUTES),
  'crl-distribution-points-not-empty': emptiness(POINTS),
  'freshest-crl-not-empty': emptiness(DELTA_POINTS),
  'authority-info-access-not-empty': emptiness(AUTHORITY_INFO_ACCESS),
  'subject-info-access-not-empty': emptiness(SUBJECT_INFO_ACCESS),
  'sct-list-not-critical': criticality(SCT_LIST),
  'tls-feature-not-critical': criticality(parts.tlsFeatureExtension()),
  'sct-list-syntax': { passes: server({ extensions: [SCT_LIST] }), fails: server({ extensions: [TIMESTAMPS] }) },
  'tls-feature-syntax': {
    passes: server({ extensions: [parts.tlsFeatureExtension([5, 17])] }),
    fails: server({ extensions: [parts.tlsFeatureExtension([5, 5])] }),
  },
  'acme-identifier-syntax': {
    passes: server({ extensions: [parts.acmeIdentifierExtension(new Uint8Array(32))] }),
    fails: server({ extensions: [rawExtension(OID.acmeIdentifier, octetStringPart(new Uint8Array(20)), true)] }),
  },
};
