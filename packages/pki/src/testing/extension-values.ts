// Sample values of every extension that can be parsed, for tests: hand-written from the ASN.1 of the standard, or built
// with the package's own builders for extensions that it can issue.
import {
  bitStringPart,
  constructed,
  encodeDer,
  explicitPart,
  ia5StringPart,
  integerPart,
  namedBitsPart,
  nullPart,
  octetStringOf,
  octetStringPart,
  oidPart,
  primitive,
  printableStringPart,
  sequence,
  setOf,
  utf8StringPart,
  type DerPart,
} from '../der/writer.ts';
import { encodeUtf16, encodeUtf8 } from '../der/text.ts';
import { OID } from '../oids.ts';
import { parseNameText } from '../name-text.ts';
import { buildName } from '../names.ts';
import { generalNamePart, type GeneralName } from '../x509/general-names.ts';
import { signatureAlgorithm } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';

const uriName: GeneralName = { kind: 'uniformResourceIdentifier', value: 'http://a.example/x' };
const directoryName: GeneralName = { kind: 'directoryName', name: buildName(parseNameText('CN=A\\, B,C=DE')) };

/** A general name of every form. */
const everyName: readonly GeneralName[] = [
  { kind: 'otherName', type: OID.userPrincipalName, value: encodeDer(utf8StringPart('ann@a.example')) },
  { kind: 'otherName', type: '1.2.3.4', value: encodeDer(integerPart(5)) },
  { kind: 'rfc822Name', value: 'a@a.example' },
  { kind: 'dNSName', value: 'a.example' },
  { kind: 'x400Address', der: encodeDer(constructed(0xa3, [sequence([])])) },
  directoryName,
  { kind: 'ediPartyName', der: encodeDer(constructed(0xa5, [constructed(0xa1, [utf8StringPart('edi')])])) },
  uriName,
  { kind: 'iPAddress', octets: Uint8Array.of(192, 0, 2, 1) },
  { kind: 'registeredID', oid: '1.2.3' },
];

const names = (all: readonly GeneralName[]): DerPart => sequence(all.map(generalNamePart));

const policies = sequence([
  sequence([
    oidPart('2.23.140.1.2.1'),
    sequence([
      sequence([oidPart(OID.cpsQualifier), ia5StringPart('http://a.example/cps')]),
      sequence([
        oidPart(OID.userNoticeQualifier),
        sequence([
          sequence([utf8StringPart('Example'), sequence([integerPart(1), integerPart(7)])]),
          utf8StringPart('For tests'),
        ]),
      ]),
      sequence([oidPart('1.2.3'), nullPart()]),
    ]),
  ]),
  sequence([oidPart('1.2.3.4')]),
]);

const mappings = sequence([sequence([oidPart('1.2.3'), oidPart(OID.anyPolicy)])]);
const constraints = sequence([primitive(0x80, Uint8Array.of(0)), primitive(0x81, Uint8Array.of(2))]);

const points = sequence([
  sequence([
    explicitPart(0, constructed(0xa0, [generalNamePart(uriName)])),
    primitive(0x81, encodeDer(namedBitsPart(0b110)).subarray(2)),
    constructed(0xa2, [generalNamePart(directoryName)]),
  ]),
  sequence([explicitPart(0, constructed(0xa1, [sequence([oidPart(OID.commonName), utf8StringPart('CRL 1')])]))]),
]);

const generalizedTime = encodeUtf8;

/** SCT from log 0101…, dated early 2026, with a placeholder signature. */
const timestamp = Uint8Array.fromHex(`00${'01'.repeat(32)}0000019b76da80000000040300020506`);
const timestampOfLater = Uint8Array.fromHex('01ffff');
const vector = (octets: Uint8Array): Uint8Array => Uint8Array.of(octets.length >> 8, octets.length & 0xff, ...octets);

const statement = (oid: string, info?: DerPart): DerPart => sequence([oidPart(oid), info]);

/** Ed25519 key, the shortest supported. */
const spki = sequence([sequence([oidPart(OID.ed25519)]), bitStringPart(new Uint8Array(32).fill(7))]);

/** Encoded extension values by OID. */
export const EXTENSION_VALUES: ReadonlyMap<string, Uint8Array> = new Map(
  (
    [
      [
        OID.authorityKeyIdentifier,
        sequence([
          primitive(0x80, Uint8Array.of(1, 2)),
          constructed(0xa1, [generalNamePart(directoryName)]),
          primitive(0x82, Uint8Array.of(5)),
        ]),
      ],
      [OID.subjectKeyIdentifier, octetStringPart(Uint8Array.of(1, 2))],
      [OID.keyUsage, namedBitsPart(0b1_0000_0001)],
      [OID.extKeyUsage, sequence([oidPart(OID.serverAuth), oidPart('1.2.3.4')])],
      [OID.subjectAltName, names(everyName)],
      [OID.issuerAltName, names([uriName])],
      [OID.basicConstraints, Uint8Array.fromHex('30060101ff020100')],
      [
        OID.nameConstraints,
        sequence([
          constructed(0xa0, [sequence([generalNamePart({ kind: 'dNSName', value: 'a.example' })])]),
          constructed(0xa1, [
            sequence([generalNamePart({ kind: 'iPAddress', octets: Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0) })]),
          ]),
        ]),
      ],
      [OID.certificatePolicies, policies],
      [OID.policyMappings, mappings],
      [OID.policyConstraints, constraints],
      [OID.inhibitAnyPolicy, integerPart(1)],
      [OID.crlDistributionPoints, points],
      [OID.freshestCrl, points],
      [
        OID.authorityInfoAccess,
        sequence([
          sequence([oidPart(OID.ocsp), generalNamePart(uriName)]),
          sequence([oidPart('1.2.3'), generalNamePart(directoryName)]),
        ]),
      ],
      [OID.subjectInfoAccess, sequence([sequence([oidPart('1.3.6.1.5.5.7.48.5'), generalNamePart(uriName)])])],
      [
        OID.privateKeyUsagePeriod,
        sequence([
          primitive(0x80, generalizedTime('20260101000000Z')),
          primitive(0x81, generalizedTime('20270101000000Z')),
        ]),
      ],
      [
        OID.subjectDirectoryAttributes,
        sequence([
          sequence([
            oidPart('1.3.6.1.5.5.7.9.1'),
            setOf([primitive(TAG.generalizedTime, generalizedTime('19700101120000Z'))]),
          ]),
          sequence([oidPart('1.3.6.1.5.5.7.9.4'), setOf([printableStringPart('DE'), printableStringPart('FR')])]),
          sequence([oidPart('1.2.3'), setOf([integerPart(1)])]),
        ]),
      ],
      ['2.5.29.56', nullPart()],
      [OID.ctSctList, octetStringPart(vector(Uint8Array.of(...vector(timestamp), ...vector(timestampOfLater))))],
      [OID.ctPrecertificatePoison, nullPart()],
      [OID.tlsFeature, sequence([integerPart(5), integerPart(99)])],
      [OID.ocspNoCheck, nullPart()],
      [OID.acmeIdentifier, octetStringPart(new Uint8Array(32))],
      ['1.3.6.1.4.1.44363.44', nullPart()],
      [
        OID.qcStatements,
        sequence([
          statement('0.4.0.1862.1.1'),
          statement('0.4.0.1862.1.2', sequence([printableStringPart('EUR'), integerPart(5), integerPart(3)])),
          statement('0.4.0.1862.1.3', integerPart(10)),
          statement('0.4.0.1862.1.4'),
          statement(
            '0.4.0.1862.1.5',
            sequence([sequence([ia5StringPart('https://a.example/pds'), printableStringPart('en')])]),
          ),
          statement('0.4.0.1862.1.6', sequence([oidPart('0.4.0.1862.1.6.2')])),
          statement('0.4.0.1862.1.7', sequence([printableStringPart('CH')])),
          statement(
            '0.4.0.19495.2',
            sequence([
              sequence([sequence([oidPart('0.4.0.19495.1.3'), utf8StringPart('PSP_AI')])]),
              utf8StringPart('BaFin'),
              utf8StringPart('DE-BAFIN'),
            ]),
          ),
          statement('1.3.6.1.5.5.7.11.2', sequence([oidPart('0.4.0.194121.1.2'), names([uriName])])),
          statement('1.2.3'),
        ]),
      ],
      [
        '2.23.140.3.1',
        sequence([
          printableStringPart('NTR'),
          printableStringPart('DE'),
          primitive(0x80, encodeUtf8('BY')),
          utf8StringPart('HRB 1'),
        ]),
      ],
      [
        '1.2.840.113549.1.9.15',
        sequence([sequence([oidPart(OID.aes256Cbc)]), sequence([oidPart(OID.rc2Cbc), integerPart(128)])]),
      ],
      ['1.3.6.1.4.1.311.20.2', primitive(TAG.bmpString, encodeUtf16('WebServer'))],
      ['1.3.6.1.4.1.311.21.7', sequence([oidPart('1.3.6.1.4.1.311.21.8.1.2'), integerPart(100), integerPart(5)])],
      ['1.3.6.1.4.1.311.21.1', integerPart(0x2_0003)],
      ['1.3.6.1.4.1.311.21.2', octetStringPart(new Uint8Array(20))],
      ['1.3.6.1.4.1.311.21.10', policies],
      ['1.3.6.1.4.1.311.21.11', mappings],
      ['1.3.6.1.4.1.311.21.12', constraints],
      [
        OID.ntdsCaSecurity,
        sequence([
          constructed(0xa0, [
            oidPart('1.3.6.1.4.1.311.25.2.1'),
            explicitPart(0, octetStringPart(encodeUtf8('S-1-5-21-1-2-3-500'))),
          ]),
        ]),
      ],
      ['2.16.840.1.113730.1.1', namedBitsPart(0b10)],
      ['2.16.840.1.113730.1.2', ia5StringPart('http://a.example/')],
      ['2.16.840.1.113730.1.12', ia5StringPart('a.example')],
      ['2.16.840.1.113730.1.13', ia5StringPart('Made for tests')],
      [OID.subjectAltPublicKeyInfo, spki],
      [OID.altSignatureAlgorithm, signatureAlgorithm('ML-DSA-65').der],
      [OID.altSignatureValue, bitStringPart(Uint8Array.of(1, 2, 3))],
      ['1.2.3.4.5', octetStringOf(integerPart(1))],
    ] satisfies readonly (readonly [string, DerPart])[]
  ).map(([oid, part]) => [oid, encodeDer(part)]),
);
