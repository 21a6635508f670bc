import { describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { openSharedSecret, sealSharedSecret, sharedSecretColumn } from './shared-secret.ts';

const sealer = createSealer([newSealingKey()]);
const uuid = newUuid();

describe('the shared secret of a CMP profile', () => {
  it.each(['a secret of the factory', 'Schlüssel 🔑', '        ', 'x'.repeat(1_000)])(
    'decrypts to its original value (%j)',
    (text) => {
      const sealed = sealSharedSecret(sealer, uuid, text);
      const opened = openSharedSecret(sealer, { uuid, sealed_shared_secret: sealed });
      expect(opened?.reveal()).toBe(text);
      expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false);
      expect([`${opened}`, JSON.stringify({ opened })]).toEqual(['[secret]', '{"opened":"[secret]"}']);
    },
  );

  it('is undefined if none was stored', () => {
    expect(openSharedSecret(sealer, { uuid, sealed_shared_secret: null })).toBeUndefined();
  });

  it('can be decrypted only in the row of its profile, and only with its key', () => {
    const sealed_shared_secret = sealSharedSecret(sealer, uuid, 's3cret');
    expect(() => openSharedSecret(sealer, { uuid: newUuid(), sealed_shared_secret })).toThrow(
      'The sealed value was modified or has a different purpose.',
    );
    const stranger = createSealer([newSealingKey()]);
    expect(() => openSharedSecret(stranger, { uuid, sealed_shared_secret })).toThrow('not in the sealing key file');
  });

  it('is encrypted as its column declares, so that a key rotation includes it', () => {
    const { table, column, form, purpose } = sharedSecretColumn;
    expect([table, column, form]).toEqual(['cmp_profile', 'sealed_shared_secret', 'base64']);
    const sealed = Buffer.from(sealSharedSecret(sealer, uuid, 's3cret'), 'base64');
    expect(Buffer.from(sealer.open(sealed, purpose({ uuid }))).toString()).toBe('s3cret');
  });
});
