// Credential kinds. The first three use the attribute names and identifiers of the published common credential
// provider, so that connectors find them.
import { dataAttribute, validateAttributes } from '@signetry/connector-sdk';
import type { DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { evaluateKeyStores, keyStoreAttributes } from './key-stores.ts';
import type { Evaluation } from './evaluation.ts';

export interface CredentialKind {
  readonly kind: string;
  readonly attributes: readonly DataAttribute[];
  judge(given: readonly RequestAttributeDto[], now: Date): Promise<Evaluation>;
}

const kindFromDefinitions = (kind: string, attributes: readonly DataAttribute[]): CredentialKind => ({
  kind,
  attributes,
  judge: (given) => Promise.resolve({ problems: validateAttributes(attributes, given), warnings: [] }),
});

const basic = kindFromDefinitions('Basic', [
  dataAttribute({
    uuid: 'fe2d6d35-fb3d-4ea0-9f0b-7e39be93beeb',
    name: 'username',
    label: 'Username',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: '04506d45-c865-4ddc-b6fc-117ee5d5c8e7',
    name: 'password',
    label: 'Password',
    contentType: 'secret',
    required: true,
  }),
]);

const apiKey = kindFromDefinitions('ApiKey', [
  dataAttribute({
    uuid: 'aac5c2d5-5dc3-4ddb-9dfa-3d76b99135f8',
    name: 'apiKey',
    label: 'API key',
    contentType: 'secret',
    required: true,
  }),
]);

const bearerToken = kindFromDefinitions('BearerToken', [
  dataAttribute({
    uuid: '7c1f4f0e-6d0b-4c8a-9b1e-52f4b6a3d901',
    name: 'token',
    label: 'Token',
    description: 'Token for connectors that require one; sent as "Authorization: Bearer".',
    contentType: 'secret',
    required: true,
  }),
]);

const softKeyStore: CredentialKind = {
  kind: 'SoftKeyStore',
  attributes: keyStoreAttributes,
  judge: evaluateKeyStores,
};

export const kinds: readonly CredentialKind[] = [basic, apiKey, softKeyStore, bearerToken];
