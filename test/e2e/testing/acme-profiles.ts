// ACME profiles for tests, in addition to the one of the first start, and their accounts from the administrator's
// perspective.
import type { Client } from '@signetry/client';
import type { AcmeTestClient } from '@signetry/testkit/acme';
import type { AcmeTestServer } from './acme-server.ts';
import { defaultProfile } from './profiles.ts';

type CreateRequest = Parameters<Client['acmeProfiles']['createAcmeProfile']>[0]['body'];
type EditRequest = Parameters<Client['acmeProfiles']['editAcmeProfile']>[0]['body'];

export type ProfileSettings = Partial<CreateRequest>;

export interface AcmeProfileOfTest {
  readonly uuid: string;
  readonly name: string;
  readonly directoryUrl: string;
  /** Replaces the settings. */
  edit(settings: Partial<EditRequest>): Promise<unknown>;
  enable(): Promise<unknown>;
  disable(): Promise<unknown>;
}

let made = 0;

/** Adds an enabled profile that issues under the RA profile `default`, unless the settings specify otherwise. */
export async function addAcmeProfile(
  { server: { client } }: AcmeTestServer,
  settings: ProfileSettings = {},
): Promise<AcmeProfileOfTest> {
  const name = settings.name ?? `test-${++made}`;
  const { raProfileUuid } = await defaultProfile(client);
  const usual = { raProfileUuid, issueCertificateAttributes: [], revokeCertificateAttributes: [] };
  const { uuid } = await client.acmeProfiles.createAcmeProfile({ body: { ...usual, ...settings, name } });
  const params = { uuid };
  await client.acmeProfiles.enableAcmeProfile({ params });
  const { directoryUrl = '' } = await client.acmeProfiles.getAcmeProfile({ params });
  return {
    uuid,
    name,
    directoryUrl,
    edit: (changed) => client.acmeProfiles.editAcmeProfile({ params, body: { ...usual, ...changed } }),
    enable: () => client.acmeProfiles.enableAcmeProfile({ params }),
    disable: () => client.acmeProfiles.disableAcmeProfile({ params }),
  };
}

/** Returns the path parameters for managing an account. */
export async function managedAccount(
  { server: { client } }: AcmeTestServer,
  { accountUrl = '' }: AcmeTestClient,
): Promise<{ readonly acmeProfileUuid: string; readonly acmeAccountUuid: string }> {
  const listed = await client.acmeAccounts.listAcmeAccounts();
  const account = listed.find(({ accountId }) => accountUrl.endsWith(`/${accountId}`));
  return { acmeProfileUuid: account?.acmeProfileUuid ?? '', acmeAccountUuid: account?.uuid ?? '' };
}
