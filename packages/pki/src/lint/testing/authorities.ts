// Examples for the rules about basic constraints and name constraints.
import { basicConstraintsExtension, keyUsageExtension, nameConstraintsExtension } from '../../x509/extension-parts.ts';
import { integerPart, sequence } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import {
  authority,
  certificateOf,
  dns,
  ISSUER_CERTIFICATE,
  mailbox,
  notCritical,
  rawExtension,
  root,
  server,
  uri,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { AUTHORITIES } from '../rules/rfc5280/authorities.ts';
import type { GeneralName } from '../../x509/general-names.ts';

const LIMITED_ISSUER = certificateOf(root({ extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] }));
const withNameConstraints = (...permitted: readonly GeneralName[]): Sample =>
  authority({ extensions: [nameConstraintsExtension({ permitted })] });
const network = (...octets: readonly number[]): GeneralName => ({ kind: 'iPAddress', octets: Uint8Array.from(octets) });

export const AUTHORITIES_EXAMPLES: ExamplesOf<typeof AUTHORITIES> = {
  'basic-constraints-critical': {
    passes: authority(),
    fails: authority({ extensions: [notCritical(basicConstraintsExtension({ ca: true }))] }),
    isOutOfScope: server(),
  },
  'path-length-only-for-ca': {
    passes: authority({ extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] }),
    fails: server({ extensions: [rawExtension(OID.basicConstraints, sequence([integerPart(1)]), true)] }),
  },
  'path-length-of-issuer': {
    passes: authority({ issuerCertificate: ISSUER_CERTIFICATE }),
    fails: authority({ issuerCertificate: LIMITED_ISSUER }),
    isOutOfScope: server({ issuerCertificate: LIMITED_ISSUER }),
  },
  'name-constraints-only-for-ca': {
    passes: server(),
    fails: server({ extensions: [nameConstraintsExtension({ permitted: [dns('example.com')] })] }),
    isOutOfScope: withNameConstraints(dns('example.com')),
  },
  'name-constraints-not-empty': {
    passes: withNameConstraints(dns('example.com')),
    fails: authority({ extensions: [rawExtension(OID.nameConstraints, sequence([]), true)] }),
  },
  'name-constraints-network': {
    passes: withNameConstraints(network(192, 0, 2, 0, 255, 255, 255, 128)),
    fails: withNameConstraints(network(192, 0, 2, 0, 255, 0, 255, 0)),
  },
  'name-constraints-uri': {
    passes: withNameConstraints(uri('.example.com')),
    fails: withNameConstraints(uri('https://example.com')),
  },
  'name-constraints-form': {
    passes: withNameConstraints(dns('example.com')),
    fails: withNameConstraints({ kind: 'registeredID', oid: '1.2.3' }),
  },
  'path-length-below-issuer': {
    passes: authority({
      extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })],
      issuerCertificate: certificateOf(root({ extensions: [basicConstraintsExtension({ ca: true, pathLength: 1 })] })),
    }),
    fails: authority({
      extensions: [basicConstraintsExtension({ ca: true, pathLength: 1 })],
      issuerCertificate: certificateOf(root({ extensions: [basicConstraintsExtension({ ca: true, pathLength: 1 })] })),
    }),
    isOutOfScope: server(),
  },
  'ca-crl-sign': {
    passes: authority(),
    fails: authority({ extensions: [keyUsageExtension(['keyCertSign'])] }),
    isOutOfScope: server(),
  },
  'names-within-constraints': {
    passes: server({ issuerCertificate: certificateOf(withNameConstraints(dns('example.com'))) }),
    fails: server({ issuerCertificate: certificateOf(withNameConstraints(dns('example.net'))) }),
    isOutOfScope: server(),
  },
  'name-constraints-dns': {
    passes: withNameConstraints(dns('example.com')),
    fails: withNameConstraints(dns('.example.com')),
  },
  'name-constraints-mailbox': {
    passes: withNameConstraints(mailbox('anna@example.com'), mailbox('.example.com')),
    fails: withNameConstraints(mailbox('@example.com')),
  },
};
