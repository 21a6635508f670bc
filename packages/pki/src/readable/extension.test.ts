import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../x509/certificate.ts';
import { describeCertificate } from '../x509/describe.ts';
import { EXTENSION_VALUES } from '../testing/extension-values.ts';
import { issue, NOW_MS } from '../testing/authority.ts';
import { OID } from '../oids.ts';
import { readableCertificate } from './certificate.ts';
import { readableExtension } from './extension.ts';
import type { ReadableValue } from './value.ts';

const lines = ({ label, text, form, oid, members = [] }: ReadableValue, depth = 1): string[] => [
  `${'  '.repeat(depth)}${label}${text === undefined ? '' : `: ${text}`}${form ? ` <${form}>` : ''}${oid ? ` (${oid})` : ''}`,
  ...members.flatMap((member) => lines(member, depth + 1)),
];

describe('a decoded extension', () => {
  it('shows the complete value, for every known extension', () => {
    const text = [...EXTENSION_VALUES].flatMap(([oid, value]) => {
      const { name, values } = readableExtension({ oid, critical: false, value });
      return [name ?? oid, ...values.flatMap((each) => lines(each))];
    });
    expect(text).toEqual(EXPECTED.trim().split('\n'));
  });

  it('is shown as hex with its OID if it is unknown', () => {
    const value = Uint8Array.of(1, 2);
    expect(readableExtension({ oid: '1.2.3.4', critical: true, value })).toEqual({
      oid: '1.2.3.4',
      critical: true,
      values: [],
      hex: '0102',
    });
  });

  it.each([
    [OID.basicConstraints, '30020500', 'The element has an unexpected type (byte 2)', 2],
    [OID.ctSctList, '0403000500', 'The length exceeds the enclosing element (byte 4)', 4],
    [OID.tlsFeature, '3003020105ff', 'Unexpected bytes after the last element (byte 5)', 5],
    [OID.keyUsage, '', 'The encoding ends inside an element (byte 0)', 0],
    [OID.subjectAltPublicKeyInfo, '3000', 'A required element is missing (byte 2)', 2],
  ])('with OID %s that cannot be parsed is shown with reason and offset', (oid, hex, message, offset) => {
    const { problem, values, hex: shown } = readableExtension({ oid, critical: false, value: Uint8Array.fromHex(hex) });
    expect({ problem, values, shown }).toEqual({ problem: { message, offset }, values: [], shown: hex });
  });
});

describe('a decoded certificate', () => {
  it('shows everything that can be parsed, even if an extension is malformed', async () => {
    const root = await issue({ subject: 'CN=Root,O=A\\, B,C=DE' });
    const { certificate } = await issue({
      subject: 'CN=a.example',
      issuer: root,
      extensions: [
        { oid: OID.subjectAltName, critical: false, value: Uint8Array.of(0x30, 0x05) },
        { oid: OID.ocspNoCheck, critical: true, value: Uint8Array.of(5, 0) },
      ],
    });
    const parsed = parseCertificate(certificate.der);
    expect(readableCertificate(parsed)).toMatchObject({
      version: 3,
      serialNumber: parsed.serialNumber,
      subject: { text: 'CN=a.example', rfc4514: 'CN=a.example' },
      issuer: { text: 'CN=Root, O=A, B, C=DE', rfc4514: 'CN=Root,O=A\\, B,C=DE' },
      notBeforeMs: NOW_MS - 86_400_000,
      publicKey: { algorithm: 'ECDSA', size: 256, curve: 'P-256' },
      signature: { algorithm: 'SHA256withECDSA', hex: parsed.signature.toHex() },
      extensions: [
        {
          oid: OID.subjectAltName,
          name: 'Subject alternative names',
          hex: '3005',
          problem: { message: 'The length exceeds the enclosing element (byte 0)', offset: 0 },
        },
        { oid: OID.ocspNoCheck, critical: true, values: [{ label: 'Revocation of this certificate is not checked' }] },
      ],
    });
    expect(describeCertificate(parsed).malformedExtensions).toEqual([OID.subjectAltName]);
  });
});

/** Based on the definitions in each standard; written once and reviewed. */
const EXPECTED = `
Authority key identifier
  Key identifier: 0102 <hex>
  Issuer: CN=A\\, B,C=DE
  Serial number: 5 <hex>
Subject key identifier
  Key identifier: 0102 <hex>
Key usage
  Usage: Digital signature
  Usage: Decipher only
Extended key usage
  Purpose: TLS Web Server Authentication (1.3.6.1.5.5.7.3.1)
  Purpose: 1.2.3.4 (1.2.3.4)
Subject alternative names
  User principal name: ann@a.example (1.3.6.1.4.1.311.20.2.3)
  Other name: 020105 <hex> (1.2.3.4)
  Email address: a@a.example
  DNS name: a.example
  X.400 address: a3023000 <hex>
  Directory name: CN=A\\, B,C=DE
  EDI party name: a507a1050c03656469 <hex>
  URI: http://a.example/x <uri>
  IP address: 192.0.2.1
  Registered ID: 1.2.3 (1.2.3)
Issuer alternative names
  URI: http://a.example/x <uri>
Basic constraints
  Certificate authority: Yes
  Subordinate CA certificates: None
Name constraints
  Permitted
    DNS name: a.example
  Excluded
    IP address: 10.0.0.0/255.0.0.0
Certificate policies
  Policy: Domain Validated (CA/Browser Forum) (2.23.140.1.2.1)
    Certification practice statement: http://a.example/cps <uri>
    User notice
      Organization: Example
      Notice numbers: 1, 7
      Text: For tests
    Qualifier: 0500 <hex> (1.2.3)
  Policy: 1.2.3.4 (1.2.3.4)
Policy mappings
  Mapping
    Issuer domain policy: 1.2.3 (1.2.3)
    Subject domain policy: Any Policy (2.5.29.32.0)
Policy constraints
  Explicit policy required: immediately
  Policy mapping inhibited: after 2 more certificates
Inhibit anyPolicy
  anyPolicy inhibited: after one more certificate
CRL distribution points
  Distribution point
    URI: http://a.example/x <uri>
    Reason: Key compromise
    Reason: CA compromise
    CRL issuer: CN=A\\, B,C=DE
  Distribution point
    Relative to the CRL issuer: CN=CRL 1
Freshest CRL
  Distribution point
    URI: http://a.example/x <uri>
    Reason: Key compromise
    Reason: CA compromise
    CRL issuer: CN=A\\, B,C=DE
  Distribution point
    Relative to the CRL issuer: CN=CRL 1
Authority information access
  OCSP responder: http://a.example/x <uri> (1.3.6.1.5.5.7.48.1)
  Access method (1.2.3)
    Directory name: CN=A\\, B,C=DE
Subject information access
  CA repository: http://a.example/x <uri> (1.3.6.1.5.5.7.48.5)
Private key usage period
  From: 2026-01-01T00:00:00.000Z <time>
  Until: 2027-01-01T00:00:00.000Z <time>
Subject directory attributes
  Date of birth: 1970-01-01T12:00:00.000Z <time> (1.3.6.1.5.5.7.9.1)
  Country of citizenship (1.3.6.1.5.5.7.9.4)
    Value: DE
    Value: FR
  1.2.3: 020101 <hex> (1.2.3)
No revocation information
  The certificate is never revoked
Signed certificate timestamps
  Timestamp
    Version: 1
    Log: 0101010101010101010101010101010101010101010101010101010101010101 <hex>
    Time: 2025-12-31T23:59:49.760Z <time>
    Algorithm: ECDSA with SHA-256
    Signature: 0506 <hex>
  Timestamp
    Version: 2 (unknown)
    Bytes: 01ffff <hex>
Precertificate poison
  Precertificate, not valid for use
TLS features
  Required TLS feature: OCSP stapling (status_request)
  Required TLS feature: TLS extension 99
OCSP no check
  Revocation of this certificate is not checked
ACME identifier
  Key authorization digest: 0000000000000000000000000000000000000000000000000000000000000000 <hex>
Delegated credentials
  Can sign delegated credentials
Qualified certificate statements
  EU qualified certificate (0.4.0.1862.1.1)
  Transaction value limit (QcLimitValue): 5000 EUR (0.4.0.1862.1.2)
  Retention period (QcRetentionPeriod): 10 years (0.4.0.1862.1.3)
  Private key in a qualified signature or seal creation device (QSCD) (0.4.0.1862.1.4)
  PKI disclosure statements (QcPDS) (0.4.0.1862.1.5)
    Statement: https://a.example/pds <uri>
      Language: en
  Purpose (0.4.0.1862.1.6)
    Type: Electronic seal (0.4.0.1862.1.6.2)
  Legislation (0.4.0.1862.1.7)
    Country: CH
  Payment service provider (PSD2) (0.4.0.19495.2)
    Role: Account information (PSD2) (0.4.0.19495.1.3)
    Competent authority: BaFin
    Authority identifier: DE-BAFIN
  Name semantics (1.3.6.1.5.5.7.11.2)
    Meaning: Legal person identifier (0.4.0.194121.1.2)
    Name registration authority: http://a.example/x <uri>
  Statement (1.2.3)
Organization identifier
  Registration scheme: NTR
  Country: DE
  State or province: BY
  Reference: HRB 1
S/MIME capabilities
  Capability: AES-256 CBC (2.16.840.1.101.3.4.1.42)
  Capability: RC2 CBC (1.2.840.113549.3.2)
    Key size: 128 bits
Microsoft certificate template name
  Template: WebServer
Microsoft certificate template
  Template: 1.3.6.1.4.1.311.21.8.1.2 (1.3.6.1.4.1.311.21.8.1.2)
  Version: 100.5
Microsoft CA version
  Certificate: 3
  Key: 2
Microsoft previous CA certificate
  SHA-1 of the previous certificate: 0000000000000000000000000000000000000000 <hex>
Microsoft application policies
  Policy: Domain Validated (CA/Browser Forum) (2.23.140.1.2.1)
    Certification practice statement: http://a.example/cps <uri>
    User notice
      Organization: Example
      Notice numbers: 1, 7
      Text: For tests
    Qualifier: 0500 <hex> (1.2.3)
  Policy: 1.2.3.4 (1.2.3.4)
Microsoft application policy mappings
  Mapping
    Issuer domain policy: 1.2.3 (1.2.3)
    Subject domain policy: Any Policy (2.5.29.32.0)
Microsoft application policy constraints
  Explicit policy required: immediately
  Policy mapping inhibited: after 2 more certificates
Microsoft account security
  Microsoft security identifier: S-1-5-21-1-2-3-500 (1.3.6.1.4.1.311.25.2.1)
Netscape certificate type
  Type: TLS server
Netscape base URL
  URL: http://a.example/ <uri>
Netscape server name
  Name: a.example
Netscape comment
  Comment: Made for tests
Alternative public key
  Algorithm: Ed25519 (1.3.101.112)
  Size: 256 bits
  Key: 0707070707070707070707070707070707070707070707070707070707070707 <hex>
Alternative signature algorithm
  Algorithm: ML-DSA-65 (2.16.840.1.101.3.4.3.18)
Alternative signature
  Signature: 010203 <hex>
1.2.3.4.5
`;
