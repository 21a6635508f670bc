// An EST client over real sockets, with any certificate, password and headers that a test needs.
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { PEM_LABELS, readDerOrPem, readPkcs7, writePem } from '@signetry/pki';
import type { KeyPair } from '@signetry/pki/node';
import type { TestServer } from '@signetry/testkit/platform';
import { expect } from 'vitest';
import { defaultProfile } from './profiles.ts';
import { send, type RawResponse, type RawRequest } from './raw-request.ts';
import { makeRequest } from './requests.ts';

/** A certificate with its key, in the form that TLS uses. */
export interface EstIdentity {
  readonly cert: string;
  readonly key: string;
  readonly der: Uint8Array;
  readonly keys: KeyPair;
}

export interface EstRequestSpec extends Omit<RawRequest, 'tls'> {
  readonly profile?: string;
  /** A username and password. */
  readonly auth?: string;
  readonly identity?: EstIdentity;
}

export const DEVICE = 'device:correct horse battery';
const PKCS10 = { 'content-type': 'application/pkcs10' };

export const identityOf = (der: Uint8Array, keys: KeyPair): EstIdentity => ({
  cert: writePem('CERTIFICATE', der),
  key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  der,
  keys,
});

/** Returns a CSR for a common name, in Base64. */
export async function estRequest(
  commonName: string,
  options: { readonly keys?: KeyPair; readonly challengePassword?: string } = {},
): Promise<string> {
  const { der } = await makeRequest({ subject: `CN=${commonName}`, ...options });
  return Buffer.from(der).toString('base64');
}

export class EstClient {
  readonly #server: Pick<TestServer, 'client' | 'ready'>;

  constructor(server: Pick<TestServer, 'client' | 'ready'>) {
    this.#server = server;
  }

  get #client(): Client {
    return this.#server.client;
  }

  /** Creates an enabled profile under the default RA profile, with a user, and returns its name. */
  async serve(settings: object = {}): Promise<string> {
    const name = `est-${randomUUID()}`;
    const { raProfileUuid } = await defaultProfile(this.#client);
    const [username = '', password = ''] = DEVICE.split(':');
    const body = { name, raProfileUuid, users: [{ username, password }], ...settings };
    const { uuid: estProfileUuid } = await this.#client.estProfiles.createEstProfile({ body });
    await this.#client.estProfiles.enableEstProfile({ params: { estProfileUuid } });
    return name;
  }

  /** Sends a request over HTTPS. */
  async ask(operation: string, { profile = '', auth, identity, ...request }: EstRequestSpec): Promise<RawResponse> {
    const { https, rootCertificate } = this.#server.ready;
    const tls = { ca: await readFile(rootCertificate, 'utf8'), cert: identity?.cert, key: identity?.key };
    const authorization = auth && `Basic ${Buffer.from(auth).toString('base64')}`;
    const headers = { ...PKCS10, ...(authorization && { authorization }), ...request.headers };
    const base = https.replace('localhost', '127.0.0.1');
    return send(base, `/.well-known/est/${profile}/${operation}`, { method: 'POST', ...request, headers, tls });
  }

  /** Returns a certificate that the profile issued for the password. */
  async enrolled(commonName: string, profile: string): Promise<EstIdentity> {
    const { der, keys } = await makeRequest({ subject: `CN=${commonName}` });
    const answer = await this.ask('simpleenroll', { profile, auth: DEVICE, body: der });
    expect(answer).toMatchObject({ status: 200 });
    return identityOf(issuedIn(answer), keys);
  }

  /** Returns the number of certificates in the inventory, with a common name or in total. */
  async count(commonName?: string): Promise<number> {
    const { certificates } = await this.#client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    return certificates.filter((each) => commonName === undefined || each.commonName === commonName).length;
  }

  async uuidOf(commonName: string): Promise<string> {
    const { certificates } = await this.#client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    return certificates.find((each) => each.commonName === commonName)?.uuid ?? expect.fail(`no ${commonName}`);
  }

  async root(): Promise<Uint8Array> {
    return readDerOrPem(await readFile(this.#server.ready.rootCertificate), PEM_LABELS.certificate);
  }
}

/** Returns the certificate from a response. */
export const issuedIn = ({ text }: RawResponse): Uint8Array =>
  readPkcs7(Buffer.from(text, 'base64'))[0] ?? expect.fail('no certificate');
