import { describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { openSharedSecret, sealSharedSecret, sharedSecretColumn } from './shared-secret.ts';

const sealer = createSealer([newSealingKey()]);
const uuid = newUuid();

describe('the shared secret of a CMP profile', () => {
  it.each(['a secret of the factory', 'Schlüssel 🔑', '        ', 'x'.repeat(1_000)])(
    'opens as it was sealed (%j)',
    (text) => {
      const sealed = sealSharedSecret(sealer, uuid, text);
      const opened = openSharedSecret(sealer, { uuid, sealed_shared_secret: sealed });
      expect(opened?.reveal()).toBe(text);
      expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false);
      expect([`${opened}`, JSON.stringify({ opened })]).toEqual(['[secret]', '{"opened":"[secret]"}']);
    },
  );

  it('is none where none was sealed', () => {
    expect(openSharedSecret(sealer, { uuid, sealed_shared_secret: null })).toBeUndefined();
  });

  it('opens in the row of its profile only, and under its key only', () => {
    const sealed_shared_secret = sealSharedSecret(sealer, uuid, 's3cret');
    expect(() => openSharedSecret(sealer, { uuid: newUuid(), sealed_shared_secret })).toThrow(
      'altered or belongs elsewhere',
    );
    const stranger = createSealer([newSealingKey()]);
    expect(() => openSharedSecret(stranger, { uuid, sealed_shared_secret })).toThrow('not in the sealing key file');
  });

  it('is sealed as its column says, so that a new key reaches it', () => {
    const { table, column, form, purpose } = sharedSecretColumn;
    expect([table, column, form]).toEqual(['cmp_profile', 'sealed_shared_secret', 'base64']);
    const sealed = Buffer.from(sealSharedSecret(sealer, uuid, 's3cret'), 'base64');
    expect(Buffer.from(sealer.open(sealed, purpose({ uuid }))).toString()).toBe('s3cret');
  });
});
