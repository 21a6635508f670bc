// Examples for the rules about subject alternative names.
import { encodeDer, ia5StringPart, sequence } from '../../der/writer.ts';
import { issuerAltNameExtension } from '../../x509/extension-parts.ts';
import { buildName } from '../../names.ts';
import { OID } from '../../oids.ts';
import { textOtherName } from '../../x509/general-names.ts';
import {
  address,
  altNames,
  authority,
  critical,
  dns,
  mailbox,
  NO_NAME,
  rawExtension,
  responder,
  server,
  serverWithNames,
  uri,
  type ExamplesOf,
} from './sample.ts';
import type { ALTERNATIVE_NAMES } from '../rules/rfc5280/alternative-names.ts';

const CRITICAL_NAMES = critical(altNames(dns('www.example.com')));
const organization = (value: string) => ({ kind: 'directoryName', name: buildName([{ type: 'O', value }]) }) as const;

const service = (name: string) =>
  ({ kind: 'otherName', type: OID.srvName, value: encodeDer(ia5StringPart(name)) }) as const;

export const ALTERNATIVE_NAMES_EXAMPLES: ExamplesOf<typeof ALTERNATIVE_NAMES> = {
  'san-required': {
    passes: server({ subject: NO_NAME }),
    fails: server({ subject: NO_NAME, without: [OID.subjectAltName] }),
  },
  'san-critical-when-subject-empty': {
    passes: server({ subject: NO_NAME, extensions: [CRITICAL_NAMES] }),
    fails: server({ subject: NO_NAME }),
  },
  'san-not-critical-with-subject': { passes: server(), fails: server({ extensions: [CRITICAL_NAMES] }) },
  'san-not-empty': {
    passes: server(),
    fails: server({ extensions: [rawExtension(OID.subjectAltName, sequence([]))] }),
  },
  'server-san-required': {
    passes: server(),
    fails: server({ without: [OID.subjectAltName] }),
    isOutOfScope: responder(),
  },
  'server-common-name-in-san': {
    passes: server({ subject: [{ type: 'CN', value: 'WWW.example.com' }] }),
    fails: server({ subject: [{ type: 'CN', value: 'other.example.com' }] }),
    isOutOfScope: authority(),
  },
  'san-hidden-character': {
    passes: serverWithNames(organization('Müller')),
    fails: serverWithNames(organization('a\nb')),
  },
  'san-dns-syntax': { passes: serverWithNames(dns('*.example.com')), fails: serverWithNames(dns('bad..example.com')) },
  'san-dns-underscore': { passes: server(), fails: serverWithNames(dns('_acme.example.com')) },
  'san-dns-reserved-label': {
    passes: serverWithNames(dns('xn--mller-kva.example')),
    fails: serverWithNames(dns('ab--c.example')),
  },
  'san-email-syntax': {
    passes: serverWithNames(mailbox('anna@example.com')),
    fails: serverWithNames(mailbox('Anna <anna@example.com>')),
  },
  'san-utf8-mailbox': {
    passes: serverWithNames(textOtherName(OID.smtpUtf8Mailbox, 'jürgen@example.com')),
    fails: serverWithNames(textOtherName(OID.smtpUtf8Mailbox, 'anna@example.com')),
  },
  'san-uri-syntax': {
    passes: serverWithNames(uri('spiffe://example.com/w')),
    fails: serverWithNames(uri('/relative')),
  },
  'san-ip-length': {
    passes: serverWithNames(address('192.0.2.1'), address('2001:db8::1')),
    fails: serverWithNames({ kind: 'iPAddress', octets: new Uint8Array(8) }),
  },
  'san-duplicate': {
    passes: serverWithNames(dns('example.com')),
    fails: serverWithNames(dns('WWW.example.com')),
  },
  'san-dns-a-label': {
    passes: serverWithNames(dns('xn--mller-kva.example')),
    fails: serverWithNames(dns('xn--0.example')),
  },
  'san-dns-look-alike': {
    passes: serverWithNames(dns('xn--mller-kva.example')),
    fails: serverWithNames(dns('xn--80ak6aa92e.example')), // аррӏе in Cyrillic.
  },
  'san-dns-a-label-case': {
    passes: serverWithNames(dns('xn--mller-kva.Example')),
    fails: serverWithNames(dns('XN--mller-kva.example')),
  },
  'san-directory-name': {
    passes: serverWithNames(organization('Müller')),
    fails: serverWithNames({ kind: 'directoryName', name: buildName([]) }),
  },
  'san-obsolete-kind': {
    passes: server(),
    fails: serverWithNames({ kind: 'ediPartyName', der: Uint8Array.of(0xa5, 2, 5, 0) }),
  },
  'san-service-name': {
    passes: serverWithNames(service('_imap.example.com')),
    fails: serverWithNames(service('imap.example.com')),
  },
  'san-utf8-mailbox-mark': {
    passes: serverWithNames(textOtherName(OID.smtpUtf8Mailbox, 'jürgen@example.com')),
    fails: serverWithNames(textOtherName(OID.smtpUtf8Mailbox, '\uFEFFjürgen@example.com')),
  },
  'issuer-alt-name-syntax': {
    passes: server({ extensions: [issuerAltNameExtension([dns('ca.example')])] }),
    fails: server({ extensions: [issuerAltNameExtension([mailbox('nobody')])] }),
  },
};
