import { toBase64 } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { authorityInstanceUuid, uuid, profile, DETAIL } from '../testing/certificate-requests.ts';
import { run, startFakePlatform } from '../testing/fake-platform.ts';

describe('certificates renew', () => {
  const RENEW = `POST /v2/operations/authorities/${authorityInstanceUuid}/raProfiles/${profile.uuid}/certificates/${uuid}/renew`;
  const renewedUuid = '0197b1f4-4444-7cc2-9d4e-2f6a7b8c9d0e';
  const certificate = { uuid, commonName: 'a.example', subjectDn: 'CN=a.example', state: 'issued', raProfile: profile };

  async function renew(renewed: Readonly<Record<string, unknown>>, args: readonly string[] = []) {
    const platform = await startFakePlatform({
      [DETAIL]: { body: certificate },
      [RENEW]: { body: { uuid: renewedUuid, certificateData: '' } },
      [`GET /v1/certificates/${renewedUuid}`]: { body: { ...certificate, uuid: renewedUuid, ...renewed } },
      [`GET /v1/certificates/${renewedUuid}/history`]: {
        body: [{ created: '', status: 'FAILED', message: 'Key is revoked' }],
      },
    });
    return { ...(await run(['certificates', 'renew', uuid, '--data', platform.data, ...args])), asked: platform.asked };
  }

  it('shows the new certificate', async () => {
    const { code, out, asked } = await renew({ certificateContent: toBase64(new Uint8Array([0x30, 0])) });
    expect(code).toBe(0);
    expect(out).toContain(renewedUuid);
    expect(asked[1]).toMatchObject({ method: 'POST', body: {} });
  });

  it("fails with the platform's error message", async () => {
    const { code, err } = await renew({ state: 'failed' });
    expect(code).toBe(1);
    expect(err).toContain('Key is revoked');
    expect(err).toContain(`signetry certificates show ${renewedUuid}`);
  });
});
