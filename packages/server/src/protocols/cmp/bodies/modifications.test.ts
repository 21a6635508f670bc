import {
  basicConstraintsExtension,
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildName,
  extKeyUsageExtension,
  keyUsageExtension,
  OID,
  parseNameText,
  readDerOrPem,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  type CertTemplateInput,
  type ExtensionInput,
} from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRequest,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { modificationsOf } from './modifications.ts';

const [FROM_MS, TO_MS] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-03-31T00:00:00Z')];
const DNS: ExtensionInput = subjectAltNameExtension([{ kind: 'dNSName', value: 'device.example' }]);
const PRIVATE: ExtensionInput = { oid: '1.3.6.1.4.1.55555.1', critical: false, value: Uint8Array.of(5, 0) };

let certificate: TestCertificate;
let spki: Uint8Array;

beforeAll(async () => {
  ({ spki } = await generateKeyPair('P-256'));
  certificate = await makeCertificate('device-7', {
    notBefore: new Date(FROM_MS),
    notAfter: new Date(TO_MS),
    only: [DNS, keyUsageExtension(['digitalSignature']), extKeyUsageExtension([OID.serverAuth])],
  });
});

function changes(template: Omit<CertTemplateInput, 'spki'>): readonly string[] {
  const given = { ...template, spki };
  const request = buildCertRequest({ certReqId: 0, template: buildCertTemplate(given) });
  return modificationsOf({ der: buildCertReqMsg({ request }), format: 'crmf' }, certificate.der);
}
const extended = (...extensions: ExtensionInput[]) => changes({ extensions });
const named = (text: string) => buildName(parseNameText(text));

describe('a certificate is as requested', () => {
  it('if the request leaves everything to the CA', () => {
    expect(changes({})).toEqual([]);
    expect(changes({ subject: buildName([]) })).toEqual([]);
  });

  it('if all requested values are the same, to the second', () => {
    expect(
      changes({
        subject: named('CN=DEVICE-7,O=Test'),
        validity: { notBeforeMs: FROM_MS + 400, notAfterMs: TO_MS },
        extensions: [
          DNS,
          keyUsageExtension(['digitalSignature']),
          extKeyUsageExtension([OID.serverAuth]),
          basicConstraintsExtension({ ca: false }),
          subjectKeyIdentifierExtension(new Uint8Array(20)),
        ],
      }),
    ).toEqual([]);
  });

  it('also in PKCS #10 form', async () => {
    const request = readDerOrPem(await makeRequest('device-7', await generateKeyPair('P-256')), [
      'CERTIFICATE REQUEST',
    ]);
    expect(modificationsOf({ der: request, format: 'pkcs10' }, certificate.der)).toEqual([]);
  });
});

describe('a change is named', () => {
  it('in the subject', () => {
    expect(changes({ subject: named('CN=device-8') })).toEqual([
      expect.stringMatching(/^The subject is ".*CN=device-7.*" instead of "CN=device-8"\.$/),
    ]);
  });

  it('at either end of the validity', () => {
    expect(changes({ validity: { notBeforeMs: FROM_MS - 1_000, notAfterMs: TO_MS + 86_400_000 } })).toEqual([
      'The validity begins at 2026-01-01T00:00:00Z instead of 2025-12-31T23:59:59Z.',
      'The validity ends at 2026-03-31T00:00:00Z instead of 2026-04-01T00:00:00Z.',
    ]);
  });

  it('in usages and names', () => {
    expect(extended(keyUsageExtension(['digitalSignature', 'keyEncipherment']))).toEqual([
      'The key usage keyEncipherment was dropped.',
    ]);
    expect(extended(extKeyUsageExtension([OID.clientAuth]))).toEqual([
      'The extended key usage clientAuth was dropped.',
      'The extended key usage serverAuth was added.',
    ]);
    const name = subjectAltNameExtension([
      { kind: 'dNSName', value: 'device.example' },
      { kind: 'dNSName', value: 'other.example' },
    ]);
    expect(extended(name)).toEqual([
      expect.stringMatching(/^The subject alternative name .*other\.example was dropped\.$/),
    ]);
  });

  it('in the CA flag', () => {
    expect(extended(basicConstraintsExtension({ ca: true }))).toEqual(['The CA flag was dropped.']);
  });

  it('in other extensions, also in malformed ones', () => {
    expect(extended(PRIVATE)).toEqual(['The extension 1.3.6.1.4.1.55555.1 was dropped.']);
    expect(extended({ oid: OID.keyUsage, critical: true, value: Uint8Array.of(5, 0) })).toEqual([
      'The extension keyUsage was changed.',
    ]);
  });

  it('individually up to a limit', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...PRIVATE, oid: `1.3.6.1.4.1.55555.${index}` }));
    const texts = extended(...many);
    expect([texts.length, texts.at(-1)]).toEqual([21, '10 more changes.']);
  });
});
