// Every page of the menu, with its forms and objects: each has a title, and axe reports no violations.
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleApprovals } from './sample-approvals.ts';
import { createSampleAttributes } from './sample-attributes.ts';
import { createSampleKeys } from './sample-keys.ts';
import { createSampleOids } from './sample-oids.ts';
import { createSamplePeople } from './sample-people.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`pages${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  const visit = desk.sharedVisit();
  const objects = {
    authority: '',
    raProfile: '',
    acmeProfile: '',
    connector: '',
    credential: '',
    customAttribute: '',
    globalMetadata: '',
    oid: '',
    user: '',
    systemUser: '',
    role: '',
    systemRole: '',
    group: '',
    approval: '',
    approvalProfile: '',
    token: '',
    tokenProfile: '',
    key: '',
  };

  beforeAll(async () => {
    const { client } = desk.server;
    const [profile] = await client.raProfiles.listRaProfiles();
    objects.raProfile = profile?.uuid ?? '';
    objects.authority = profile?.authorityInstanceUuid ?? '';
    objects.acmeProfile = (await client.acmeProfiles.listAcmeProfiles())[0]?.uuid ?? '';
    const [offering] = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
    const password = { uuid: crypto.randomUUID(), name: 'token', contentType: 'secret' as const };
    const { uuid } = await client.credentials.createCredential({
      body: {
        name: 'sample',
        kind: 'BearerToken',
        connectorUuid: offering?.uuid ?? '',
        attributes: [{ ...password, content: [{ data: { secret: 'sample' } }] }],
      },
    });
    objects.credential = uuid;
    // Created before the attributes that are required for every RA profile.
    Object.assign(objects, await createSampleKeys(client));
    const { approval, approvalProfile } = await createSampleApprovals(client, objects.authority);
    Object.assign(objects, { approval, approvalProfile });
    objects.customAttribute = await createSampleAttributes(client, objects.raProfile);
    objects.globalMetadata = (await client.globalMetadata.listGlobalMetadata({}))[0]?.uuid ?? '';
    objects.oid = (await createSampleOids(client)).oid;
    Object.assign(objects, await createSamplePeople(client));
    objects.connector = (await client.connectors.listConnectors({}))[0]?.uuid ?? '';
  });

  it.each<readonly [string, (known: typeof objects) => string]>([
    ['overview', () => '/'],
    ['compliance', () => '/compliance'],
    ['compliance profiles', () => '/compliance/profiles'],
    ['a new compliance profile', () => '/compliance/profiles/new'],
    ['compliance rules', () => '/compliance/rules'],
    ['a new compliance rule', () => '/compliance/rules/new'],
    ['automation', () => '/automation'],
    ['a new automation rule', () => '/automation/new'],
    ['rule components', () => '/automation/parts'],
    ['inbox', () => '/notifications'],
    ['notification providers', () => '/notification-providers'],
    ['notification profiles', () => '/notification-profiles'],
    ['deliveries', () => '/deliveries'],
    ['the calendar for a month', () => '/insights?month=2000-01'],
    ['deliveries without matches', () => '/deliveries?event=approval_closed&within=day'],
    ['scheduled jobs', () => '/schedule'],
    ['certificates without automatic renewal', () => '/insights?tab=unattended'],
    ['discoveries', () => '/discoveries'],
    ['a new discovery', () => '/discoveries/new'],
    ['targets', () => '/entities'],
    ['a new target', () => '/entities/new'],
    ['locations', () => '/locations'],
    ['a new location', () => '/locations/new'],
    ['keys', () => '/keys'],
    ['a new key', () => '/keys/new'],
    ['a key', ({ key }) => `/keys/${key}`],
    ['the edit form for a key', ({ key }) => `/keys/${key}/edit`],
    ['tokens', () => '/tokens'],
    ['a new token', () => '/tokens/new'],
    ['a token', ({ token }) => `/tokens/${token}`],
    ['the edit form for a token', ({ token }) => `/tokens/${token}/edit`],
    ['token profiles', () => '/token-profiles'],
    ['a new token profile', () => '/token-profiles/new'],
    ['a token profile', ({ token, tokenProfile }) => `/tokens/${token}/profiles/${tokenProfile}`],
    [
      'the edit form for a token profile',
      ({ token, tokenProfile }) => `/tokens/${token}/profiles/${tokenProfile}/edit`,
    ],
    ['authorities', () => '/authorities'],
    ['a new authority', () => '/authorities/new'],
    ['an authority', ({ authority }) => `/authorities/${authority}`],
    ['the edit form for an authority', ({ authority }) => `/authorities/${authority}/edit`],
    ['RA profiles', () => '/ra-profiles'],
    ['a new RA profile', () => '/ra-profiles/new'],
    ['an RA profile', ({ raProfile }) => `/ra-profiles/${raProfile}`],
    ['the edit form for an RA profile', ({ raProfile }) => `/ra-profiles/${raProfile}/edit`],
    ['approvals', () => '/approvals'],
    ['an approval', ({ approval }) => `/approvals/${approval}`],
    ['approval profiles', () => '/approval-profiles'],
    ['a new approval profile', () => '/approval-profiles/new'],
    ['all approvals', () => '/approvals?tab=all'],
    ['an approval profile', ({ approvalProfile }) => `/approval-profiles/${approvalProfile}`],
    ['the edit form for an approval profile', ({ approvalProfile }) => `/approval-profiles/${approvalProfile}/edit`],
    ['ACME', () => '/acme'],
    ['a new ACME profile', () => '/acme/new'],
    ['an ACME profile', ({ acmeProfile }) => `/acme/${acmeProfile}`],
    ['the edit form for an ACME profile', ({ acmeProfile }) => `/acme/${acmeProfile}/edit`],
    ['CMP', () => '/cmp'],
    ['a new CMP profile', () => '/cmp/new'],
    ['SCEP', () => '/scep'],
    ['a new SCEP profile', () => '/scep/new'],
    ['EST', () => '/est'],
    ['a new EST profile', () => '/est/new'],
    ['enrollment requests', () => '/enrollments'],
    ['connectors', () => '/connectors'],
    ['a new connector', () => '/connectors/new'],
    ['a connector', ({ connector }) => `/connectors/${connector}`],
    ['credentials', () => '/credentials'],
    ['a new credential', () => '/credentials/new'],
    ['a credential', ({ credential }) => `/credentials/${credential}`],
    ['the edit form for a credential', ({ credential }) => `/credentials/${credential}/edit`],
    ['custom attributes', () => '/custom-attributes'],
    ['a new custom attribute', () => '/custom-attributes/new'],
    ['a custom attribute', ({ customAttribute }) => `/custom-attributes/${customAttribute}`],
    ['the edit form for a custom attribute', ({ customAttribute }) => `/custom-attributes/${customAttribute}/edit`],
    ['audit log', () => '/audit'],
    ['settings', () => '/settings'],
    ['a new identity provider', () => '/settings/identity-providers/new'],
    ['global metadata', () => '/global-metadata'],
    ['new global metadata', () => '/global-metadata/new'],
    ['one global metadata definition', ({ globalMetadata }) => `/global-metadata/${globalMetadata}`],
    ['object identifiers', () => '/oids'],
    ['a new object identifier', () => '/oids/new'],
    ['an object identifier', ({ oid }) => `/oids/${oid}`],
    ['the edit form for an object identifier', ({ oid }) => `/oids/${oid}/edit`],
    ['users', () => '/users'],
    ['a new user', () => '/users/new'],
    ['a user', ({ user }) => `/users/${user}`],
    ['the edit form for a user', ({ user }) => `/users/${user}/edit`],
    ['a built-in user', ({ systemUser }) => `/users/${systemUser}`],
    ['roles', () => '/roles'],
    ['a new role', () => '/roles/new'],
    ['a role', ({ role }) => `/roles/${role}`],
    ['the edit form for a role', ({ role }) => `/roles/${role}/edit`],
    ['a built-in role', ({ systemRole }) => `/roles/${systemRole}`],
    ['the permissions of a role', ({ role }) => `/roles/${role}/permissions`],
    ['groups', () => '/groups'],
    ['a new group', () => '/groups/new'],
    ['a group', ({ group }) => `/groups/${group}`],
    ['the edit form for a group', ({ group }) => `/groups/${group}/edit`],
    ["the user's own profile", () => '/profile'],
    ['the edit form for global metadata', ({ globalMetadata }) => `/global-metadata/${globalMetadata}/edit`],
  ])('%s', async (_what, path) => {
    const page = await visit.goTo(path(objects));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByRole('main')
      .getByText(/^Loading /)
      .first()
      .waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.title()).toMatch(/ – Signetry$/);
    await expectAccessible(page);
  });
});
