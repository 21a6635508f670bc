import { describe, expect, it } from 'vitest';
import { DerCursor, elementBytes, parseDer } from '../der/reader.ts';
import { encodeDer, ia5StringPart, sequence } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { extensionValue, keyUsageExtension } from '../x509/extension-parts.ts';
import { generalNamePart } from '../x509/general-names.ts';
import { buildCsrAttributes } from './csr-attributes.ts';
import { csrTemplatePart } from './csr-template.ts';
import { requestedAltNamesExtension, type RequestedCsrAttributes } from './requested-contents.ts';

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');
const textHex = (text: string) => Buffer.from(text).toString('hex');

/** Elements of a CsrAttrs, sorted because their order is not significant. */
function elementsOf(octets: Uint8Array): string[] {
  const cursor = new DerCursor(parseDer(octets));
  const elements: string[] = [];
  while (!cursor.atEnd) elements.push(hex(elementBytes(cursor.next())));
  return elements.toSorted();
}

const elementsOfExample = (base64: string) => elementsOf(Buffer.from(base64, 'base64'));

/** Value of a subjectAltName with one otherName of type acpNodeName (RFC 8994 §6.2.2.1). */
const nodeName = (text: string) =>
  encodeDer(
    sequence([generalNamePart({ kind: 'otherName', type: '1.3.6.1.5.5.7.8.10', value: encodeDer(ia5StringPart(text)) })]), // prettier-ignore
  );

describe('CSR attributes with values, as in the examples of RFC 9908 §5', () => {
  it('request one subjectAltName value, as critical', () => {
    const text = 'rfc8994+fd739fc23c3440112233445500000000+@acp.example.com';
    const octets = buildCsrAttributes({
      identifiers: [],
      extensions: [{ oid: OID.subjectAltName, critical: true, value: nodeName(text) }],
    });
    const extension = `30550603551d110101ff044b3049a04706082b0601050507080aa03b1639${textHex(text)}`;
    expect(hex(octets)).toBe(`3068306606092a864886f70d01090e31593057${extension}`);
  });

  it('request a subjectAltName value in addition to an EC key and two OIDs', () => {
    const octets = buildCsrAttributes({
      identifiers: [OID.challengePassword, '1.2.840.10045.4.3.3'],
      key: { curve: OID.secp384r1 },
      extensions: [{ oid: OID.subjectAltName, value: nodeName('potato@example.com') }],
    });
    const asWritten =
      'MGcGCSqGSIb3DQEJBzASBgcqhkjOPQIBMQcGBSuBBAAiMDwGCSqGSIb3DQEJDjEvMC0wKwYDVR0RBCQwIqAgBggr' +
      'BgEFBQcICqAUFhJwb3RhdG9AZXhhbXBsZS5jb20GCCqGSM49BAMD';
    expect(elementsOf(octets)).toEqual(elementsOfExample(asWritten));
  });

  it('request an RSA key of a specific size', () => {
    const octets = buildCsrAttributes({
      identifiers: [OID.challengePassword, '1.2.840.113549.1.1.11'],
      key: { rsaBits: 4096 },
    });
    expect(elementsOf(octets)).toEqual(
      elementsOfExample('MCkGCSqGSIb3DQEJBzARBgkqhkiG9w0BAQExBAICEAAGCSqGSIb3DQEBCw=='),
    );
  });
});

/** Attributes requested in the example of RFC 9908 §3.4. */
const ofServer: RequestedCsrAttributes = {
  identifiers: [],
  key: { curve: OID.secp256r1 },
  subject: [{ type: 'CN' }, { type: 'OU', value: 'myDept' }, { type: 'OU', value: 'myGroup' }],
  extensions: [
    requestedAltNamesExtension({ dnsNames: ['www.myServer.com'], ipAddress: true }),
    { oid: OID.keyUsage, critical: true, value: extensionValue(keyUsageExtension(['digitalSignature', 'keyAgreement'])) }, // prettier-ignore
    { oid: OID.extKeyUsage },
  ],
};

describe('the CSR template', () => {
  it('contains the specified values, but not those that clients supply (RFC 9908 §3.4)', () => {
    const subject = [
      '310730050603550403',
      `310f300d060355040b0c06${textHex('myDept')}`,
      `3110300e060355040b0c07${textHex('myGroup')}`,
    ].join('');
    const key = 'a015301306072a8648ce3d020106082a8648ce3d030107';
    const altName = `301d0603551d11041630148210${textHex('www.myServer.com')}8700`;
    const keyUsage = '300e0603551d0f0101ff040403020388';
    const extensions = `${altName}${keyUsage}30050603551d25`;
    const requested = '060b2a864886f70d010910023e';
    const template = hex(encodeDer(csrTemplatePart(ofServer)));
    expect(template).toContain(`020100302c${subject}${key}`);
    expect(template.endsWith(`${requested}31383036${extensions}`)).toBe(true);
  });

  it('is an additional entry in the list; the list itself names fields that have no complete value', () => {
    const [named, whole] = [buildCsrAttributes(ofServer), buildCsrAttributes({ ...ofServer, template: true })];
    const entry = elementsOf(whole).find((element) => !elementsOf(named).includes(element)) ?? '';
    expect(elementsOf(whole)).toHaveLength(elementsOf(named).length + 1);
    expect(entry).toContain(`060b2a864886f70d010910023d`);
    expect(entry.endsWith(hex(encodeDer(csrTemplatePart(ofServer))))).toBe(true);
    // CN and OU once each, subjectAltName and extKeyUsage by OID, keyUsage with its value.
    for (const identifier of ['0603550403', '060355040b', '0603551d11', '0603551d25'])
      expect(elementsOf(named)).toContain(identifier);
    expect(elementsOf(named).some((element) => element.endsWith('300e0603551d0f0101ff040403020388'))).toBe(true);
  });

  it('is replaced by the usual attribute if all values are specified, and omitted if nothing is requested', () => {
    const extensions = [requestedAltNamesExtension({ dnsNames: ['a.example'], ipAddress: false })];
    const template = hex(encodeDer(csrTemplatePart({ identifiers: [], extensions })));
    expect(template).toContain('06092a864886f70d01090e');
    expect(template).not.toContain('2a864886f70d010910023e');
    expect(hex(encodeDer(csrTemplatePart({ identifiers: [] })))).toBe('3005020100a100');
  });

  it('specifies the RSA key size through a dummy public key of that size', () => {
    const template = hex(encodeDer(csrTemplatePart({ identifiers: [], key: { rsaBits: 3072 } })));
    expect(template).toContain('300d06092a864886f70d01010105000382018f003082018a0282018100ffff');
    expect(template).toContain('ff0203010001');
  });

  it('is rejected if it has an unknown name attribute, an empty value or a duplicate extension', () => {
    const buildFrom = (requested: Partial<RequestedCsrAttributes>) => () =>
      buildCsrAttributes({ identifiers: [], template: true, ...requested });
    expect(buildFrom({ subject: [{ type: 'CMMON' }] })).toThrow(/"CMMON" is not a known name attribute/);
    expect(buildFrom({ subject: [{ type: 'CN', value: '' }] })).toThrow(/must not be empty/);
    const twice = [{ oid: OID.keyUsage }, { oid: OID.keyUsage }];
    expect(buildFrom({ extensions: twice })).toThrow(/must not occur twice/);
  });
});
