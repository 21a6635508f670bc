// Settings of SCEP profiles whose requests Microsoft Intune validates.
import type { Client } from '@signetry/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { APPLICATION_ID, TENANT } from './testing/intune-service.ts';
import type { IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { sharedScepWithIntune } from './testing/scep-with-intune.ts';

const scep = sharedScepWithIntune();
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;

beforeAll(() => {
  ({ client, path, caCertificateUuid } = scep.facts);
});

describe('Intune settings', () => {
  const missing = (field: string) => new RegExp(`${field}: required if Microsoft Intune validates requests`);
  it.each([
    ['no tenant', { intuneTenant: '' }, missing('intuneTenant')],
    ['no application', { intuneApplicationId: undefined }, missing('intuneApplicationId')],
    ['no key', { intuneApplicationKey: '' }, missing('intuneApplicationKey')],
    ['a tenant that is a path', { intuneTenant: '../common' }, /intuneTenant: must consist of letters, digits/],
  ])('with %s are rejected', async (_what, changes, problem) => {
    const body = { ...scep.intuneSettings(), ...changes };
    await expect(scep.add(body)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(problem) });
  });

  it('keep omitted values when edited, never expose the key, and cannot clear it while Intune is enabled', async () => {
    const { uuid } = await scep.add();
    const body = {
      raProfileUuid: path.raProfileUuid,
      caCertificateUuid,
      includeCaCertificate: false,
      includeCaCertificateChain: false,
    };
    const edited = await client.scepProfiles.editScepProfile({ params: { uuid }, body });
    expect(edited).toMatchObject({
      enableIntune: true,
      intuneTenant: TENANT,
      intuneApplicationId: APPLICATION_ID,
      hasIntuneApplicationKey: true,
    });
    expect(JSON.stringify(edited)).not.toContain(scep.intune.applicationKey);
    const without = { params: { uuid }, body: { ...body, intuneApplicationKey: '' } };
    await expect(client.scepProfiles.editScepProfile(without)).rejects.toMatchObject({ status: 400 });
    const off = { params: { uuid }, body: { ...body, enableIntune: false, intuneApplicationKey: '' } };
    expect(await client.scepProfiles.editScepProfile(off)).toMatchObject({
      enableIntune: false,
      hasIntuneApplicationKey: false,
    });
  });

  it('require a certificate with an RSA key', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=ec.example' }));
    await expect(scep.add({ caCertificateUuid: uuid })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/caCertificateUuid: .*RSA is required/),
    });
  });
});
