import { describe, expect, it } from 'vitest';
import { requestedSettings } from './setting-table.tsx';

const nothing = requestedSettings.valuesOf(undefined);

describe('requested values, as entered', () => {
  it('round-trip unchanged', () => {
    const stored = {
      attributes: ['1.2.840.113549.1.9.7'],
      extensions: ['2.5.29.37'],
      keyType: 'ecdsaP256' as const,
      subject: [{ type: 'CN' }, { type: 'O', value: 'A=B, Ltd.' }],
      dnsNames: ['a.example'],
      ipAddress: true,
      extensionValues: [
        { oid: '2.5.29.15', critical: true, value: 'AwIDiA==' },
        { oid: '2.5.29.19', critical: false, value: 'MAA=' },
      ],
      template: true,
    };
    expect(requestedSettings.bodyOf(requestedSettings.valuesOf(stored))).toEqual(stored);
  });

  it('omit the key type if clients choose it, and can contain names without values', () => {
    const body = requestedSettings.bodyOf({
      ...nothing,
      subject: [' CN '],
      extensionValues: ['Critical:2.5.29.15'],
    });
    expect(body).not.toHaveProperty('keyType');
    expect(body).toMatchObject({
      subject: [{ type: 'CN' }],
      extensionValues: [{ oid: '2.5.29.15', critical: true, value: '' }],
    });
  });
});
