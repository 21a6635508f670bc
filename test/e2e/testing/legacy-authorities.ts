// First-generation authorities, and RA profiles for end entities.
import type { Client } from '@signetry/client';
import { expect } from 'vitest';
import { attributesOf } from './profiles.ts';

export const LEGACY_KIND = 'SoftwareCALegacy';

export interface LegacyPath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly raProfileName: string;
}

/** Creates an authority, and an enabled RA profile for its end entity profile. */
export async function createLegacyAuthority(
  client: Client,
  { name, connectorUuid, kind = LEGACY_KIND }: { name: string; connectorUuid?: string; kind?: string },
): Promise<LegacyPath> {
  const connector = connectorUuid ?? (await builtInLegacyConnector(client));
  const { uuid: authorityUuid } = await client.authorities.createAuthorityInstance({
    body: { name, connectorUuid: connector, kind, attributes: [] },
  });
  const form = await client.authorities.listRAProfileAttributes({ params: { uuid: authorityUuid } });
  const profiles = form.find((definition) => definition.name === 'endEntityProfile');
  const [first] = profiles?.type === 'data' ? (profiles.content ?? []) : [];
  const raProfileName = `of-${name.toLowerCase().replaceAll(' ', '-')}`;
  const endEntityProfile = (first as { data: unknown } | undefined)?.data; // Object content has data.
  const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
    params: { authorityUuid },
    body: { name: raProfileName, attributes: attributesOf(form, { endEntityProfile }), enabled: true },
  });
  return { authorityUuid, raProfileUuid, raProfileName };
}

async function builtInLegacyConnector(client: Client): Promise<string> {
  const connectors = await client.connectors.listConnectors({ query: {} });
  const found = connectors.find(({ url }) => url === 'builtin:software-authority-legacy');
  return found?.uuid ?? expect.fail('there is no built-in connector of the first generation');
}

/** Registers an end entity with the password `once`. */
export const addEndEntity = (client: Client, { raProfileName }: LegacyPath, username: string): Promise<void> =>
  client.legacyClientOperations.addEndEntity({
    params: { raProfileName },
    body: {
      username,
      password: 'once',
      subjectDN: `CN=${username},O=Example`,
      subjectAltName: `dNSName=${username}.example`,
    },
  });
