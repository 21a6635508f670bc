// A CA that signs with OpenSSL. The key is in ca.key and the certificate in ca.pem, both in the current folder.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  defineConnector,
  developmentContext,
  instancesInMemory,
  notFound,
  rejected,
  serveConnector,
} from '@signetry/connector-sdk';

const OPENSSL = 'x509 -req -inform DER -outform DER -CA ca.pem -CAkey ca.key -copy_extensions copy -days 30'.split(' ');
const caCertificate = new X509Certificate(readFileSync('ca.pem')).raw.toString('base64');
const issued = new Set<string>();

function sign(request: string) {
  try {
    const der = execFileSync('openssl', OPENSSL, { input: Buffer.from(request, 'base64'), stdio: 'pipe' });
    issued.add(der.toString('base64'));
    return { certificateData: der.toString('base64') };
  } catch {
    throw rejected('OpenSSL cannot sign this request.');
  }
}

const authorities = instancesInMemory('Authority');
const none = () => [];

const helloAuthority = defineConnector({
  name: 'hello-authority',
  functions: { authorityProvider: { kinds: ['Hello'] } },
  create: () => ({
    functions: {
      authorityProvider: {
        listAttributeDefinitions: none,
        listAuthorityInstances: authorities.list,
        createAuthorityInstance: authorities.create,
        getAuthorityInstance: authorities.get,
        updateAuthorityInstance: authorities.update,
        removeAuthorityInstance: authorities.remove,
        listRAProfileAttributes: none,
        listIssueCertificateAttributes: none,
        listRevokeCertificateAttributes: none,
        getCaCertificates: () => ({ certificates: [{ certificateData: caCertificate }] }),
        issueCertificate: ({ params, body }) => authorities.find(params.uuid) && sign(body.request),
        renewCertificate: ({ params, body }) => authorities.find(params.uuid) && sign(body.request),
        revokeCertificate: ({ body }) => {
          if (!issued.delete(body.certificate)) throw notFound('Certificate', 'that is to be revoked');
        },
      },
    },
  }),
});

const { url } = await serveConnector(helloAuthority, {
  port: Number(process.env['PORT'] ?? 9000),
  context: developmentContext(),
});
console.log(`Hello from ${url}`);
