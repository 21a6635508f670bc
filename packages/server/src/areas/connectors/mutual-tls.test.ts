import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { connectorBaseOperations, type RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEgressGate } from '../../platform/net/egress.ts';
import { acceptAuthSettings, authenticationOf, presentAuthSettings } from './authentication.ts';
import { createHttpTransport } from './http-transport.ts';

/** P-256 key with a self-signed certificate for 127.0.0.1, valid until 2126, used by both sides. Password: test. */
const KEY_STORE = `
MIIELAIBAzCCA+IGCSqGSIb3DQEHAaCCA9MEggPPMIIDyzCCAoIGCSqGSIb3DQEHBqCCAnMwggJvAgEAMIICaAYJKoZIhvcNAQcBMFcGCSqGSI
b3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgx28SvLcG4qQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEA6o3KzbcQkqgdgvXhiBfTmA
ggIAmDQJ1lSt6jLq6J3jA9LbdpUm1DPsVAmvIsx9RDa9Qvr3XTJs6EuX20JiQ/ZcKkACl+lvtsPctiJp+tWTAfwHx09QoHB0kcgvsCRu06SHuv
ho27+MC/AkzxALCBl27EtKPR960XpDlqSuJ3sBwilvbRjnwU6KCCi9RMUbzbASTUYHkhKHc/WleJJ1GYSQE4lS1FzGBYsaKL3B5e9UnBy7r6Rx
nJ1zLyVgNisY4/UCFBPzAelZW4Ky4rIr9o+30peGCJWSqt11NFjDlO2zusAjWp3+VM5PxC2dBYByZ/8/6gAsX4159KCCZkKsgX+VI8hWG/z906
R7LSbJtjRmpNBspOoSmbQAgYnd7QQcqQP6rLS8ScyVmddshSlcBDwcdk8MsoNcUS5dwU8PVTUscKGEX4zbIs7uRB4dHHUSAqxjIQaxyivq4iRl
KFs/v3ff2uqFZIQnwRriWM9KdYhPYiN6YtE5GtU/s+1divHJYsWqM2hjDZSw1hITNXF23ld6GpYNdzMUhYygRQVv7MBpbWlpx7F/WEF24GP09G
u4RnC6uj2yJNyBPSLNOMJcV8MG+21bbLtOa2zi9ZDk0xvWtmvXMtGuffZcWTE+YVpknACiKGAVmFs/DoV/361ou8HP1Z1t8CSVpA53BMvVB/Ff
nsUdjmS3AF8gjA6KSmgoKLz6EkwwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ
0wSjApBgkqhkiG9w0BBQwwHAQIGAts+4z52JcCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDjM9NM8EVyhmKrE4FMYAHtBIGQh6m7
NtUZb+LiqReTpwmoF2RM4a/aqEe60c7jSMKtLrirli/uXcBY6AfF1S/X83590Vg7LpIJ46sEPdT5AEVfy/OyF/0JHRvE8n1GNr+hWIXV6F1i9J
dNdQt1p/pE06PiETdSb7sueBnsd7CVLsRwyfN/P89lSLtXa4RtU+HvRfHWlZFA1o4lHQDov7yRz1seMSUwIwYJKoZIhvcNAQkVMRYEFPrpEV8j
176B1LfY49VYzrxu4QtGMEEwMTANBglghkgBZQMEAgEFAAQgo5uHv9N0KYYMc/g7WUoJTU+IY9oo3h8AQ3xwiEJM8FsECFM4qcOfacEaAgIIAA
==
`;
const CERTIFICATE = `
-----BEGIN CERTIFICATE-----
MIIBmjCCAUCgAwIBAgIURnfiZuP8XS2MVgKAtv7iz+gyx+4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOY29ubmVjdG9yIHRlc3QwIBcNMjYxMTIwMTM0MTEzWhgPMjEy
NjEwMjcxMzQxMTNaMBkxFzAVBgNVBAMMDmNvbm5lY3RvciB0ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEJ6wkk/9WtFTUtEDKoM+euVd++ksG5xXWGZKYrAj+
qPjCPKIptDgT9IgGUR/el2gtzGcWQTrabM+RIXFMaphUUaNkMGIwHQYDVR0OBBYE
FO+55euvLaQVH4JPpVm12ur0tv9qMB8GA1UdIwQYMBaAFO+55euvLaQVH4JPpVm1
2ur0tv9qMA8GA1UdEQQIMAaHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjO
PQQDAgNIADBFAiA9j2yGmvcBRv9inChLR8FAUaLkDBf+YYGRv5v26kyDnQIhAM/n
36pGdUUKbjn+RJ+7t01JAEWT1YfCnIKab/cux+6Z
-----END CERTIFICATE-----
`;

const attribute = (
  name: string,
  contentType: RequestAttributeDto['contentType'],
  data: unknown,
): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: [{ data } as RequestAttributeDto['content'][number]], // callers pass data that matches the content type
});

const file = (content: string) => ({
  content: Buffer.from(content).toString('base64'),
  fileName: 'store',
  mimeType: 'application/octet-stream',
});

const settings = [
  attribute('keyStoreType', 'string', 'PKCS12'),
  attribute('keyStore', 'file', { ...file(''), content: KEY_STORE.replaceAll('\n', '') }),
  attribute('keyStorePassword', 'secret', { secret: 'test' }),
  attribute('trustStoreType', 'string', 'PEM'),
  attribute('trustStore', 'file', file(CERTIFICATE)),
];

const accept = (attributes: RequestAttributeDto[]) => acceptAuthSettings('certificate', attributes);

/** Serves the health operation, with the subject of the client certificate as the description. */
async function startServer(): Promise<string> {
  const server = createServer(
    {
      pfx: Buffer.from(KEY_STORE, 'base64'),
      passphrase: 'test',
      requestCert: true,
      ca: CERTIFICATE,
      rejectUnauthorized: true,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate(); // an HTTPS server has TLS sockets
      response.end(
        JSON.stringify({
          status: 'ok',
          description: `${String(subject.CN)} ${(request.socket as TLSSocket).getProtocol()}`,
        }),
      );
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // a listening TCP server has an address of this type
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function health(attributes: RequestAttributeDto[]): Promise<unknown> {
  const { headers, tls } = authenticationOf(await accept(attributes));
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const dispatcher = egress.dispatcher(tls ? { tls } : {});
  onTestFinished(() => dispatcher.destroy());
  return createHttpTransport({ url: await startServer(), egress, dispatcher, headers: () => headers }).call(
    connectorBaseOperations.checkHealth,
    {},
    {},
  );
}

describe('TLS client certificate authentication', () => {
  it('presents the certificate from the key store and verifies the connector against the trust store, over TLS 1.3', async () => {
    expect(await health(settings)).toEqual({ status: 'ok', description: 'connector test TLSv1.3' });
  });

  it("does not trust a connector whose certificate is not in the platform's trust store", async () => {
    await expect(health(settings.slice(0, 3))).rejects.toMatchObject({ kind: 'unreachable', outcome: 'notCarriedOut' });
  });

  it('is rejected if the password is wrong or the trust store is not PEM', async () => {
    const wrong = attribute('keyStorePassword', 'secret', { secret: 'wrong' });
    await expect(accept([...settings.slice(0, 2), wrong])).rejects.toThrow('Cannot open the key store');
    const noTrust = attribute('trustStore', 'file', file('nothing'));
    await expect(accept([...settings.slice(0, 4), noTrust])).rejects.toThrow('trust store');
  });

  it('is rejected immediately if the key store specifies too many iterations', async () => {
    // The last field of the file is the MAC iteration count. Changing it from 2048 to 2^31 - 1 makes it, and every
    // enclosing structure, two bytes longer.
    const der = Buffer.from(KEY_STORE, 'base64');
    const hostile = Buffer.concat([der.subarray(0, -4), Buffer.from('02047fffffff', 'hex')]);
    hostile.writeUInt16BE(der.readUInt16BE(2) + 2, 2);
    hostile.writeUInt8(der.readUInt8(der.length - 66) + 2, der.length - 66);
    const keyStore = attribute('keyStore', 'file', { ...file(''), content: hostile.toString('base64') });
    const begun = performance.now();
    await expect(accept([settings[0] ?? keyStore, keyStore, ...settings.slice(2)])).rejects.toThrow(
      'requires 2147483647 iterations',
    );
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('never returns the key store', async () => {
    const shown = JSON.stringify(presentAuthSettings(await accept(settings)));
    expect(shown).not.toContain(KEY_STORE.slice(1, 60));
    expect(shown).not.toContain('"test"');
    expect(shown).toContain('"fileName":"store"');
  });
});
