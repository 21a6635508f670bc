// Tokens with their profiles and keys, from the built-in software cryptography provider.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { KeyDetailDto, KeyRequestType, KeyUsage, RequestAttributeDto } from '@signetry/contract';

export const ACTIVATION_CODE = 'canary-activation-code';

export const textValue = (name: string, data: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'string',
  content: [{ data }],
});
export const secretValue = (name: string, secret: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'secret',
  content: [{ data: { secret } }],
});

export async function softwareTokensOf(client: Client): Promise<string> {
  const query = { functionGroup: 'cryptographyProvider', kind: 'SOFT' } as const;
  const [found] = await client.connectors.listConnectors({ query });
  if (!found) throw new Error('There is no cryptography provider.');
  return found.uuid;
}

export async function createToken(client: Client, name = `token ${randomUUID()}`): Promise<string> {
  const attributes = [secretValue('data_activationCode', ACTIVATION_CODE)];
  const body = { name, kind: 'SOFT', connectorUuid: await softwareTokensOf(client), attributes, customAttributes: [] };
  const { uuid } = await client.tokens.createTokenInstance({ body });
  await activate(client, uuid);
  return uuid;
}

export const switchValue = (name: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'boolean',
  content: [{ data: true }],
});

/** Creates a token that stays active after a restart, with its profile. */
export const createUnattendedToken = (client: Client): Promise<TokenPath> =>
  createTokenWith(client, switchValue('data_staysActive'));

/** Creates a token that accepts imported keys, with its profile. */
export const createImportingToken = (client: Client): Promise<TokenPath> =>
  createTokenWith(client, switchValue('data_allowsImport'));

async function createTokenWith(client: Client, setting: RequestAttributeDto): Promise<TokenPath> {
  const attributes = [secretValue('data_activationCode', ACTIVATION_CODE), setting];
  const connectorUuid = await softwareTokensOf(client);
  const body = { name: `token ${randomUUID()}`, kind: 'SOFT', connectorUuid, attributes, customAttributes: [] };
  const { uuid: tokenInstanceUuid } = await client.tokens.createTokenInstance({ body });
  await activate(client, tokenInstanceUuid);
  return { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid) };
}

export async function activate(client: Client, uuid: string, code = ACTIVATION_CODE): Promise<void> {
  const body = [secretValue('data_activationCode', code)];
  await client.tokens.activateTokenInstance({ params: { uuid }, body });
}

export interface TokenPath {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
}

const ALL_USAGES: KeyUsage[] = ['sign', 'verify', 'encrypt', 'decrypt'];

export async function createTokenWithProfile(client: Client, usage: KeyUsage[] = ALL_USAGES): Promise<TokenPath> {
  const tokenInstanceUuid = await createToken(client);
  return { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid, usage) };
}

export async function createProfile(client: Client, tokenInstanceUuid: string, usage = ALL_USAGES): Promise<string> {
  const body = { name: `profile ${randomUUID()}`, attributes: [], enabled: true, usage };
  return (await client.tokenProfiles.createTokenProfile({ params: { tokenInstanceUuid }, body })).uuid;
}

const typeOf = (specification: string): KeyRequestType => (/^(AES|HMAC)/.test(specification) ? 'secret' : 'keyPair');

export const keyAttributes = (alias: string, specification: string): RequestAttributeDto[] => [
  textValue('data_keyAlias', alias),
  textValue(typeOf(specification) === 'secret' ? 'data_secretSpecification' : 'data_keySpecification', specification),
];

/** Creates an enabled key with a specification of the provider, such as `P-256` or `AES-256`. */
export function createKey(
  client: Client,
  path: TokenPath,
  wish: {
    readonly specification: string;
    readonly name?: string;
    /** Name of the key in the token; if absent, the same name. */
    readonly alias?: string;
    readonly enabled?: boolean;
  },
): Promise<KeyDetailDto> {
  const { specification, name = `key ${randomUUID()}`, alias = name, enabled = true } = wish;
  const type = typeOf(specification);
  const attributes = keyAttributes(alias, specification);
  return client.keys.createKey({ params: { ...path, type }, body: { name, description: '', attributes, enabled } });
}

/** Returns the path of operations on one item of a key. */
export const itemPath = (path: TokenPath, key: KeyDetailDto, type: 'Private' | 'Public' | 'Secret') => ({
  ...path,
  uuid: key.uuid,
  keyItemUuid: key.items.find((item) => item.type === type)?.uuid ?? '',
});
