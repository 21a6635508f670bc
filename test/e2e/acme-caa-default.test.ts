// CAA under a profile without CAA settings (ADR 0025): the authority is identified by the host name of its public URL.
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { defaultProfile } from './testing/profiles.ts';

const server = sharedTestServer({ args: async () => ['--public-url=https://pki.acme-users.org'] });

async function readCaaIdentities(name: string): Promise<unknown> {
  const reply = await fetch(`${server.ready.http}/api/v1/protocols/acme/${name}/directory`);
  const { meta } = (await reply.json()) as { meta: { caaIdentities: unknown } }; // RFC 8555 §7.1.1
  return meta.caaIdentities;
}

describe('the directory of an authority with a public name', () => {
  it('advertises that name as its CAA identity, unless the profile specifies otherwise', async () => {
    const { raProfileUuid } = await defaultProfile(server.client);
    const body = { raProfileUuid, issueCertificateAttributes: [], revokeCertificateAttributes: [] };
    for (const [name, caaIdentities] of Object.entries({ listed: ['ca.example'], off: [] })) {
      const { uuid } = await server.client.acmeProfiles.createAcmeProfile({ body: { ...body, name, caaIdentities } });
      await server.client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
    }
    expect(await readCaaIdentities('default')).toEqual(['pki.acme-users.org']);
    expect(await readCaaIdentities('listed')).toEqual(['ca.example']);
    expect(await readCaaIdentities('off')).toEqual([]);
  });
});
