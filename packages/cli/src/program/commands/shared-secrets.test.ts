// Shared secrets and challenge passwords: short ones are rejected, generated ones are shown once, and the rest of the
// profile stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, startFakePlatform } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const raProfile = { uuid, name: 'default', enabled: true, authorityInstanceUuid: uuid };
const customAttribute = {
  uuid,
  name: 'site',
  label: 'Site',
  type: 'custom',
  contentType: 'string',
  content: [{ data: 'Bern' }],
};
const certificateAssociations = { ownerUuid: uuid, groupUuids: [uuid], customAttributes: [customAttribute] };
const kept = {
  ownerUuid: uuid,
  groupUuids: [uuid],
  customAttributes: [{ uuid, name: 'site', contentType: 'string', content: [{ data: 'Bern' }] }],
};

const cmp = {
  uuid,
  name: 'devices',
  enabled: true,
  variant: 'v3',
  description: 'of the factory',
  raProfile,
  requestProtectionMethod: 'sharedSecret',
  responseProtectionMethod: 'sharedSecret',
  certificateAssociations,
};
const certificate = { uuid, commonName: 'scep.example' };
const scep = {
  uuid,
  name: 'devices',
  enabled: true,
  raProfile,
  includeCaCertificate: true,
  includeCaCertificateChain: false,
  renewThreshold: 14,
  caCertificate: certificate,
  certificateAssociations,
};

const replies = {
  'GET /v1/cmpProfiles': { body: [cmp] },
  [`GET /v1/cmpProfiles/${uuid}`]: { body: cmp },
  [`PUT /v1/cmpProfiles/${uuid}`]: { body: cmp },
  'GET /v1/scepProfiles': { body: [scep] },
  [`GET /v1/scepProfiles/${uuid}`]: { body: scep },
  [`PUT /v1/scepProfiles/${uuid}`]: { body: scep },
};

async function ask(args: readonly string[], secret?: string) {
  const platform = await startFakePlatform(replies);
  const file = join(platform.data, 'secret');
  if (secret !== undefined) writeFileSync(file, `${secret}\n`);
  const ran = await run([...args, ...(secret === undefined ? [] : ['--secret-file', file]), '--data', platform.data]);
  const sent = platform.asked.find(({ method }) => method === 'PUT')?.body;
  return { ...ran, sent };
}

it('cmp-profiles set-secret --generate shows a random secret once, and keeps the rest of the profile', async () => {
  const { code, out, err, sent } = await ask(['cmp-profiles', 'set-secret', 'devices', '--generate']);
  expect(code).toBe(0);
  const [, secret = ''] = /^SECRET=([0-9a-z]{32})$/.exec(out.trim()) ?? [];
  expect(err).toBe('The shared secret of the CMP profile devices is replaced. It is not shown again.');
  expect(sent).toEqual({
    name: 'devices',
    variant: 'v3',
    description: 'of the factory',
    raProfileUuid: uuid,
    requestProtectionMethod: 'sharedSecret',
    responseProtectionMethod: 'sharedSecret',
    certificateAssociations: kept,
    sharedSecret: secret,
  });
});

it('scep-profiles set-challenge takes the challenge from a file, and shows it nowhere', async () => {
  const { code, out, err, sent } = await ask(['scep-profiles', 'set-challenge', uuid], 'a challenge of the office');
  expect([code, out]).toEqual([0, '']);
  expect(err).toBe('The challenge password of the SCEP profile devices is replaced.');
  expect(sent).toEqual({
    caCertificateUuid: uuid,
    includeCaCertificate: true,
    includeCaCertificateChain: false,
    renewalThreshold: 14,
    raProfileUuid: uuid,
    certificateAssociations: kept,
    challengePassword: 'a challenge of the office',
  });
});

it.each([
  [['cmp-profiles', 'set-secret'], 'fifteen letters', 'The shared secret has 15 octets; at least 16 are needed.'],
  [['scep-profiles', 'set-challenge'], 'öööö', 'The challenge password has 8 octets; at least 16 are needed.'],
])('%j rejects the short secret %j and offers a random one', async (words, secret, problem) => {
  const { code, err, sent } = await ask([...words, 'devices'], secret);
  expect([code, sent]).toEqual([2, undefined]);
  expect(err).toContain(problem);
  expect(err).toContain('--generate');
});

it('a profile that is not there is named with those that are', async () => {
  const { code, err, sent } = await ask(['cmp-profiles', 'set-secret', 'device', '--generate']);
  expect([code, sent]).toEqual([1, undefined]);
  expect(err).toContain('There is no CMP profile device');
  expect(err).toContain('CMP profiles: devices.');
});
