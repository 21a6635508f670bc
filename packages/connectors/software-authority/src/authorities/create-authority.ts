// Creates a CA: a root, a subordinate CA signed by another CA in this connector, or an imported CA. The key can be new
// or in a token. It is recorded before anything is signed with or for it, and repeating the call resumes an interrupted
// creation. A rejected creation leaves only journal entries.
import type { KeyObject } from 'node:crypto';
import { ConnectorError, isConnectorError, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { defaultSignatureAlgorithm, parsePublicKey, signatureAlgorithm } from '@signetry/pki';
import { exportPrivateKey, generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { AUTHORITY, type CaSource } from '../attributes/authority-attributes.ts';
import type { SignOnce } from '../issuance/signed-once.ts';
import type { AuthorityRegistry } from './authority-registry.ts';
import { keyPurpose, openKey, type KeyContext } from './authority-registry.ts';
import type { AuthorityRow, AuthorityStore } from './authority-store.ts';
import { findTokenKey, type CaKey } from './ca-key.ts';
import { planCa } from './ca-plan.ts';
import type { CaSpec } from './ca-spec.ts';
import { importCertificates, importKeyStore, type ImportedCertificates } from './import-key-store.ts';
import type { SigningAuthority } from './signing-authority.ts';

export interface CreateAuthorityParts {
  readonly context: KeyContext & Pick<ConnectorContext, 'seal' | 'clock'>;
  readonly store: AuthorityStore;
  readonly registry: AuthorityRegistry;
  readonly signOnce: SignOnce;
}

export interface NewAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
  readonly wish: CaSpec;
}

/** Can be repeated with the same identifier: completed steps are retained and the remaining ones performed. */
export async function createAuthority(parts: CreateAuthorityParts, request: NewAuthority): Promise<void> {
  const known = await parts.store.find(request.uuid);
  if (known?.certificate) return;
  if (request.wish.source === 'import') return importAuthority(parts, request);
  const parent = request.wish.parentUuid === undefined ? undefined : await findParent(parts, request.wish.parentUuid);
  const row = known ?? (await storeNewKey(parts, { request, parent }));
  try {
    await certify(parts, { row, request, parent });
  } catch (error) {
    if (isConnectorError(error) && error.status !== 500) await parts.store.discard(row.uuid);
    throw error;
  }
}

async function findParent({ registry }: CreateAuthorityParts, uuid: string): Promise<SigningAuthority> {
  try {
    return await registry.get(uuid);
  } catch (error) {
    if (isConnectorError(error) && error.status === 404) throw rejected(`The parent CA ${uuid} does not exist.`);
    throw error;
  }
}

/** Serial number for checking whether a certificate can be built; never signed. */
const TRIAL_SERIAL = Uint8Array.of(0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);

async function storeNewKey(
  parts: CreateAuthorityParts,
  { request, parent }: { readonly request: NewAuthority; readonly parent: SigningAuthority | undefined },
): Promise<AuthorityRow> {
  const { wish, name } = request;
  const { spki, ...key } = await newKey(parts, request);
  const own = defaultSignatureAlgorithm(parsePublicKey(spki));
  // A request that cannot become a CA is rejected before its key is stored.
  const now = parts.context.clock.now();
  planCa({ wish, name, spki, now, algorithm: parent?.algorithm ?? own, ...(parent ? { parent } : {}) }).tbsFor(
    TRIAL_SERIAL,
  );
  const row = {
    ...baseRow(parts, request),
    ...key,
    signature_algorithm: own.name,
    certificate: null,
    chain: [],
  };
  await parts.store.insert(row);
  return { ...row, revision: 1 };
}

/** The stored form of a CA key: the sealed key, or the key's identifier in a token. */
type StoredKey = Pick<AuthorityRow, 'sealed_key' | 'token_key'>;

async function newKey(
  parts: CreateAuthorityParts,
  { uuid, wish: { tokenKey, keyAlgorithm } }: NewAuthority,
): Promise<StoredKey & { readonly spki: Uint8Array }> {
  if (tokenKey === undefined) {
    const { privateKey, spki } = await generateKeyPair(keyAlgorithm);
    return { sealed_key: sealKey(parts, uuid, privateKey), token_key: null, spki };
  }
  return { sealed_key: null, token_key: tokenKey, spki: await requireFreeTokenKey(parts, tokenKey) };
}

/** Returns the public key of a token key that no other CA in this connector uses. */
async function requireFreeTokenKey({ context, store }: CreateAuthorityParts, tokenKey: string): Promise<Uint8Array> {
  const { name, spki } = await findTokenKey(context.tokenKeys, tokenKey);
  const user = await store.findNameByTokenKey(tokenKey);
  if (user !== undefined) throw keyInUseError(name, user);
  return spki;
}

const keyInUseError = (name: string, user: string): ConnectorError =>
  rejected(`The key ${name} is already used by the CA ${user}. Choose a different key.`);

/** Stores the CA certificate, unless another CA has started to use the key in the token in the meantime. */
async function storeUnlessTaken(
  { context, store }: CreateAuthorityParts,
  tokenKey: string | null,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (tokenKey === null || !store.isTaken(error)) throw error;
    const { name } = await findTokenKey(context.tokenKeys, tokenKey);
    throw keyInUseError(name, (await store.findNameByTokenKey(tokenKey)) ?? 'created in the meantime');
  }
}

async function certify(
  parts: CreateAuthorityParts,
  {
    row,
    request,
    parent,
  }: { readonly row: AuthorityRow; readonly request: NewAuthority; readonly parent: SigningAuthority | undefined },
): Promise<void> {
  const key = await openStoredKey(parts, row);
  const algorithm = signatureAlgorithm(row.signature_algorithm);
  const signer = parent ?? { uuid: row.uuid, key, algorithm };
  const { der } = await parts.signOnce({
    authority: signer,
    operation: parent ? 'subordinate' : 'root',
    // A resumed creation yields the same certificate; after a rejection, the CA may get a different key.
    idempotencyKey: `authority:${row.uuid}:${nodeCrypto.sha256(key.spki).toHex()}`,
    requestDigest: new TextEncoder().encode(row.uuid),
    plan: (now) =>
      planCa({
        wish: request.wish,
        name: request.name,
        spki: key.spki,
        algorithm: signer.algorithm,
        now,
        ...(parent ? { parent } : {}),
      }),
  });
  const chain = parent ? [parent.certificate.der, ...parent.chain] : [];
  await storeUnlessTaken(parts, row.token_key, () => parts.store.finish(row.uuid, { certificate: der, chain }));
}

/** Until a certificate exists, only the host knows the public key of a token key. */
async function openStoredKey({ context }: CreateAuthorityParts, row: AuthorityRow): Promise<CaKey> {
  const { token_key: tokenKey } = row;
  return openKey(context, row, tokenKey === null ? undefined : (await findTokenKey(context.tokenKeys, tokenKey)).spki);
}

async function importAuthority(parts: CreateAuthorityParts, request: NewAuthority): Promise<void> {
  const { keyStore, keyStorePassword: password, tokenKey } = request.wish;
  if (!keyStore) throw new ConnectorError(500, 'An import without a file passed validation.');
  const now = parts.context.clock.now();
  const base = baseRow(parts, request);
  if (tokenKey === undefined) {
    const { privateKey, ...ca } = await importKeyStore(keyStore, { password, now });
    const sealed = sealKey(parts, request.uuid, privateKey);
    await parts.store.insert({ ...base, ...certificateColumns(ca), sealed_key: sealed, token_key: null });
  } else {
    const spki = await requireFreeTokenKey(parts, tokenKey);
    const ca = importCertificates(keyStore, { spki, now });
    const row = { ...base, ...certificateColumns(ca), sealed_key: null, token_key: tokenKey };
    await storeUnlessTaken(parts, tokenKey, () => parts.store.insert(row));
  }
}

const certificateColumns = ({ certificate, chain }: ImportedCertificates) => ({
  signature_algorithm: defaultSignatureAlgorithm(certificate.publicKey).name,
  certificate: certificate.der,
  chain: chain.map(({ der }) => der),
});

const baseRow = ({ context }: CreateAuthorityParts, { uuid, name, attributes, wish }: NewAuthority) => ({
  uuid,
  name,
  source: wish.source satisfies CaSource,
  attributes: withoutSecrets(attributes),
  crl_validity_hours: wish.crlValidityHours,
  delta_crl_validity_hours: wish.deltaCrlValidityHours,
  created_at: context.clock.now(),
});

function sealKey({ context }: CreateAuthorityParts, uuid: string, key: KeyObject): Uint8Array {
  const plain = exportPrivateKey(key);
  const sealed = context.seal(plain, keyPurpose(uuid));
  plain.fill(0);
  return sealed;
}

const SECRET_ATTRIBUTES: ReadonlySet<string> = new Set([AUTHORITY.keyStore, AUTHORITY.keyStorePassword]);

/** A key file and its password are used once; only the sealed key is stored. */
export const withoutSecrets = (attributes: readonly RequestAttributeDto[]): readonly RequestAttributeDto[] =>
  attributes.filter(({ name }) => !SECRET_ATTRIBUTES.has(name));
