import { describe, expect, it } from 'vitest';
import { requestedBodyOf, requestedValuesOf } from './requested-values.ts';

const nothing = requestedValuesOf({});

describe('requested values, as entered', () => {
  it('round-trip unchanged', () => {
    const stored = {
      attributes: ['1.2.840.113549.1.9.7'],
      extensions: ['2.5.29.37'],
      keyType: 'ecdsaP256',
      subject: [{ type: 'CN' }, { type: 'O', value: 'A=B, Ltd.' }],
      dnsNames: ['a.example'],
      ipAddress: true,
      extensionValues: [
        { oid: '2.5.29.15', critical: true, value: 'AwIDiA==' },
        { oid: '2.5.29.19', critical: false, value: 'MAA=' },
      ],
      template: true,
    } as const;
    expect(requestedBodyOf({ ...nothing, ...requestedValuesOf(structuredClone(stored) as never) })).toEqual(stored);
  });

  it('omit the key type if clients choose it, and can contain names without values', () => {
    const body = requestedBodyOf({ ...nothing, subject: [' CN '], extensionValues: ['Critical:2.5.29.15'] });
    expect(body).not.toHaveProperty('keyType');
    expect(body).toMatchObject({
      subject: [{ type: 'CN' }],
      extensionValues: [{ oid: '2.5.29.15', critical: true, value: '' }],
    });
  });
});
