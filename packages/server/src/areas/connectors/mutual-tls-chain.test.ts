// A connector that trusts only a root and requires a client certificate: the platform must send the intermediate.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { connectorBaseOperations, type RequestAttributeDto } from '@signetry/contract';
import {
  basicConstraintsExtension,
  buildName,
  keyUsageExtension,
  subjectAltNameExtension,
  writePem,
  type Certificate,
} from '@signetry/pki';
import { exportPrivateKey, exportPrivateKeyPem, generateKeyPair, type KeyPair } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEgressGate } from '../../platform/net/egress.ts';
import { certify, createCa, type TestCa } from '../revocation/testing/ca.ts';
import { acceptAuthSettings, authenticationOf } from './authentication.ts';
import { createHttpTransport } from './http-transport.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'test';

interface Holder {
  readonly keys: KeyPair;
  readonly certificate: Certificate;
}

let root: TestCa;
let intermediate: Holder;
let client: Holder;
let serverHolder: Holder;

/** Generates a key and issues a certificate for it, signed by the issuer. */
async function under(issuer: Holder, name: string, { ca }: { readonly ca: boolean }): Promise<Holder> {
  const keys = await generateKeyPair('P-256');
  const now = Date.now();
  const certificate = await certify(issuer.keys, {
    subject: buildName([{ type: 'CN', value: name }]),
    issuer: issuer.certificate.subject,
    spki: keys.spki,
    notBeforeMs: now - HOUR_MS,
    notAfterMs: now + HOUR_MS,
    extensions: [
      basicConstraintsExtension({ ca }),
      keyUsageExtension(ca ? ['keyCertSign', 'cRLSign'] : ['digitalSignature']),
      ...(ca ? [] : [subjectAltNameExtension([{ kind: 'iPAddress', octets: Uint8Array.of(127, 0, 0, 1) }])]),
    ],
  });
  return { keys, certificate };
}

beforeAll(async () => {
  root = await createCa('Connector Root', { keys: await generateKeyPair('P-256'), now: new Date() });
  intermediate = await under(root, 'Connector Intermediate', { ca: true });
  client = await under(intermediate, 'Platform', { ca: false });
  serverHolder = await under(root, 'Connector', { ca: false });
});

const pem = ({ certificate }: Pick<Holder, 'certificate'>): string => writePem('CERTIFICATE', certificate.der);

/** Returns the client's subject as the description; rejects clients without a certificate under the root. */
async function startConnector(): Promise<string> {
  const server = createServer(
    {
      key: await exportPrivateKeyPem(serverHolder.keys.privateKey),
      cert: pem(serverHolder),
      ca: pem(root),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate(); // an HTTPS server has TLS sockets
      response.end(JSON.stringify({ status: 'ok', description: String(subject.CN) }));
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

/** `data` must match the content type. */
const attribute = (name: string, contentType: RequestAttributeDto['contentType'], data: unknown) =>
  ({ uuid: '00000000-0000-4000-8000-000000000000', name, contentType, content: [{ data }] }) as RequestAttributeDto;
const file = (content: Uint8Array | string) => ({
  content: Buffer.from(content).toString('base64'),
  fileName: 'store',
  mimeType: 'application/octet-stream',
});

/** Checks the connector's health with these certificates after the platform's own in the key store. */
async function health(above: readonly Holder[]): Promise<unknown> {
  const keyStore = await writePkcs12({
    privateKey: exportPrivateKey(client.keys.privateKey),
    chain: [client, ...above].map(({ certificate }) => certificate.der),
    friendlyName: 'platform',
    password: PASSWORD,
  });
  const settings = [
    attribute('keyStoreType', 'string', 'PKCS12'),
    attribute('keyStore', 'file', file(keyStore)),
    attribute('keyStorePassword', 'secret', { secret: PASSWORD }),
    attribute('trustStoreType', 'string', 'PEM'),
    attribute('trustStore', 'file', file(pem(root))),
  ];
  const { tls } = authenticationOf(await acceptAuthSettings('certificate', settings));
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const dispatcher = egress.dispatcher(tls ? { tls } : {});
  onTestFinished(() => dispatcher.destroy());
  const url = await startConnector();
  return createHttpTransport({ url, egress, dispatcher, headers: () => ({}) }).call(
    connectorBaseOperations.checkHealth,
    {},
    {},
  );
}

describe('a client certificate issued by an intermediate', () => {
  it('is sent with its chain, which the connector verifies up to the root', async () => {
    expect(await health([intermediate])).toEqual({ status: 'ok', description: 'Platform' });
  });

  it('is rejected by the connector if its chain is not sent', async () => {
    await expect(health([])).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
