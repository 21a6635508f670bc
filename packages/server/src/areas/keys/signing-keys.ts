// Key pairs that sign and decrypt for other areas: for CSRs, for certificates issued by authorities whose key is in a
// token, and for protocol messages.
import { KeyAlgorithm, type RequestAttributeDto } from '@signetry/contract';
import { parsePublicKey, type KeyTransport, type PublicKey, type SignatureAlgorithm } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, isAppError, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkPlatformValues } from '../attributes/index.ts';
import type { CryptographicOperations } from './cryptographic-operations.ts';
import { problemOfSigning } from './key-state.ts';
import {
  cipherValuesOf,
  defaultSignatureValues,
  signatureAlgorithmOf,
  signatureDefinitions,
} from './mechanism-attributes.ts';
import { findItems, keys } from './store.ts';

/** Key pair whose private half can sign. */
export interface SigningKey {
  readonly uuid: string;
  readonly name: string;
  readonly publicKey: PublicKey;
  readonly privateItemUuid: string;
  readonly tokenProfileUuid: string;
  readonly tokenUuid: string;
}

/** Signature algorithm, and its attributes in the API format. */
export interface SignatureForm {
  readonly algorithm: SignatureAlgorithm;
  readonly attributes: readonly RequestAttributeDto[];
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

export function createSigningKeys(
  { database }: Pick<Platform, 'database'>,
  { operations }: { readonly operations: CryptographicOperations },
) {
  const { executor } = database;

  /**
   * Throws 404 if the key does not exist, and 422 unless both halves are usable and the key belongs to the specified
   * profile.
   */
  async function find(keyUuid: string, profileUuid?: string): Promise<SigningKey> {
    const key = requireFound(await keys.findOne(executor, keyUuid), keys.what, keyUuid);
    const items = await findItems(executor, [key.uuid]);
    const problem = problemOfSigning(key, items, profileUuid);
    const [publicItem, privateItem] = (['Public', 'Private'] as const).map((type) =>
      items.find((item) => item.type === type),
    );
    const { uuid, name, token_uuid: tokenUuid, token_profile_uuid: tokenProfileUuid } = key;
    const pair = publicItem?.key_data &&
      privateItem && { encoded: publicItem.key_data, privateItemUuid: privateItem.uuid };
    if (problem !== undefined || !pair || tokenUuid === null || tokenProfileUuid === null)
      throw rejected(problem ?? `Key ${name} is not a key pair.`);
    const publicKey = parsePublicKey(Buffer.from(pair.encoded, 'base64'));
    return { uuid, name, publicKey, privateItemUuid: pair.privateItemUuid, tokenUuid, tokenProfileUuid };
  }

  /** Validates the signature attributes (422). If none are specified, uses the key's defaults. */
  function formOf({ publicKey }: SigningKey, given: readonly RequestAttributeDto[]): SignatureForm {
    const algorithm = KeyAlgorithm.safeParse(publicKey.family);
    const definitions = signatureDefinitions(algorithm.success ? algorithm.data : 'Unknown');
    const asked = given.length === 0 ? defaultSignatureValues(publicKey) : given;
    const attributes = checkPlatformValues(definitions, asked);
    return { attributes, algorithm: signatureAlgorithmOf(publicKey, attributes) };
  }

  /**
   * Signs the data itself, not a digest; the provider computes a digest if one is needed. The returned signature has
   * been verified.
   */
  async function sign(
    key: SigningKey,
    { attributes, data }: { readonly attributes: readonly RequestAttributeDto[]; readonly data: Uint8Array },
    context: RequestContext,
  ): Promise<Uint8Array> {
    const request = { signatureAttributes: [...attributes], data: [{ data: Buffer.from(data).toString('base64') }] };
    const path = { uuid: key.uuid, keyItemUuid: key.privateItemUuid };
    const { signatures } = await operations.sign(path, request, context);
    return Buffer.from(signatures[0]?.data ?? '', 'base64');
  }

  /**
   * Returns undefined if the provider reports that the data cannot be decrypted. Throws `PkiError`
   * `unsupported-algorithm`.
   */
  async function decrypt(
    key: SigningKey,
    { transport, encrypted }: { readonly transport: KeyTransport; readonly encrypted: Uint8Array },
    context: RequestContext,
  ): Promise<Uint8Array | undefined> {
    const request = {
      cipherAttributes: cipherValuesOf(transport),
      cipherData: [{ data: Buffer.from(encrypted).toString('base64') }],
    };
    const path = { uuid: key.uuid, keyItemUuid: key.privateItemUuid };
    try {
      const { decryptedData } = await operations.decrypt(path, request, context);
      return Buffer.from(decryptedData[0]?.data ?? '', 'base64');
    } catch (error) {
      if (isAppError(error, 'connector_refused') || isAppError(error, 'rejected_by_rules')) return undefined;
      throw error;
    }
  }

  return { find, formOf, sign, decrypt };
}
