// Encrypted secrets of profiles, and the Intune account built from them.
import { describe, expect, it } from 'vitest';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { intuneAccountOf } from './intune-accounts.ts';
import { openSecret, sealedColumns, sealSecret } from './sealed-secrets.ts';

const sealer = createSealer([newSealingKey()]);
const [UUID, OTHER] = ['33333333-0000-7000-8000-000000000001', '33333333-0000-7000-8000-000000000002'];
const PASSWORD = 'sealed_challenge_password';
const KEY = 'sealed_intune_application_key';

const rowWith = (sealed: { [PASSWORD]?: string; [KEY]?: string }, uuid = UUID) => ({
  uuid,
  [PASSWORD]: sealed[PASSWORD] ?? null,
  [KEY]: sealed[KEY] ?? null,
});

describe("a profile's secret", () => {
  it.each([PASSWORD, KEY] as const)(
    'can be decrypted from its own row and column, and is redacted when printed: %s',
    (column) => {
      const sealed = sealSecret(sealer, { uuid: UUID, column }, 'cänary');
      expect(Buffer.from(sealed, 'base64').includes('nary')).toBe(false);
      const opened = openSecret(sealer, rowWith({ [column]: sealed }), column);
      expect([opened?.reveal(), String(opened)]).toEqual(['cänary', '[secret]']);
    },
  );

  it('is undefined if none is stored', () => {
    expect(openSecret(sealer, rowWith({}), PASSWORD)).toBeUndefined();
  });

  it('cannot be decrypted in a different row or column', () => {
    const sealed = sealSecret(sealer, { uuid: UUID, column: PASSWORD }, 'canary');
    const moved = { name: 'SealError' };
    expect(() => openSecret(sealer, rowWith({ [PASSWORD]: sealed }, OTHER), PASSWORD)).toThrow(
      expect.objectContaining(moved),
    );
    expect(() => openSecret(sealer, rowWith({ [KEY]: sealed }), KEY)).toThrow(expect.objectContaining(moved));
  });

  it('is re-encrypted on key rotation for the same purpose that it is decrypted with', () => {
    for (const column of [PASSWORD, KEY] as const) {
      const declared = sealedColumns.find((each) => each.column === column) ?? expect.unreachable(column);
      const sealed = sealSecret(sealer, { uuid: UUID, column }, 'canary');
      const opened = sealer.open(Buffer.from(sealed, 'base64'), declared.purpose({ uuid: UUID }));
      expect([declared.table, declared.form, Buffer.from(opened).toString()]).toEqual([
        'scep_profile',
        'base64',
        'canary',
      ]);
    }
  });
});

describe('the Intune account', () => {
  const row = {
    ...rowWith({ [KEY]: sealSecret(sealer, { uuid: UUID, column: KEY }, 'canary-key') }),
    enable_intune: true,
    intune_tenant: 'contoso.example',
    intune_application_id: 'app',
  };

  it('is complete if the profile uses Intune', () => {
    const { applicationKey, ...rest } = intuneAccountOf(sealer, row) ?? expect.unreachable('no account');
    expect([rest, applicationKey.reveal()]).toEqual([
      { tenant: 'contoso.example', applicationId: 'app' },
      'canary-key',
    ]);
  });

  it.each([
    ['Intune is off', { enable_intune: false }],
    ['the tenant is missing', { intune_tenant: null }],
    ['the application is missing', { intune_application_id: null }],
    ['its key is missing', { [KEY]: null }],
  ])('is undefined if %s', (_what, changes) => {
    expect(intuneAccountOf(sealer, { ...row, ...changes })).toBeUndefined();
  });
});
