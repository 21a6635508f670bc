// Examples for the rules about issuer and subject names.
import { bmpString, rawName } from '../../testing/raw-names.ts';
import { buildName } from '../../names.ts';
import { ia5StringPart, encodeDer } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import {
  altNames,
  authority,
  dns,
  ISSUER_CERTIFICATE,
  mailbox,
  NO_NAME,
  server,
  serverWithSubject,
  type ExamplesOf,
} from './sample.ts';
import type { NAMES } from '../rules/rfc5280/names.ts';

const PRINTABLE_WITH_AT = Uint8Array.of(0x13, 3, 0x61, 0x40, 0x62); // a@b
const MAILBOX_IN_SUBJECT = [{ type: 'EMAIL', value: 'anna@example.com' }];

export const NAMES_EXAMPLES: ExamplesOf<typeof NAMES> = {
  'issuer-not-empty': { passes: server(), fails: server({ issuer: NO_NAME }) },
  'issuer-matches': {
    passes: server({ issuerCertificate: ISSUER_CERTIFICATE }),
    fails: server({
      issuer: buildName([
        { type: 'C', value: 'DE' },
        { type: 'CN', value: 'EXAMPLE CA' },
      ]).der,
      issuerCertificate: ISSUER_CERTIFICATE,
    }),
    isOutOfScope: server(),
  },
  'ca-subject-not-empty': {
    passes: authority(),
    fails: authority({ subject: NO_NAME }),
    isOutOfScope: server({ subject: NO_NAME }),
  },
  'subject-country': {
    passes: serverWithSubject({ type: 'C', value: 'DE' }),
    fails: serverWithSubject({ type: 'C', value: 'de' }),
  },
  'subject-attribute-length': {
    passes: serverWithSubject({ type: 'O', value: '\u{1f600}'.repeat(64) }),
    fails: serverWithSubject({ type: 'O', value: 'x'.repeat(65) }),
  },
  'subject-string-type': {
    passes: serverWithSubject({ type: 'DC', value: 'example' }),
    fails: server({ subject: rawName([[OID.commonName, bmpString('www.example.com')]]) }),
  },
  'subject-string-characters': {
    passes: serverWithSubject({ type: 'SERIALNUMBER', value: 'A-1 (b)' }),
    fails: server({ subject: rawName([[OID.serialNumber, PRINTABLE_WITH_AT]]) }),
  },
  'subject-duplicate-attribute': {
    passes: serverWithSubject({ type: 'OU', value: 'a' }, { type: 'OU', value: 'b' }),
    fails: serverWithSubject([
      { type: 'OU', value: 'a' },
      { type: 'OU', value: 'b' },
    ]),
  },
  'subject-hidden-character': {
    passes: serverWithSubject({ type: 'O', value: 'Müller מים' }),
    fails: serverWithSubject({ type: 'O', value: 'Example\u202egnp' }),
  },
  'subject-html-entity': {
    passes: serverWithSubject({ type: 'O', value: 'A&B; Sons' }),
    fails: serverWithSubject({ type: 'O', value: 'Miller &amp; Sons' }),
  },
  'issuer-html-entity': {
    passes: server(),
    fails: server({ issuer: buildName([{ type: 'O', value: 'M&uuml;ller &#38; Sons' }]).der }),
  },
  'subject-email-in-san': {
    passes: server({
      subject: MAILBOX_IN_SUBJECT,
      extensions: [altNames(dns('www.example.com'), mailbox('anna@example.com'))],
    }),
    fails: server({ subject: rawName([[OID.emailAddress, encodeDer(ia5StringPart('anna@example.com'))]]) }),
  },
  'subject-country-assigned': {
    passes: serverWithSubject({ type: 'C', value: 'DE' }),
    fails: serverWithSubject({ type: 'C', value: 'UK' }),
  },
  'subject-space': {
    passes: serverWithSubject({ type: 'O', value: 'Example Ltd' }),
    fails: serverWithSubject({ type: 'O', value: 'Example  Ltd' }),
  },
  'issuer-country': { passes: server(), fails: server({ issuer: rawName([[OID.countryName, PRINTABLE_WITH_AT]]) }) },
  'issuer-attribute-length': {
    passes: server(),
    fails: server({ issuer: buildName([{ type: 'O', value: 'x'.repeat(65) }]).der }),
  },
  'issuer-string-type': {
    passes: server(),
    fails: server({ issuer: rawName([[OID.commonName, bmpString('Example CA')]]) }),
  },
  'issuer-string-characters': {
    passes: server(),
    fails: server({ issuer: rawName([[OID.serialNumber, PRINTABLE_WITH_AT]]) }),
  },
};
