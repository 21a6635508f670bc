// Host with keys in a token: key pairs in memory, and one token that can be deactivated.
import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { TokenKeyError, type TokenKeys } from '@signetry/connector-sdk';
import { signatureAlgorithm } from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto, type KeySpec } from '@signetry/pki/node';

/** Data that another process needs to sign with the same key. */
export interface HostedKey {
  readonly uuid: string;
  readonly pem: string;
}

export interface TokenHost {
  readonly tokenKeys: TokenKeys;
  /** While false, signing is rejected, as with a deactivated token. */
  isActivated: boolean;
  /** Awaited before each signature. */
  hold?: (() => Promise<unknown>) | undefined;
  /** Number of signatures that the token created. */
  signatures: number;
}

export async function newHostedKey(spec: KeySpec = 'P-256'): Promise<HostedKey> {
  const { privateKey } = await generateKeyPair(spec);
  return { uuid: randomUUID(), pem: await exportPrivateKeyPem(privateKey) };
}

export function tokenHost(keys: readonly HostedKey[]): TokenHost {
  const find = (uuid: string): HostedKey => {
    const key = keys.find((each) => each.uuid === uuid);
    if (!key) throw new TokenKeyError('unknown', `There is no key ${uuid}.`);
    return key;
  };
  const host: TokenHost = {
    isActivated: true,
    signatures: 0,
    tokenKeys: {
      find: async (uuid) => {
        const spki = createPublicKey(find(uuid).pem).export({ type: 'spki', format: 'der' });
        return { uuid, name: `key-${uuid.slice(0, 4)}`, spki };
      },
      sign: async (uuid, { algorithm, data }) => {
        const { pem } = find(uuid);
        if (!host.isActivated) throw new TokenKeyError('unavailable', 'The key does not sign: activate its token.');
        await host.hold?.();
        host.signatures += 1;
        return nodeCrypto.sign(createPrivateKey(pem), { algorithm: signatureAlgorithm(algorithm), data });
      },
    },
  };
  return host;
}
