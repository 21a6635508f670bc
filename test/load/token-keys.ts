// Keys for benchmarks: of tokens in software, or of SoftHSM 2 as hardware is reached.
import { createClient, type Client } from '@signetry/client';
import type { KeyDetailDto } from '@signetry/contract';
import { MISSING, openSoftHsm, SOFT_HSM } from '../../packages/connectors/pkcs11-tokens/src/testing/soft-hsm.ts';
import {
  createKey,
  createProfile,
  createTokenWithProfile,
  secretValue,
  textValue,
  type TokenPath,
} from '../e2e/testing/tokens.ts';
import type { ServerProcess } from './server-process.ts';

export type TokenKind = 'token' | 'hardware';

export const isTokenKind = (text: string | undefined): text is TokenKind => text === 'token' || text === 'hardware';

/** For the names of figures. */
export const nameOfKind = (kind: TokenKind): string => (kind === 'token' ? 'a software token' : 'SoftHSM');

export interface TokensForBench {
  /** Arguments that the platform needs. */
  readonly args: readonly string[];
  newKey(client: Client, specification: string): Promise<{ readonly path: TokenPath; readonly key: KeyDetailDto }>;
  close(): Promise<void>;
}

const [PIN, LABEL] = ['pin-of-the-bench', 'Bench'];

/** Before the platform starts: its processes take over what the environment says about SoftHSM. */
export async function openTokens(kind: TokenKind | undefined): Promise<TokensForBench> {
  if (kind !== 'hardware')
    return {
      args: [],
      newKey: async (client, specification) => {
        const path = await createTokenWithProfile(client);
        return { path, key: await createKey(client, path, { specification }) };
      },
      close: () => Promise.resolve(),
    };
  if (MISSING !== undefined) throw new Error(`There is ${MISSING}.`);
  const hsm = await openSoftHsm();
  const serial = await hsm.initToken(LABEL, PIN);
  return {
    args: ['--pkcs11-libraries', `softhsm=${SOFT_HSM}`],
    newKey: (client, specification) => newHardwareKey(client, serial, specification),
    close: () => hsm.remove(),
  };
}

async function newHardwareKey(client: Client, serial: string, specification: string) {
  const kind = 'PKCS11';
  const functionGroup = 'cryptographyProvider';
  const [{ uuid: connectorUuid } = { uuid: '' }] = await client.connectors.listConnectors({
    query: { functionGroup, kind },
  });
  // As a form does once the library is chosen.
  const params = { uuid: connectorUuid, functionGroup, kind } as const;
  const form = await client.connectors.getConnectorAttributes({ params });
  const group = form.find(({ type }) => type === 'group');
  const asked = { uuid: group?.uuid ?? '', name: group?.name ?? '', pathVariable: { option: 'softhsm' } };
  await client.callbacks.connectorCallback({ params, body: asked });
  const attributes = [textValue('data_library', 'softhsm'), textValue('data_token', `${serial}:${LABEL}`)];
  const body = { name: 'hsm', kind, connectorUuid, attributes, customAttributes: [] };
  const { uuid } = await client.tokens.createTokenInstance({ body });
  await client.tokens.activateTokenInstance({ params: { uuid }, body: [secretValue('data_pin', PIN)] });
  const path = { tokenInstanceUuid: uuid, tokenProfileUuid: await createProfile(client, uuid) };
  const key = await client.keys.createKey({
    params: { ...path, type: 'keyPair' },
    body: {
      name: 'bench',
      description: '',
      attributes: [textValue('data_keyAlias', 'bench'), textValue('data_keyAlgorithm', specification)],
      enabled: true,
    },
  });
  return { path, key };
}

/** The default RA profile, or one of a new authority with the wanted key. */
export async function profileFor(
  { ready }: Pick<ServerProcess, 'ready'>,
  { keyAlgorithm, tokens }: { readonly keyAlgorithm: string; readonly tokens: TokensForBench | undefined },
): Promise<{ readonly authorityUuid: string; readonly raProfileUuid: string }> {
  const client = createClient({ baseUrl: ready.api, token: ready.token });
  const profiles = await client.raProfiles.listRaProfiles();
  const standard = profiles.find(({ name }) => name === 'default');
  if (!standard?.authorityInstanceUuid) throw new Error('There is no RA profile `default`.');
  let [authority, profile] = [standard.authorityInstanceUuid, standard.uuid];
  if (tokens || keyAlgorithm !== 'P-256') {
    const { connectorUuid = '' } = await client.authorities.getAuthorityInstance({ params: { uuid: authority } });
    const definitions = await client.connectors.getConnectorAttributes({
      params: { uuid: connectorUuid, functionGroup: 'authorityProvider', kind: 'SoftwareCA' },
    });
    const fields = definitions.flatMap((each) => (each.type === 'group' ? (each.content ?? []) : [each]));
    const name = tokens ? 'data_tokenKey' : 'data_keyAlgorithm';
    const uuid = fields.find((field) => field.name === name)?.uuid ?? '';
    const data = tokens ? (await tokens.newKey(client, keyAlgorithm)).key.uuid : keyAlgorithm;
    const attributes = [{ uuid, name, contentType: 'string' as const, content: [{ data }] }];
    ({ uuid: authority } = await client.authorities.createAuthorityInstance({
      body: { name: `Bench ${keyAlgorithm}`, connectorUuid, kind: 'SoftwareCA', attributes },
    }));
    ({ uuid: profile } = await client.raProfiles.createRaProfile({
      params: { authorityUuid: authority },
      body: { name: 'bench', attributes: [] },
    }));
    await client.raProfiles.enableRaProfile({ params: { authorityUuid: authority, raProfileUuid: profile } });
  }
  return { authorityUuid: authority, raProfileUuid: profile };
}
