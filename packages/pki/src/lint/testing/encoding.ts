// Examples for the rules about encoding.
import {
  booleanPart,
  encodeDer,
  integerPart,
  nullPart,
  octetStringOf,
  oidPart,
  sequence,
  setOf,
  utf8StringPart,
} from '../../der/writer.ts';
import { extensionsPart, nameConstraintsExtension, tlsFeatureExtension } from '../../x509/extension-parts.ts';
import { generalNamePart } from '../../x509/general-names.ts';
import { implicitConstructed, implicitPrimitive } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { authority, dns, rawExtension, server, serverWithSubject, type ExamplesOf } from './sample.ts';
import type { ENCODING } from '../rules/rfc5280/encoding.ts';

const attribute = (oid: string, text: string): Uint8Array => encodeDer(sequence([oidPart(oid), utf8StringPart(text)]));
const UNSORTED = encodeDer(setOf([attribute('2.5.4.10', 'b'), attribute('2.5.4.3', 'a')]));
/** The set with its members swapped, since `setOf` sorts them. */
const swapMembers = (set: Uint8Array): Uint8Array => {
  const first = 2 + 2 + (set[3] ?? 0);
  return Uint8Array.of(...set.subarray(0, 2), ...set.subarray(first), ...set.subarray(2, first));
};

export const ENCODING_EXAMPLES: ExamplesOf<typeof ENCODING> = {
  'version-default-omitted': {
    passes: server({ version: undefined }),
    fails: server({ version: 0 }),
  },
  'extension-default-omitted': {
    passes: server({ extensionList: extensionsPart([tlsFeatureExtension()]) }),
    fails: server({
      extensionList: sequence([
        sequence([oidPart(OID.tlsFeature), booleanPart(false), octetStringOf(sequence([integerPart(5)]))]),
      ]),
    }),
  },
  'rdn-sorted': {
    passes: serverWithSubject([
      { type: 'O', value: 'Example' },
      { type: 'OU', value: 'IT' },
    ]),
    fails: server({ subject: sequence([swapMembers(UNSORTED)]) }),
  },
  'name-constraints-default-omitted': {
    passes: authority({ extensions: [nameConstraintsExtension({ permitted: [dns('example.com')] })] }),
    fails: authority({
      extensions: [
        rawExtension(
          OID.nameConstraints,
          sequence([
            implicitConstructed(0, [
              sequence([generalNamePart(dns('example.com')), implicitPrimitive(0, Uint8Array.of(0))]),
            ]),
          ]),
          true,
        ),
      ],
    }),
  },
  'critical-extension-unknown': {
    passes: server({ extensions: [rawExtension('1.2.3', nullPart())] }),
    fails: server({ extensions: [rawExtension('1.2.3', nullPart(), true)] }),
  },
  'extension-obsolete': {
    passes: server(),
    fails: server({ extensions: [rawExtension('2.16.840.1.113730.1.1', nullPart())] }),
  },
};
