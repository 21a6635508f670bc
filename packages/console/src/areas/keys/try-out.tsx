// Panels for testing a key, as far as its state and the user's permissions allow.
import type { KeyDetailDto, KeyItemDetailDto, KeyUsage } from '@signetry/contract';
import { useMay } from '../../kit/use-may.ts';
import type { KeyOperationPath } from '../../queries/keys.ts';
import { EncryptAndDecrypt } from './encrypt-and-decrypt.tsx';
import { SignAndVerify } from './sign-and-verify.tsx';
import { canCipher, canSign } from './texts.ts';

type Use = Extract<KeyUsage, 'sign' | 'verify' | 'encrypt' | 'decrypt'>;

export function TryOut({ of: key }: { readonly of: KeyDetailDto }) {
  const usable = useUsableItem(key);
  const kept = key.items.find(({ type }) => type !== 'Public');
  const open = key.items.find(({ type }) => type === 'Public') ?? kept;
  if (!kept || !open) return null;
  const signing = canSign(kept) ? usable(kept, 'sign') : undefined;
  const [encrypting, decrypting] = canCipher(kept) ? [usable(open, 'encrypt'), usable(kept, 'decrypt')] : [];
  return (
    <>
      {signing && <SignAndVerify signing={signing} algorithm={kept.keyAlgorithm} verifying={usable(open, 'verify')} />}
      {(encrypting ?? decrypting) && (
        <EncryptAndDecrypt encrypting={encrypting} decrypting={decrypting} algorithm={kept.keyAlgorithm} />
      )}
    </>
  );
}

/**
 * Returns the path parameters for using an item, or undefined if it cannot be used or the user lacks the permission.
 */
function useUsableItem({ uuid, tokenInstanceUuid, tokenProfileUuid }: KeyDetailDto) {
  const may = useMay();
  return (item: KeyItemDetailDto, use: Use): KeyOperationPath | undefined => {
    if (item.state !== 'active' || !item.enabled || !item.usage?.includes(use)) return undefined;
    if (tokenInstanceUuid === undefined || tokenProfileUuid === undefined) return undefined;
    const needs = [
      ['keys', use, uuid],
      ['tokens', 'detail', tokenInstanceUuid],
      ['tokenProfiles', 'detail', tokenProfileUuid],
    ] as const;
    return may(needs) ? { tokenInstanceUuid, tokenProfileUuid, uuid, keyItemUuid: item.uuid } : undefined;
  };
}
