import { describe, expect, it } from 'vitest';
import { requestedBodyOf, requestedValuesOf } from './requested-values.ts';

const nothing = requestedValuesOf({});

describe('what requests are to hold, as it is typed', () => {
  it('comes back as it was stored', () => {
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

  it('leaves out the kind of key where clients choose, and does without values that are not typed', () => {
    const body = requestedBodyOf({ ...nothing, subject: [' CN '], extensionValues: ['Critical:2.5.29.15'] });
    expect(body).not.toHaveProperty('keyType');
    expect(body).toMatchObject({
      subject: [{ type: 'CN' }],
      extensionValues: [{ oid: '2.5.29.15', critical: true, value: '' }],
    });
  });
});
