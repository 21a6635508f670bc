// Tokens with which the platform authenticates to connectors (JWT, RFC 7519): signed with a dedicated key, issued for a
// single connector, and valid for a few minutes. Connectors verify them with the published keys.
import { createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { ConnectorTokenKey, ConnectorTokenKeys } from '@signetry/contract';
import { jwkFromSpki } from '@signetry/pki';
import { exportPrivateKey, generateKeyPair } from '@signetry/pki/node';
import type { RequestContext } from '../../kernel/actor.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import * as store from './store-token-keys.ts';
import type { TokenKeyRow } from './tables.ts';

/** Long enough to tolerate a clock skew of a few minutes, short enough to limit the use of a stolen token. */
const TOKEN_LIFETIME_S = 300;
/** How long a retired key remains published: well beyond the expiry of its last token. */
const PUBLISHED_AFTER_MS = 4 * TOKEN_LIFETIME_S * 1000;
/**
 * How long a new key is published before it signs, so that connectors that cache the keys for a few seconds already
 * know it.
 */
export const ACTIVATION_DELAY_MS = 15_000;
/** How long a node caches the keys; well below the time before a new key signs. */
const KEY_TTL_MS = 4_000;

export const tokenKeyColumn: SealedColumn = {
  table: 'connector_token_key',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_key',
  form: 'bytes',
  purpose: ({ uuid = '' }) => purpose(uuid),
};

const purpose = (uuid: string): string => `key of tokens for connectors ${uuid}`;

export type ConnectorTokens = ReturnType<typeof createConnectorTokens>;

interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export function createConnectorTokens(platform: Platform, { audit }: { readonly audit: AuditTrail }) {
  const { database, clock, sealer, publicUrl } = platform;
  const cache = createExpiringCache({ clock, ttlMs: KEY_TTL_MS, load: (_key: 'current') => currentKey(platform) });

  const readPublished = async (): Promise<ConnectorTokenKeys> => ({
    keys: (await findPublished(platform)).map(({ public_key: key }) => key),
  });

  return {
    /** Returns a token for the connector at this origin. */
    async tokenFor(audience: string): Promise<string> {
      const { keyId, privateKey } = await cache.get('current');
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const claims = {
        iss: publicUrl(),
        sub: 'signetry',
        aud: audience,
        iat: issuedAt,
        exp: issuedAt + TOKEN_LIFETIME_S,
        jti: newUuid(),
      };
      const input = `${jsonPart({ alg: 'ES256', typ: 'JWT', kid: keyId })}.${jsonPart(claims)}`;
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${input}.${signature.toString('base64url')}`;
    },
    published: readPublished,
    async rotate(context: RequestContext): Promise<ConnectorTokenKeys> {
      const next = await newKey(platform);
      await database.transaction(async (tx) => {
        const now = clock.now();
        await store.lockKeys(tx);
        await store.retireCurrent(tx, now);
        await store.removeRetiredBefore(tx, new Date(now.getTime() - PUBLISHED_AFTER_MS));
        await store.insertCurrent(tx, next);
        await audit.append(tx, context, {
          objects: [{ uuid: next.uuid, name: next.key_id }],
        });
      });
      cache.invalidate();
      return readPublished();
    },
  };

  /** Returns the current signing key; the first key is generated on demand. */
  async function currentKey(parts: Pick<Platform, 'database' | 'clock' | 'sealer'>): Promise<SigningKey> {
    const known = selectSigningKey(await findPublished(parts), parts.clock.now());
    if (known) return openKey(known);
    // Another node may do the same at the same time; the first key wins.
    await store.insertCurrent(parts.database.executor, await newKey(parts));
    const row = selectSigningKey(await findPublished(parts), parts.clock.now());
    if (!row) throw new Error('No connector token key found after generating one.');
    return openKey(row);
  }

  function openKey({ uuid, key_id: keyId, sealed_key: sealed }: TokenKeyRow): SigningKey {
    const key = Buffer.from(sealer.open(sealed, purpose(uuid)));
    return { keyId, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
  }
}

const findPublished = ({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<TokenKeyRow[]> =>
  store.findPublished(database.executor, new Date(clock.now().getTime() - PUBLISHED_AFTER_MS));

/**
 * Returns the newest key that has been published long enough; if there is none, the oldest. `keys` must be sorted
 * newest first.
 */
function selectSigningKey(keys: readonly TokenKeyRow[], now: Date): TokenKeyRow | undefined {
  const latest = now.getTime() - ACTIVATION_DELAY_MS;
  return keys.find(({ created_at: createdAt }) => createdAt.getTime() <= latest) ?? keys.at(-1);
}

async function newKey({ sealer, clock }: Pick<Platform, 'sealer' | 'clock'>): Promise<TokenKeyRow> {
  const uuid = newUuid();
  const { privateKey, spki } = await generateKeyPair('P-256');
  const { jwk, thumbprint } = jwkFromSpki(spki, (data) => createHash('sha256').update(data).digest());
  const publicKey = { ...jwk, kid: thumbprint, alg: 'ES256', use: 'sig' } as ConnectorTokenKey; // This is a P-256 key.
  return {
    uuid,
    key_id: thumbprint,
    sealed_key: Buffer.from(sealer.seal(exportPrivateKey(privateKey), purpose(uuid))),
    public_key: publicKey,
    created_at: clock.now(),
    retired_at: null,
  };
}

const jsonPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
