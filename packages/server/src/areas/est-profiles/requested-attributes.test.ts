import type { EstRequestedAttributes } from '@signetry/contract';
import { OID } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { problemsOfRequested, csrAttributesOf } from './requested-attributes.ts';

const KEY_USAGE = { oid: OID.keyUsage, critical: true, value: 'AwIDiA==' };

describe('the requested attributes of a profile', () => {
  it('become the contents of the response to clients', () => {
    const asked: EstRequestedAttributes = {
      attributes: ['1.2.840.113549.1.9.20'],
      keyType: 'rsa3072',
      subject: [{ type: 'CN' }, { type: 'O', value: 'Acme' }],
      dnsNames: ['a.example'],
      extensions: [OID.extKeyUsage],
      extensionValues: [KEY_USAGE],
      template: true,
    };
    const requested = csrAttributesOf(asked, { isLinked: true });
    expect(requested).toMatchObject({
      identifiers: ['1.2.840.113549.1.9.20', OID.challengePassword],
      key: { rsaBits: 3072 },
      subject: asked.subject,
      template: true,
    });
    expect(requested.extensions).toMatchObject([
      { oid: OID.subjectAltName, isPartial: false },
      { oid: OID.keyUsage, critical: true, value: Buffer.from('03020388', 'hex') },
      { oid: OID.extKeyUsage },
    ]);
    expect(problemsOfRequested(asked)).toEqual([]);
  });

  it('are empty if nothing is requested', () => {
    expect(csrAttributesOf({}, { isLinked: false })).toMatchObject({ identifiers: [], extensions: [] });
  });

  it.each([
    [{ attributes: ['1.2..3'] }, '"1.2..3" is not an object identifier in dotted-decimal notation'],
    [
      { extensionValues: [{ ...KEY_USAGE, oid: 'keyUsage' }] },
      '"keyUsage" is not an object identifier in dotted-decimal notation',
    ],
    [{ extensionValues: [{ ...KEY_USAGE, value: 'AwIDiA' }] }, 'the value of "2.5.29.15" is not Base64-encoded DER'],
    [{ extensionValues: [{ ...KEY_USAGE, value: 'AwIDiAA=' }] }, 'the value of "2.5.29.15" is not Base64-encoded DER'],
    [{ extensionValues: [{ ...KEY_USAGE, value: '' }] }, 'the value of "2.5.29.15" is not Base64-encoded DER'],
    [
      { extensionValues: [KEY_USAGE], extensions: [OID.keyUsage] },
      `the extension ${OID.keyUsage} is listed more than once`,
    ],
    [{ dnsNames: ['a.example'], extensions: [OID.subjectAltName] }, 'the extension 2.5.29.17 is listed more than once'],
    [{ subject: [{ type: 'common name' }] }, 'subject: "common name" is neither a name attribute'],
    [{ subject: [{ type: 'C', value: 'Ü' }] }, '"Ü" contains characters that PrintableString does not allow'],
    [{ subject: [{ type: 'CN', value: '' }] }, 'must not be empty'],
    [{ dnsNames: ['bücher.example'] }, '"bücher.example" contains non-ASCII characters'],
  ])('are rejected if they cannot be encoded: %j', (asked, problem) => {
    const [found, ...more] = problemsOfRequested(asked);
    expect(found).toContain('requestedAttributes: ');
    expect(found).toContain(problem);
    expect(more).toEqual([]);
  });
});
