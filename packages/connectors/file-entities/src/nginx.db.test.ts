// A real nginx: it serves the pushed certificate after a reload, and keeps the previous one if it rejects the new one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { LOCATION } from './index.ts';
import {
  addEntity,
  issueFor,
  issueInto,
  issuersValue,
  localValues,
  locationValues,
  makeRequest,
  push,
  rejectionOf,
  serialOf,
  startTestFiles,
  text,
} from './testing/test-files.ts';

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path)) ?? '';
const note = NGINX === '' ? ' (skipped: no nginx)' : '';

describe.skipIf(NGINX === '')(`nginx${note}`, async () => {
  if (NGINX === '') return;
  const { folder, authority, withContext } = await startTestFiles();
  const prefix = join(folder, 'nginx');
  await mkdir(join(prefix, 'logs'), { recursive: true });
  const reload = `${NGINX} -p ${prefix} -c nginx.conf -t && ${NGINX} -p ${prefix} -c nginx.conf -s reload`;
  const call = await withContext({ reloadCommands: { nginx: reload } });
  const entity = await addEntity(call, localValues);
  const first = {
    call,
    entity,
    location: locationValues({ key: 'nginx/server.key', fullChain: 'nginx/full.pem' }, issuersValue(authority.der)),
  };
  const place = { ...first, location: [...first.location, text(LOCATION.reloadCommand, 'nginx')] };

  const port = await freePort();
  await issueInto(first, authority);
  await writeFile(
    join(prefix, 'nginx.conf'),
    `daemon off; pid ${prefix}/nginx.pid; error_log ${prefix}/logs/error.log; worker_processes 1;
     events {}
     http { access_log off;
       server { listen 127.0.0.1:${port} ssl; ssl_certificate ${prefix}/full.pem; ssl_certificate_key ${prefix}/server.key;
         ssl_protocols TLSv1.3; } }`,
  );
  const child = spawn(NGINX, ['-p', prefix, '-c', 'nginx.conf', '-e', `${prefix}/logs/error.log`], { stdio: 'ignore' });
  afterAll(async () => {
    child.kill();
    await once(child, 'exit');
  });

  /** Returns the serial number of the served certificate, once it matches `isExpected`. */
  async function waitForCertificate(isExpected: (serial: string) => boolean): Promise<string> {
    for (;;) {
      const serial = await handshake(port).catch(() => undefined);
      if (serial !== undefined && isExpected(serial)) return serial;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('serves the pushed certificate after a reload', async () => {
    const certificate = await issueInto(place, authority);
    const serial = serialOf(certificate).toUpperCase();
    expect(await waitForCertificate((each) => each === serial)).toBe(serial);
  });

  it('keeps serving the previous certificate if it rejects the new one', async () => {
    const before = await issueInto(place, authority);
    const serial = serialOf(before).toUpperCase();
    await waitForCertificate((each) => each === serial);
    const conf = join(prefix, 'nginx.conf');
    const good = await readFile(conf, 'utf8');
    const [key, chain] = await Promise.all(
      ['server.key', 'full.pem'].map((name) => readFile(join(prefix, name), 'utf8')),
    );
    await writeFile(conf, good.replace('ssl_protocols', 'no_such_directive on; ssl_protocols'));
    const certificate = issueFor(authority, (await makeRequest(place)).csr);
    expect(await rejectionOf(push(place, certificate))).toMatch(
      /^422 The reload command "nginx" failed on this machine \(exit code 1: .*no_such_directive.*The previous files were restored/,
    );
    expect(await readFile(join(prefix, 'server.key'), 'utf8')).toBe(key);
    expect(await readFile(join(prefix, 'full.pem'), 'utf8')).toBe(chain);
    expect(await waitForCertificate((each) => each === serial)).toBe(serial);
    await writeFile(conf, good);
    await push(place, certificate);
    const next = serialOf(certificate).toUpperCase();
    expect(await waitForCertificate((each) => each === next)).toBe(next);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function handshake(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}
