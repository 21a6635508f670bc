// Shared secrets and challenge passwords: short ones are rejected, generated ones are shown once, and the rest of the
// profile is unchanged.
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
  description: 'factory devices',
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

it('cmp-profiles set-secret --generate prints a random secret once, and leaves the rest of the profile unchanged', async () => {
  const { code, out, err, sent } = await ask(['cmp-profiles', 'set-secret', 'devices', '--generate']);
  expect(code).toBe(0);
  const [, secret = ''] = /^SECRET=([0-9a-z]{32})$/.exec(out.trim()) ?? [];
  expect(err).toBe('Replaced the shared secret of CMP profile "devices". It is not shown again.');
  expect(sent).toEqual({
    name: 'devices',
    variant: 'v3',
    description: 'factory devices',
    raProfileUuid: uuid,
    requestProtectionMethod: 'sharedSecret',
    responseProtectionMethod: 'sharedSecret',
    certificateAssociations: kept,
    sharedSecret: secret,
  });
});

it('scep-profiles set-challenge reads the challenge password from a file, and never prints it', async () => {
  const { code, out, err, sent } = await ask(['scep-profiles', 'set-challenge', uuid], 'challenge-of-office-1');
  expect([code, out]).toEqual([0, '']);
  expect(err).toBe('Replaced the challenge password of SCEP profile "devices".');
  expect(sent).toEqual({
    caCertificateUuid: uuid,
    includeCaCertificate: true,
    includeCaCertificateChain: false,
    renewalThreshold: 14,
    raProfileUuid: uuid,
    certificateAssociations: kept,
    challengePassword: 'challenge-of-office-1',
  });
});

it.each([
  [['cmp-profiles', 'set-secret'], 'fifteen letters', 'The shared secret has 15 bytes; it must have at least 16.'],
  [['scep-profiles', 'set-challenge'], 'öööö', 'The challenge password has 8 bytes; it must have at least 16.'],
])('%j rejects the short secret %j and suggests generating one', async (words, secret, problem) => {
  const { code, err, sent } = await ask([...words, 'devices'], secret);
  expect([code, sent]).toEqual([2, undefined]);
  expect(err).toContain(problem);
  expect(err).toContain('--generate');
});

it('an unknown profile results in an error that lists the existing profiles', async () => {
  const { code, err, sent } = await ask(['cmp-profiles', 'set-secret', 'device', '--generate']);
  expect([code, sent]).toEqual([1, undefined]);
  expect(err).toContain('CMP profile "device" not found');
  expect(err).toContain('CMP profiles: devices.');
});
