// Examples for the rules about basic fields.
import { buildName } from '../../names.ts';
import {
  generalizedTimePart,
  implicitPrimitive,
  integerPart,
  nullPart,
  oidPart,
  sequence,
  timePart,
} from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import { certificateOf, DAY_MS, ISSUER_CERTIFICATE, root, SAMPLE_FROM_MS, server, type ExamplesOf } from './sample.ts';
import type { BASIC_FIELDS } from '../rules/rfc5280/basic-fields.ts';

const RSA_WITH_NULL = signatureAlgorithm('SHA256withRSA').der;
const YEAR_2060_MS = Date.UTC(2060, 0, 1);
const SHORT_LIVED_ISSUER = certificateOf(root({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 30 * DAY_MS] }));

export const BASIC_FIELDS_EXAMPLES: ExamplesOf<typeof BASIC_FIELDS> = {
  'version-3': { passes: server(), fails: server({ version: undefined }) },
  'serial-positive': { passes: server({ serial: integerPart(1) }), fails: server({ serial: integerPart(-5) }) },
  'serial-length': {
    passes: server({ serial: integerPart(new Uint8Array(20).fill(1)) }),
    fails: server({ serial: integerPart(new Uint8Array(21).fill(1)) }),
  },
  'serial-entropy': {
    passes: server({ serial: integerPart(new Uint8Array(8).fill(1)) }),
    fails: server({ serial: integerPart(new Uint8Array(7).fill(1)) }),
  },
  'validity-order': {
    passes: server({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS] }),
    fails: server({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS - 1000] }),
  },
  'validity-encoding': {
    passes: server({ validity: [timePart(SAMPLE_FROM_MS), generalizedTimePart(YEAR_2060_MS)] }),
    fails: server({ validity: [generalizedTimePart(SAMPLE_FROM_MS), timePart(YEAR_2060_MS)] }),
  },
  'validity-within-issuer': {
    passes: server({
      validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 30 * DAY_MS],
      issuerCertificate: SHORT_LIVED_ISSUER,
    }),
    fails: server({
      validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 30 * DAY_MS + 1000],
      issuerCertificate: SHORT_LIVED_ISSUER,
    }),
    isOutOfScope: server(),
  },
  'unique-identifiers-absent': {
    passes: server(),
    fails: server({ uniqueId: implicitPrimitive(2, Uint8Array.of(0, 1)) }),
  },
  'extensions-not-empty': { passes: server(), fails: server({ extensionList: sequence([]) }) },
  'signature-digest': { passes: server(), fails: server({ signature: signatureAlgorithm('SHA1withRSA').der }) },
  'self-signature-digest': {
    passes: root(),
    fails: root({ signature: signatureAlgorithm('SHA1withRSA').der }),
    isOutOfScope: server({ signature: signatureAlgorithm('SHA1withRSA').der }),
  },
  'signature-parameters': {
    passes: server({ signature: signatureAlgorithm('SHA256withRSA').der }),
    fails: server({ signature: sequence([oidPart(OID.sha256WithEcdsa), nullPart()]) }),
  },
  'signature-algorithms-equal': {
    passes: { ...server({ signature: RSA_WITH_NULL }), outerAlgorithm: RSA_WITH_NULL },
    fails: { ...server({ signature: sequence([oidPart(OID.sha256WithRsa)]) }), outerAlgorithm: RSA_WITH_NULL },
  },
  'signature-fits-issuer': {
    passes: server({ issuerCertificate: ISSUER_CERTIFICATE }),
    fails: server({ signature: signatureAlgorithm('SHA256withRSA').der, issuerCertificate: ISSUER_CERTIFICATE }),
    isOutOfScope: server({ signature: signatureAlgorithm('SHA256withRSA').der }),
  },
  'subscriber-not-self-issued': {
    passes: server(),
    fails: server({ issuer: buildName([{ type: 'CN', value: 'www.example.com' }]).der }),
    isOutOfScope: root(),
  },
};
