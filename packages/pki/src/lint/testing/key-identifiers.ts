// Examples for the rules about key identifiers.
import { authorityKeyIdentifierExtension } from '../../x509/extension-parts.ts';
import { implicitConstructed, implicitPrimitive, sequence } from '../../der/writer.ts';
import { generalNamePart } from '../../x509/general-names.ts';
import { OID } from '../../oids.ts';
import { authority, dns, ISSUER_CERTIFICATE, rawExtension, root, server, type ExamplesOf } from './sample.ts';
import type { KEY_IDENTIFIERS } from '../rules/rfc5280/key-identifiers.ts';

const KEY_IDENTIFIER = implicitPrimitive(0, Uint8Array.of(1));
const ISSUER_NAME = implicitConstructed(1, [generalNamePart(dns('ca.example'))]);
const ISSUER_SERIAL = implicitPrimitive(2, Uint8Array.of(1));

export const KEY_IDENTIFIERS_EXAMPLES: ExamplesOf<typeof KEY_IDENTIFIERS> = {
  'authority-key-identifier': { passes: root(), fails: server({ without: [OID.authorityKeyIdentifier] }) },
  'authority-key-identifier-matches': {
    passes: server({ issuerCertificate: ISSUER_CERTIFICATE }),
    fails: server({
      extensions: [authorityKeyIdentifierExtension(Uint8Array.of(1))],
      issuerCertificate: ISSUER_CERTIFICATE,
    }),
    isOutOfScope: server(),
  },
  'authority-key-identifier-pair': {
    passes: server({
      extensions: [rawExtension(OID.authorityKeyIdentifier, sequence([KEY_IDENTIFIER, ISSUER_NAME, ISSUER_SERIAL]))],
    }),
    fails: server({
      extensions: [rawExtension(OID.authorityKeyIdentifier, sequence([KEY_IDENTIFIER, ISSUER_SERIAL]))],
    }),
  },
  'subject-key-identifier': {
    passes: authority(),
    fails: authority({ without: [OID.subjectKeyIdentifier] }),
    isOutOfScope: server(),
  },
  'subject-key-identifier-of-subscriber': {
    passes: server(),
    fails: server({ without: [OID.subjectKeyIdentifier] }),
    isOutOfScope: authority(),
  },
  'authority-key-identifier-not-empty': {
    passes: server(),
    fails: server({ extensions: [rawExtension(OID.authorityKeyIdentifier, sequence([]))] }),
  },
  'self-issued-key-identifiers': {
    passes: root(),
    fails: root({ extensions: [authorityKeyIdentifierExtension(Uint8Array.of(1))] }),
    isOutOfScope: server(),
  },
};
