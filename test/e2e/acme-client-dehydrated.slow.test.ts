// dehydrated, in shell with curl and openssl: certificates by http-01 from a web root and by dns-01, renewal,
// revocation.
import { X509Certificate } from 'node:crypto';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  namesIn,
  serveWebRoot,
  sharedForeignClientServer,
  stateOf,
  writeDnsHook,
} from './testing/foreign-acme-clients.ts';
import { skipNote, STORY_TIMEOUT_MS, succeed, versionOf } from './testing/foreign-programs.ts';

const VERSION = versionOf('dehydrated');
const server = await sharedForeignClientServer();
const { acme, folder } = server;
const webRoot = join(folder, 'challenges');
const configuration = join(folder, 'config');
let hook: string;
let web: Server;

const dehydrated = (...args: readonly string[]) =>
  succeed('dehydrated', ['--config', configuration, ...args], { folder, environment: { DNS_URL: server.dnsUrl } });

const certificateOf = async (name: string): Promise<X509Certificate> =>
  new X509Certificate(await readFile(join(folder, 'certs', name, 'cert.pem')));

beforeAll(async () => {
  const lines = {
    CA: acme.server.ready.acmeDirectory,
    BASEDIR: folder,
    WELLKNOWN: webRoot,
    CONTACT_EMAIL: 'admin@example.com',
    CURL_OPTS: `"--cacert ${acme.server.ready.rootCertificate}"`,
  };
  await writeFile(
    configuration,
    Object.entries(lines).map(([name, value]) => `${name}=${value}\n`),
  );
  hook = await writeDnsHook(folder);
  web = await serveWebRoot(webRoot, server.httpPort);
});

afterAll(() => void web.close());

describe.skipIf(VERSION === undefined)(
  `dehydrated${skipNote('dehydrated', VERSION)}`,
  { timeout: STORY_TIMEOUT_MS },
  () => {
    beforeAll(async () => {
      await dehydrated('--register', '--accept-terms');
    });

    it('gets a certificate for multiple names, renews and revokes it', async () => {
      const hosts = [acme.host('several'), acme.host('several')];
      const [first = ''] = hosts;
      const names = hosts.flatMap((host) => ['--domain', host]);
      await dehydrated('--cron', ...names);
      const certificate = await certificateOf(first);
      expect(namesIn(certificate)).toEqual(hosts.toSorted());
      await dehydrated('--cron', '--force', ...names);
      const renewed = await certificateOf(first);
      expect(renewed.serialNumber).not.toBe(certificate.serialNumber);
      await dehydrated('--revoke', await realpath(join(folder, 'certs', first, 'cert.pem')));
      expect(await stateOf(acme, renewed)).toBe('revoked: unspecified');
    });

    it('gets a wildcard certificate with dns-01', async () => {
      const host = acme.host('wild');
      await dehydrated('--cron', '--domain', `*.${host}`, '--alias', 'wild', '--challenge', 'dns-01', '--hook', hook);
      expect(namesIn(await certificateOf('wild'))).toEqual([`*.${host}`]);
    });
  },
);
