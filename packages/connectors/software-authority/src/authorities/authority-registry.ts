// The CAs in use, with unsealed keys if the connector stores them. Cached in memory and revalidated every few seconds,
// so that changes on other nodes are noticed soon and issuance needs no database query.
import { LRUCache } from 'lru-cache';
import { notFound, readString, type ConnectorContext } from '@signetry/connector-sdk';
import { parseCertificate, signatureAlgorithm } from '@signetry/pki';
import { importPrivateKey } from '@signetry/pki/node';
import { AUTHORITY, readCrlOnRevocation, readCrlShards } from '../attributes/authority-attributes.ts';
import { splitEntries } from '../profiles/text-lines.ts';
import type { AuthorityRow, AuthorityStore } from './authority-store.ts';
import { keyInMemory, keyInToken, type CaKey } from './ca-key.ts';
import { keyIdentifierOf, type SigningAuthority } from './signing-authority.ts';

/** Changes on other nodes must be noticed within 5 s. */
const CHECK_AFTER_MS = 4_000;
/** Maximum number of authorities whose keys are in memory. */
const MAX_OPEN = 256;

export interface AuthorityRegistry {
  /** Throws 404 if the authority does not exist or its creation was not completed. */
  get(uuid: string): Promise<SigningAuthority>;
  /** Makes the next call read the database; used after a change on this node. */
  forget(uuid: string): void;
}

interface Entry {
  readonly authority: SigningAuthority;
  readonly revision: number;
  checkedAtMs: number;
}

/** Access to sealed keys and to keys in tokens. */
export type KeyContext = Pick<ConnectorContext, 'open' | 'tokenKeys'>;

export const keyPurpose = (uuid: string): string => `software-authority:key:${uuid}`;

export function createAuthorityRegistry(context: KeyContext, store: AuthorityStore): AuthorityRegistry {
  const entries = new LRUCache<string, Entry>({ max: MAX_OPEN });
  const loading = new Map<string, Promise<SigningAuthority>>();

  async function load(uuid: string): Promise<SigningAuthority> {
    const known = entries.get(uuid);
    if (known) {
      if ((await store.findRevision(uuid)) === known.revision) {
        known.checkedAtMs = performance.now();
        return known.authority;
      }
      entries.delete(uuid);
    }
    const row = await store.find(uuid);
    if (!row?.certificate) throw notFound('Authority', uuid);
    const authority = await openAuthority(context, { ...row, certificate: row.certificate });
    entries.set(uuid, { authority, revision: row.revision, checkedAtMs: performance.now() });
    return authority;
  }

  /** Concurrent callers share one query. */
  function loadOnce(uuid: string): Promise<SigningAuthority> {
    const underWay = loading.get(uuid);
    if (underWay) return underWay;
    const started = load(uuid).finally(() => loading.delete(uuid));
    loading.set(uuid, started);
    return started;
  }

  return {
    async get(uuid) {
      const entry = entries.get(uuid);
      if (entry && performance.now() - entry.checkedAtMs < CHECK_AFTER_MS) return entry.authority;
      return loadOnce(uuid);
    },
    forget: (uuid) => void entries.delete(uuid),
  };
}

/** Opens a CA's key. `spki` is the CA's public key, required only for keys in tokens. */
export async function openKey(
  { open, tokenKeys }: KeyContext,
  { uuid, sealed_key: sealed, token_key: tokenKey }: Pick<AuthorityRow, 'uuid' | 'sealed_key' | 'token_key'>,
  spki: Uint8Array | undefined,
): Promise<CaKey> {
  if (tokenKey !== null && spki) return keyInToken(tokenKeys, { uuid: tokenKey, spki });
  if (sealed === null) throw new Error(`Authority ${uuid} has no key.`);
  const plain = open(sealed, keyPurpose(uuid));
  const privateKey = await importPrivateKey(plain);
  plain.fill(0);
  return keyInMemory(privateKey);
}

async function openAuthority(
  context: KeyContext,
  row: AuthorityRow & { readonly certificate: Uint8Array },
): Promise<SigningAuthority> {
  const certificate = parseCertificate(new Uint8Array(row.certificate));
  const key = await openKey(context, row, certificate.spki);
  const path = [certificate, ...row.chain.map((der) => parseCertificate(new Uint8Array(der)))];
  return {
    uuid: row.uuid,
    name: row.name,
    source: row.source,
    certificate,
    chain: row.chain,
    key,
    algorithm: signatureAlgorithm(row.signature_algorithm),
    keyIdentifier: keyIdentifierOf(certificate),
    constrainedPath: path.some((link) => link.nameConstraints !== undefined) ? path : undefined,
    crlValidityMs: row.crl_validity_hours * 3_600_000,
    deltaCrlValidityMs: row.delta_crl_validity_hours * 3_600_000,
    crlOnRevocation: readCrlOnRevocation(row.attributes),
    deltaCrlUrls: splitEntries(readString(row.attributes, AUTHORITY.deltaCrlUrls)),
    crlShards: readCrlShards(row.attributes),
    createdAt: row.created_at,
  };
}
