// Creates a CA: a root, a subordinate signed by another CA here, or an imported key. The sealed key is stored before
// anything is signed with it or for it, and repeating the call continues an interrupted creation.
import type { KeyObject } from 'node:crypto';
import { ConnectorError, isConnectorError, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { defaultSignatureAlgorithm, parsePublicKey, signatureAlgorithm } from '@signetry/pki';
import { exportPrivateKey, exportPublicKey, generateKeyPair, importPrivateKey } from '@signetry/pki/node';
import { AUTHORITY, type CaSource } from '../attributes/authority-attributes.ts';
import type { SignOnce } from '../issuance/signed-once.ts';
import type { AuthorityRegistry } from './authority-registry.ts';
import { keyPurpose } from './authority-registry.ts';
import type { AuthorityRow, AuthorityStore } from './authority-store.ts';
import { planCa } from './ca-plan.ts';
import type { CaWish } from './ca-wish.ts';
import { importKeyStore } from './import-key-store.ts';
import type { SigningAuthority } from './signing-authority.ts';

export interface CreateAuthorityParts {
  readonly context: Pick<ConnectorContext, 'seal' | 'open' | 'clock'>;
  readonly store: AuthorityStore;
  readonly registry: AuthorityRegistry;
  readonly signOnce: SignOnce;
}

export interface NewAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
  readonly wish: CaWish;
}

/** May be repeated with the same identifier: what is done stays, what is missing is done. */
export async function createAuthority(parts: CreateAuthorityParts, request: NewAuthority): Promise<void> {
  const known = await parts.store.find(request.uuid);
  if (known?.certificate) return;
  if (request.wish.source === 'import') return importAuthority(parts, request);
  const parent = request.wish.parentUuid === undefined ? undefined : await findParent(parts, request.wish.parentUuid);
  const row = known ?? (await storeNewKey(parts, { request, parent }));
  await certify(parts, { row, request, parent });
}

async function findParent({ registry }: CreateAuthorityParts, uuid: string): Promise<SigningAuthority> {
  try {
    return await registry.get(uuid);
  } catch (error) {
    if (isConnectorError(error) && error.status === 404) throw rejected(`The parent CA ${uuid} does not exist.`);
    throw error;
  }
}

/** A serial number to check whether a certificate can be built; never signed. */
const TRIAL_SERIAL = Uint8Array.of(0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);

async function storeNewKey(
  parts: CreateAuthorityParts,
  { request, parent }: { readonly request: NewAuthority; readonly parent: SigningAuthority | undefined },
): Promise<AuthorityRow> {
  const { wish, name, uuid } = request;
  const { privateKey, spki } = await generateKeyPair(wish.keyAlgorithm);
  const own = defaultSignatureAlgorithm(parsePublicKey(spki));
  // A request that cannot become a CA is refused before its key is stored.
  const now = parts.context.clock.now();
  planCa({ wish, name, spki, now, algorithm: parent?.algorithm ?? own, ...(parent ? { parent } : {}) }).tbsFor(
    TRIAL_SERIAL,
  );
  const row = {
    ...baseRow(parts, request),
    signature_algorithm: own.name,
    sealed_key: sealKey(parts, uuid, privateKey),
    certificate: null,
    chain: [],
  };
  await parts.store.insert(row);
  return { ...row, revision: 1 };
}

async function certify(
  parts: CreateAuthorityParts,
  {
    row,
    request,
    parent,
  }: { readonly row: AuthorityRow; readonly request: NewAuthority; readonly parent: SigningAuthority | undefined },
): Promise<void> {
  const plain = parts.context.open(row.sealed_key, keyPurpose(row.uuid));
  const privateKey = await importPrivateKey(plain);
  plain.fill(0);
  const algorithm = signatureAlgorithm(row.signature_algorithm);
  const signer = parent ?? { uuid: row.uuid, privateKey, algorithm };
  const { der } = await parts.signOnce({
    authority: signer,
    operation: parent ? 'subordinate' : 'root',
    // The identifier of the CA is the key of the call: whenever it is continued, it gets the same certificate.
    idempotencyKey: `authority:${row.uuid}`,
    requestDigest: new TextEncoder().encode(row.uuid),
    plan: (now) =>
      planCa({
        wish: request.wish,
        name: request.name,
        spki: exportPublicKey(privateKey),
        algorithm: signer.algorithm,
        now,
        ...(parent ? { parent } : {}),
      }),
  });
  await parts.store.finish(row.uuid, {
    certificate: der,
    chain: parent ? [parent.certificate.der, ...parent.chain] : [],
  });
}

async function importAuthority(parts: CreateAuthorityParts, request: NewAuthority): Promise<void> {
  const { keyStore, keyStorePassword } = request.wish;
  if (!keyStore) throw new ConnectorError(500, 'An import without a file got past its check.');
  const imported = await importKeyStore(keyStore, { password: keyStorePassword, now: parts.context.clock.now() });
  await parts.store.insert({
    ...baseRow(parts, request),
    signature_algorithm: defaultSignatureAlgorithm(imported.certificate.publicKey).name,
    sealed_key: sealKey(parts, request.uuid, imported.privateKey),
    certificate: imported.certificate.der,
    chain: imported.chain.map(({ der }) => der),
  });
}

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
