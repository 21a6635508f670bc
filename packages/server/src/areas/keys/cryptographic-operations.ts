// Cryptographic operations with keys: sign, verify, encrypt, decrypt; also random data from tokens. The provider
// performs the operation; a signature is verified before it is returned.
import {
  cryptographyProviderOperations as provider,
  type CipherDataRequestDto,
  type DataAttribute,
  type DecryptDataResponseDto,
  type EncryptDataResponseDto,
  type KeyAlgorithm,
  type RandomDataRequestDto,
  type RandomDataResponseDto,
  type RequestAttributeDto,
  type SignDataRequestDto,
  type SignDataResponseDto,
  type VerifyDataRequestDto,
  type VerifyDataResponseDto,
} from '@signetry/contract';
import type { SignatureAlgorithm } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TokenForm, Tokens } from '../tokens/index.ts';
import {
  acceptMechanism,
  cipherDefinitions,
  decryptionDefinitions,
  signatureAlgorithmOf,
  signatureDefinitions,
  verifiableKey,
} from './mechanism-attributes.ts';
import type { UsedItemRow } from './store-use.ts';
import type { KeyUser, UsedKeyPath } from './use-key.ts';

export interface OperationParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly tokens: Tokens;
  readonly user: KeyUser;
}

/** Maximum number of data items or signatures per call. */
const MAX_ITEMS = 1_000;
const MAX_RANDOM_OCTETS = 65_536;

export const randomForm: TokenForm = {
  list: provider.listRandomAttributes,
  validate: provider.validateRandomAttributes,
  isOptional: true,
};

export type CryptographicOperations = ReturnType<typeof createCryptographicOperations>;

export function createCryptographicOperations(parts: OperationParts) {
  return {
    signatureAttributes: (path: UsedKeyPath & AlgorithmQuery, context: RequestContext) =>
      definitionsOf(parts, path, { define: signatureDefinitions, context }),
    cipherAttributes: (path: UsedKeyPath & AlgorithmQuery, context: RequestContext) =>
      definitionsOf(parts, path, { define: cipherDefinitions, context }),
    sign: (path: UsedKeyPath, request: SignDataRequestDto, context: RequestContext) =>
      sign(parts, path, request, context),
    verify: (path: UsedKeyPath, request: VerifyDataRequestDto, context: RequestContext) =>
      verify(parts, path, request, context),
    encrypt: (path: UsedKeyPath, request: CipherDataRequestDto, context: RequestContext) =>
      encrypt(parts, path, request, context),
    decrypt: (path: UsedKeyPath, request: CipherDataRequestDto, context: RequestContext) =>
      decrypt(parts, path, request, context),
    random: (tokenUuid: string, request: RandomDataRequestDto, context: RequestContext) =>
      random(parts, tokenUuid, request, context),
  };
}

type DefinitionsOfAlgorithm = (algorithm: KeyAlgorithm) => readonly DataAttribute[];

interface AlgorithmQuery {
  readonly algorithm: KeyAlgorithm;
}

/** Returns the definitions that the key's algorithm determines; rejects a request for a different algorithm. */
async function definitionsOf(
  { user }: OperationParts,
  { algorithm, ...path }: UsedKeyPath & AlgorithmQuery,
  { define, context }: { readonly define: DefinitionsOfAlgorithm; readonly context: RequestContext },
): Promise<DataAttribute[]> {
  const item = await user.findForAttributes(path, context.actor);
  if (item.algorithm !== algorithm) throw rejected(`The key ${item.name} uses ${item.algorithm}, not ${algorithm}.`);
  return [...define(item.algorithm)];
}

async function sign(
  { user, tokens }: OperationParts,
  path: UsedKeyPath,
  request: SignDataRequestDto,
  context: RequestContext,
): Promise<SignDataResponseDto> {
  const item = await user.usable(path, 'sign');
  assertData(request.data);
  const accepted = acceptMechanism(item.algorithm, signatureDefinitions, request.signatureAttributes);
  const algorithm = verificationKeyOf(item, accepted);
  const work = async (): Promise<SignDataResponseDto> => {
    const { client, params } = await reach(tokens, item);
    const body = { signatureAttributes: accepted, data: request.data };
    const answer = await client.call(provider.signData, { params, body }, { signal: context.signal });
    assertComplete(client.name, request.data, answer.signatures);
    if (algorithm)
      assertSignaturesValid(client.name, { ...algorithm, data: request.data, signatures: answer.signatures });
    return answer;
  };
  const note = item.public_key !== null && algorithm === undefined ? UNVERIFIED : '';
  return user.during(item, { use: 'sign', items: request.data.length, note }, { context, work });
}

/** An incorrect signature from a provider must not leave the platform. */
function assertSignaturesValid(
  connector: string,
  signed: VerificationKey & { readonly data: readonly Item[]; readonly signatures: readonly Item[] },
): void {
  const { algorithm, spki, data, signatures } = signed;
  for (const [index, { data: encoded }] of data.entries()) {
    const signature = octets(signatures[index]?.data ?? '');
    if (nodeCrypto.verify(spki, { algorithm, data: octets(encoded), signature })) continue;
    const problem =
      'it returned a signature that cannot be verified with the public key; the signature was not passed on';
    throw new AppError('connector_failed', { connector, problem });
  }
}

interface VerificationKey {
  readonly algorithm: SignatureAlgorithm;
  readonly spki: Uint8Array;
}

/** Recorded in the key's history. */
const UNVERIFIED = 'Signed; the platform does not know the algorithm and did not verify the signature';

/**
 * Returns how signatures of the item are verified; undefined for keys without a public half, which sign with a secret,
 * and for algorithms that only the provider knows.
 */
function verificationKeyOf(item: UsedItemRow, accepted: readonly RequestAttributeDto[]): VerificationKey | undefined {
  if (item.public_key === null) return undefined;
  const spki = octets(item.public_key);
  const key = verifiableKey(spki, item.algorithm);
  return key && { spki, algorithm: signatureAlgorithmOf(key, accepted) };
}

async function verify(
  { user, tokens }: OperationParts,
  path: UsedKeyPath,
  request: VerifyDataRequestDto,
  context: RequestContext,
): Promise<VerifyDataResponseDto> {
  const item = await user.usable(path, 'verify');
  assertData(request.data);
  assertData(request.signatures);
  if (request.data.length !== request.signatures.length)
    throw rejected(
      `The numbers of data items (${request.data.length}) and signatures (${request.signatures.length}) must be equal.`,
    );
  const signatureAttributes = acceptMechanism(item.algorithm, signatureDefinitions, request.signatureAttributes);
  const work = async (): Promise<VerifyDataResponseDto> => {
    const { client, params } = await reach(tokens, item);
    const body = { ...request, signatureAttributes };
    const answer = await client.call(provider.verifyData, { params, body }, { signal: context.signal });
    assertComplete(client.name, request.data, answer.verifications);
    return answer;
  };
  return user.during(item, { use: 'verify', items: request.data.length }, { context, work });
}

async function encrypt(
  { user, tokens }: OperationParts,
  path: UsedKeyPath,
  request: CipherDataRequestDto,
  context: RequestContext,
): Promise<EncryptDataResponseDto> {
  const item = await user.usable(path, 'encrypt');
  const body = cipherBody(item.algorithm, cipherDefinitions, request);
  const work = async (): Promise<EncryptDataResponseDto> => {
    const { client, params } = await reach(tokens, item);
    const answer = await client.call(provider.encryptData, { params, body }, { signal: context.signal });
    assertComplete(client.name, request.cipherData, answer.encryptedData);
    return answer;
  };
  return user.during(item, { use: 'encrypt', items: request.cipherData.length }, { context, work });
}

async function decrypt(
  { user, tokens }: OperationParts,
  path: UsedKeyPath,
  request: CipherDataRequestDto,
  context: RequestContext,
): Promise<DecryptDataResponseDto> {
  const item = await user.usable(path, 'decrypt');
  const body = cipherBody(item.algorithm, decryptionDefinitions, request);
  const work = async (): Promise<DecryptDataResponseDto> => {
    const { client, params } = await reach(tokens, item);
    const answer = await client.call(provider.decryptData, { params, body }, { signal: context.signal });
    assertComplete(client.name, request.cipherData, answer.decryptedData);
    return answer;
  };
  return user.during(item, { use: 'decrypt', items: request.cipherData.length }, { context, work });
}

function cipherBody(
  algorithm: KeyAlgorithm,
  define: DefinitionsOfAlgorithm,
  { cipherAttributes, cipherData }: CipherDataRequestDto,
): CipherDataRequestDto {
  assertData(cipherData);
  return { cipherData, cipherAttributes: acceptMechanism(algorithm, define, cipherAttributes) };
}

async function random(
  { platform, audit, tokens }: OperationParts,
  tokenUuid: string,
  { length, attributes = [] }: RandomDataRequestDto,
  context: RequestContext,
): Promise<RandomDataResponseDto> {
  if (length < 1 || length > MAX_RANDOM_OCTETS)
    throw rejected(`length: must be between 1 and ${MAX_RANDOM_OCTETS} bytes`);
  const accepted = await tokens.accept(tokenUuid, randomForm, { requested: attributes, caller: context });
  const { client, params, token } = await tokens.reach(tokenUuid);
  const body = { length, attributes: accepted };
  const answer = await client.call(provider.randomData, { params, body }, { signal: context.signal });
  if (octets(answer.data).length !== length) {
    const problem = `it did not return exactly ${length} bytes of random data`;
    throw new AppError('connector_failed', { connector: client.name, problem });
  }
  await audit.append(platform.database.executor, context, { objects: [token], data: { length } });
  return answer;
}

async function reach(tokens: Tokens, item: UsedItemRow) {
  const { client, params } = await tokens.reach(item.token_uuid);
  return { client, params: { ...params, keyUuid: item.reference ?? '' } };
}

interface Item {
  readonly data: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function assertData(items: readonly Item[]): void {
  if (items.length === 0) throw rejected('The request must contain at least one data item.');
  if (items.length > MAX_ITEMS)
    throw rejected(`The request contains ${items.length} data items; at most ${MAX_ITEMS} are accepted.`);
  const wrong = items.findIndex(({ data }) => !BASE64.test(data));
  if (wrong !== -1) throw rejected(`Data item ${wrong + 1} is not valid Base64.`);
}

/** Requires one result for each data item. */
function assertComplete(connector: string, asked: readonly unknown[], answered: readonly unknown[]): void {
  if (asked.length === answered.length) return;
  const problem = `it returned ${answered.length} results for ${asked.length} data items`;
  throw new AppError('connector_failed', { connector, problem });
}

const octets = (base64: string): Buffer => Buffer.from(base64, 'base64');
