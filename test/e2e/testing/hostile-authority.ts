// A connector whose authority responds to issuance calls as directed by a test: correctly, incorrectly, or not at all.
// A real HTTP server; by default it does not declare idempotency, so unanswered calls stay undecided.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { featureEndpoint, functionGroupSpecifications, IDEMPOTENCY_KEY_HEADER } from '@signetry/contract';
import { readCertificationRequest, requestedAltNames, type CertificationRequest, type Name } from '@signetry/pki';
import { createExternalAuthority, type ExternalAuthority } from './external-authority.ts';

export const HOSTILE_KIND = 'Hostile';

/** A requested certificate. */
export interface RequestedCertificate {
  readonly subject: Name;
  readonly spki: Uint8Array;
  /** Requested DNS names; absent if there are none. */
  readonly dnsNames?: readonly string[];
  /** Idempotency key of the request. */
  readonly key: string;
}

export type IssueResponse =
  | { readonly certificate: Uint8Array }
  | { readonly status?: number; readonly text: string }
  /** Resets the connection. */
  | 'reset'
  /** Never ends. */
  | 'endless';

export interface HostileAuthority {
  readonly url: string;
  readonly authority: ExternalAuthority;
  /** Decides the responses to issuance calls from now on. */
  onIssue(answer: (asked: RequestedCertificate) => IssueResponse | Promise<IssueResponse>): void;
  /** Returns a correct response. */
  issueProperly(asked: RequestedCertificate): IssueResponse;
  /** Number of CRL requests, which it never answers. */
  crlCalls(): number;
  close(): Promise<void>;
}

export async function startHostileAuthority(
  options: { readonly features?: readonly string[]; readonly name?: string; readonly isUnknown?: boolean } = {},
): Promise<HostileAuthority> {
  const { features = [], name = 'Hostile CA', isUnknown = false } = options;
  const authority = await createExternalAuthority(`CN=${name}`);
  const issueProperly = (asked: RequestedCertificate): IssueResponse => ({ certificate: authority.issue(asked) });
  let crlCalls = 0;
  let decide: (asked: RequestedCertificate) => IssueResponse | Promise<IssueResponse> = issueProperly;
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // A request without an encoding yields buffers.
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '' } = request;
    if (method === 'POST' && url.endsWith('/certificates/issue')) {
      // The platform sends this format.
      const csr = readCertificationRequest((JSON.parse(text) as { request: string }).request);
      const key = request.headers[IDEMPOTENCY_KEY_HEADER];
      send(
        response,
        await decide({ subject: csr.subject, spki: csr.publicKey.spki, ...dnsNamesOf(csr), key: String(key) }),
      );
      return;
    }
    if (url.endsWith('/crl')) {
      // Never answered.
      crlCalls += 1;
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const tells = isUnknown ? [] : [authority.der];
    response.end(JSON.stringify(defaultResponse(`${method} ${url}`, { tells, features })));
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // A listening TCP server has this address type.
    authority,
    onIssue: (answer) => {
      decide = answer;
    },
    issueProperly,
    crlCalls: () => crlCalls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function dnsNamesOf(csr: CertificationRequest): Pick<RequestedCertificate, 'dnsNames'> {
  const dnsNames = requestedAltNames(csr).flatMap((name) => (name.kind === 'dNSName' ? [name.value] : []));
  return dnsNames.length > 0 ? { dnsNames } : {};
}

/** Returns responses of the other authority provider operations: no attributes, and every call succeeds. */
function defaultResponse(
  call: string,
  { tells, features }: { readonly tells: readonly Uint8Array[]; readonly features: readonly string[] },
): unknown {
  if (call === 'GET /v1') return [declaration(features)];
  if (call === 'GET /v1/health') return { status: 'ok' };
  if (call === 'POST /v1/authorityProvider/authorities') return { uuid: 'hostile', name: 'hostile', attributes: [] };
  if (call.endsWith('/caCertificates'))
    return { certificates: tells.map((der) => ({ certificateData: Buffer.from(der).toString('base64') })) };
  return call.endsWith('ttributes') ? [] : undefined;
}

const declaration = (features: readonly string[]) => ({
  functionGroupCode: 'authorityProvider',
  kinds: [HOSTILE_KIND],
  endPoints: [
    ...functionGroupSpecifications.authorityProvider.endpoints.map(({ uuid, ...endpoint }) => ({
      uuid: uuid ?? '',
      ...endpoint,
    })),
    {
      uuid: '',
      name: 'getCaCertificates',
      method: 'POST',
      context: '/v1/authorityProvider/authorities/{uuid}/caCertificates',
      required: false,
    },
    ...features.map(featureEndpoint),
  ],
});

const CHUNK = Buffer.alloc(1024 * 1024, ' ');

function send(response: ServerResponse, answer: IssueResponse): void {
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const [status, text] =
    answer === 'endless'
      ? [200, '']
      : 'certificate' in answer
        ? [200, JSON.stringify({ certificateData: Buffer.from(answer.certificate).toString('base64') })]
        : [answer.status ?? 200, answer.text];
  response.writeHead(status, { 'content-type': 'application/json' });
  if (answer === 'endless') {
    // Yields to the event loop each time; otherwise the end of the connection would not be detected.
    const more = (): void => {
      if (!response.destroyed) response.write(CHUNK, () => setImmediate(more));
    };
    more();
    return;
  }
  response.end(text);
}
