// Revocation requests from Intune, and the results reported to it.
import { normalizeName, parseCertificate } from '@signetry/pki';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { AppError } from '../../../kernel/errors.ts';
import { foundCertificate, NOW } from '../testing/scep-ports.ts';
import { RA_PROFILE } from '../testing/served-profile.ts';
import type { RevocationRequest } from './client.ts';
import { IntuneFault } from './faults.ts';
import { run, type RevocationFixture } from './testing/revocation-fixture.ts';

const PROFILE = 'profile-uuid';
const ISSUER = 'CN=issuer.example,O=Test';
let device: TestCertificate;
let otherIssuer: TestCertificate;
let issuerName: string;

beforeAll(async () => {
  const issuer = await makeRoot('issuer.example');
  otherIssuer = await makeRoot('other.example');
  device = await makeCertificate('device.example', { issuer, serialNumber: '0abc' });
  issuerName = normalizeName(parseCertificate(device.der).issuer);
});

let world: RevocationFixture;
beforeEach(() => {
  world = {
    profiles: [{ uuid: PROFILE, tenant: 'contoso.example' }],
    inventory: [found()],
    issuerNames: [issuerName],
    requests: [{ requestContext: 'c', serialNumber: '0ABC', issuerName: ISSUER }],
    authorityUuid: RA_PROFILE.authorityUuid,
    download: () => undefined,
    revoke: () => undefined,
    uploaded: [],
    revoked: [],
    errors: [],
  };
});

const found = (facts: Partial<FoundCertificate> = {}): FoundCertificate =>
  foundCertificate(device.der, { uuid: 'mine', protocol_profile_uuid: PROFILE, ...facts });

const summaryText = (revokedCount: number, failed = 0, left = 0) =>
  `Revoked: ${revokedCount}. Not revoked: ${failed}. Left to other authorities: ${left}.`;
const SUCCESS = { requestContext: 'c', succeeded: true, errorCode: 0, errorMessage: '' };
const failure = (errorCode: number, errorMessage: string) => ({
  ...SUCCESS,
  succeeded: false,
  errorCode,
  errorMessage,
});

describe('a revocation request', () => {
  it('revokes the certificate without a reason, and reports success', async () => {
    expect(await run(world)).toBe(summaryText(1));
    expect(world.revoked).toEqual([
      {
        authorityUuid: RA_PROFILE.authorityUuid,
        raProfileUuid: RA_PROFILE.uuid,
        certificateUuid: 'mine',
        reason: 'unspecified',
        attributes: [],
      },
    ]);
    expect(world.uploaded).toEqual([[SUCCESS]]);
  });

  it.each(['abc', '0ABC', '00 0a:bc', '0A-BC'])(
    'can contain the serial number in any form: %s',
    async (serialNumber) => {
      world.requests = [{ serialNumber }];
      expect(await run(world)).toBe(summaryText(1));
    },
  );

  it.each([ISSUER, 'cn=ISSUER.example,o=test', 'CN=issuer.example, O=Test', ''])(
    'can contain the issuer in any form, or omit it: "%s"',
    async (name) => {
      world.requests = [{ serialNumber: 'abc', issuerName: name }];
      expect(await run(world)).toBe(summaryText(1));
    },
  );

  it('succeeds if the certificate is already revoked', async () => {
    world.inventory = [found({ state: 'revoked' })];
    expect(await run(world)).toBe(summaryText(1));
    expect([world.revoked, world.uploaded]).toEqual([[], [[SUCCESS]]]);
  });

  const UNKNOWN = 'No certificate with this serial number was issued for the tenant.';
  it.each<[string, () => FoundCertificate[], Partial<RevocationRequest>]>([
    ['it is not in the inventory', () => [], {}],
    ['it was issued under a different profile', () => [found({ protocol_profile_uuid: 'another' })], {}],
    ['it was issued without a profile', () => [found({ protocol_profile_uuid: null })], {}],
    ['its issuer is different', () => [found({ der: Buffer.from(otherIssuer.der) })], {}],
    ['the serial number is missing', () => [found()], { serialNumber: '' }],
    ['the serial number cannot be parsed', () => [found()], { serialNumber: 'abc; DROP TABLE' }],
  ])('reports that the certificate was not found if %s', async (_what, inventory, request) => {
    world.inventory = inventory();
    world.requests = world.requests.map((each) => ({ ...each, ...request }));
    expect(await run(world)).toBe(summaryText(0, 1));
    expect([world.revoked, world.uploaded]).toEqual([[], [[failure(4004, UNKNOWN)]]]);
  });

  it.each(['CN=Another CA of the tenant', 'no name at all', '='])(
    'for a different authority in the tenant is skipped: %s',
    async (name) => {
      world.requests = [{ ...world.requests[0], issuerName: name }];
      expect(await run(world)).toBe(summaryText(0, 0, 1));
      expect([world.revoked, world.uploaded]).toEqual([[], []]);
    },
  );

  it('is rejected permanently if the certificate has expired or no longer has an authority', async () => {
    world.inventory = [found({ not_after: new Date(NOW.getTime() - 1) })];
    await run(world);
    world.inventory = [found({ not_after: NOW })];
    await run(world);
    world.authorityUuid = undefined;
    await run(world);
    const orphaned = failure(4000, 'The certificate no longer has an RA profile with an authority.');
    expect(world.uploaded).toEqual([[failure(4000, 'The certificate has expired.')], [SUCCESS], [orphaned]]);
  });

  it('is reported as retryable if the platform rejects it or fails', async () => {
    world.revoke = () => {
      throw new AppError('unavailable', { reason: 'x'.repeat(300) });
    };
    await run(world);
    const words = `The platform cannot do this now: ${'x'.repeat(300)}`.slice(0, 255);
    world.revoke = () => {
      throw new TypeError('broken');
    };
    await run(world);
    const failed = failure(4100, 'The platform could not revoke the certificate; see its log.');
    expect(world.uploaded).toEqual([[failure(4100, words)], [failed]]);
    expect(world.errors).toMatchObject([{ serialNumber: '0ABC' }]);
  });
});

describe('revocations for all tenants', () => {
  it('do nothing if no profile uses Intune', async () => {
    world.profiles = [];
    expect(await run(world)).toBe('No SCEP profile uses Microsoft Intune.');
  });

  it('upload no results if there are no requests', async () => {
    world.requests = [];
    expect([await run(world), world.uploaded]).toEqual([summaryText(0), []]);
  });

  it('are downloaded once for all profiles with the same tenant and application, regardless of case', async () => {
    const asked: string[] = [];
    world.download = (tenant) => void asked.push(tenant);
    world.profiles = [
      { uuid: 'a', tenant: 'contoso.example' },
      { uuid: PROFILE, tenant: 'Contoso.Example', applicationId: 'APP' },
      { uuid: 'c', tenant: 'contoso.example', applicationId: 'another' },
    ];
    expect(await run(world)).toBe(summaryText(1, 1));
    expect(asked).toEqual(['contoso.example', 'contoso.example']);
  });

  it('continue with the other tenants if one does not respond, and fail at the end', async () => {
    world.profiles = [{ uuid: 'a', tenant: 'down.example' }, ...world.profiles];
    world.download = (tenant) => {
      if (tenant === 'down.example') throw new IntuneFault('Microsoft Intune returned status 503');
    };
    await expect(run(world)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: ['Tenant down.example: Microsoft Intune returned status 503.', summaryText(1)] },
    });
    expect(world.uploaded).toEqual([[SUCCESS]]);
  });

  it('stop when the platform stops, and upload the results obtained so far', async () => {
    const stop = new AbortController();
    world.requests = Array.from({ length: 20 }, () => ({ requestContext: 'c', serialNumber: 'abc' }));
    world.revoke = () => stop.abort();
    expect(await run(world, stop.signal)).toBe(summaryText(8));
    expect(world.uploaded.map((results) => results.length)).toEqual([8]);
  });
});
