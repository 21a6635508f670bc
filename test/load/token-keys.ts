// Keys for benchmarks: in software tokens, or in SoftHSM 2 through the interface for hardware tokens.
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

/** Name of the token kind in figures. */
export const nameOfKind = (kind: TokenKind): string => (kind === 'token' ? 'a software token' : 'SoftHSM');

export interface TokensForBench {
  /** Arguments for the platform. */
  readonly args: readonly string[];
  newKey(client: Client, specification: string): Promise<{ readonly path: TokenPath; readonly key: KeyDetailDto }>;
  close(): Promise<void>;
}

const [PIN, LABEL] = ['pin-of-the-bench', 'Bench'];

/** Prepares tokens before the platform starts, because its processes inherit the SoftHSM environment variables. */
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
  if (MISSING !== undefined) throw new Error(`Cannot run: ${MISSING}.`);
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
  // Sends the same requests as a form once the library is selected.
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

/** Returns the default RA profile, or one of a new authority with the requested key. */
export async function profileFor(
  { ready }: Pick<ServerProcess, 'ready'>,
  { keyAlgorithm, tokens }: { readonly keyAlgorithm: string; readonly tokens: TokensForBench | undefined },
): Promise<{ readonly authorityUuid: string; readonly raProfileUuid: string }> {
  const client = createClient({ baseUrl: ready.api, token: ready.token });
  const profiles = await client.raProfiles.listRaProfiles();
  const standard = profiles.find(({ name }) => name === 'default');
  if (!standard?.authorityInstanceUuid) throw new Error('RA profile `default` not found.');
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
