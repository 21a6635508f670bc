// Authority provider written without the connector SDK: handwritten HTTP, as an author using another language would
// write it from the published interface. It issues real certificates; its state is in memory.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExternalAuthority, type ExternalAuthority } from '@signetry/connector-conformance';
import { readCertificate, readCertificationRequest, requestedAltNames } from '@signetry/pki';
import { definitionsOfAuthority, optionalDefinitions, PLAIN_KIND, problemsOf, type GivenValue } from './plain-forms.ts';
import { plainInfo } from './plain-info.ts';

export interface PlainCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly idempotencyKey: string | undefined;
}

export interface PlainResponse {
  readonly status: number;
  /** JSON; absent if there is no body. */
  readonly body?: unknown;
  /** Sent unchanged, instead of a body. */
  readonly text?: string;
}

/** Can change requests and responses. */
export type PlainFilter = (
  call: PlainCall,
  answer: (call: PlainCall) => Promise<PlainResponse>,
) => Promise<PlainResponse>;

export interface PlainAuthority {
  readonly url: string;
  close(): Promise<void>;
}

export async function startPlainAuthority(
  filter: PlainFilter = (call, answer) => answer(call),
): Promise<PlainAuthority> {
  const respond = createResponder();
  const server = createServer((request, response) => {
    readCall(request)
      .then((call) => filter(call, respond))
      .catch((error: unknown): PlainResponse => ({ status: 500, body: { message: String(error) } }))
      .then((given) => send(response, given))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listens on a TCP port
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readCall(request: IncomingMessage): Promise<PlainCall> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const key = request.headers['idempotency-key'];
  const [path = ''] = (request.url ?? '').split('?');
  return {
    method: request.method ?? '',
    path: decodeURIComponent(path),
    body: text === '' ? undefined : JSON.parse(text),
    headers: request.headers,
    idempotencyKey: Array.isArray(key) ? key[0] : key,
  };
}

function send(response: ServerResponse, { status, body, text }: PlainResponse): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)));
}

interface Authority {
  readonly uuid: string;
  name: string;
  readonly ca: ExternalAuthority;
  /** Fingerprints of issued certificates. */
  readonly issued: Set<string>;
}

/** Members of all request bodies. */
interface Body {
  readonly name?: unknown;
  readonly kind?: unknown;
  readonly attributes?: readonly GivenValue[];
  readonly raProfileAttributes?: readonly GivenValue[];
  readonly request?: string;
  readonly certificate?: string;
}

const ok = (body?: unknown): PlainResponse => ({ status: 200, ...(body === undefined ? {} : { body }) });
const missing = (what: string): PlainResponse => ({ status: 404, body: { message: `${what} does not exist.` } });
const rejection = (...problems: string[]): PlainResponse => ({ status: 422, body: problems });
/** Returns 422 with all problems, or the result of `then` if there are none. */
const rejectOrRun = (problems: readonly string[], then: () => PlainResponse | Promise<PlainResponse>) =>
  problems.length > 0 ? rejection(...problems) : then();

const fingerprint = (certificate: string): string =>
  createHash('sha256').update(Buffer.from(certificate, 'base64')).digest('hex');

/** Returns the handler of all calls. */
function createResponder(): (call: PlainCall) => Promise<PlainResponse> {
  const authorities = new Map<string, Authority>();
  const replayed = new Map<string, { readonly request: string; readonly answer: Promise<PlainResponse> }>();

  async function respond(call: PlainCall): Promise<PlainResponse> {
    const { method, path } = call;
    const body = (call.body ?? {}) as Body; // members are checked individually
    if (method === 'GET' && path === '/v1') return ok(plainInfo);
    if (method === 'GET' && path === '/v1/health') return ok({ status: 'ok', parts: { memory: { status: 'ok' } } });
    const [, kind, more] = /^\/v1\/authorityProvider\/([^/]+)\/attributes(\/validate)?$/.exec(path) ?? [];
    if (kind !== undefined) return respondToForm(kind, more === undefined ? undefined : (call.body as GivenValue[]));
    const [, flavour] = /^\/v1\/authorityProvider\/callbacks\/([^/]+)\/attributes$/.exec(path) ?? [];
    if (flavour !== undefined) return ok(optionalDefinitions);
    if (path === '/v1/authorityProvider/authorities')
      return method === 'POST' ? create(body) : ok([...authorities.values()].map(presentAuthority));
    const [, uuid = '', rest = ''] = /^\/v[12]\/authorityProvider\/authorities\/([^/]+)(.*)$/.exec(path) ?? [];
    const authority = authorities.get(uuid);
    return authority ? responseFor(authority, `${method} ${rest}`, { call, body }) : missing(`The authority ${uuid}`);
  }

  async function create(body: Body): Promise<PlainResponse> {
    const { name, kind, attributes } = body;
    if (typeof name !== 'string' || !Array.isArray(attributes))
      return { status: 400, body: { message: 'A name and attributes are required.' } };
    if (kind !== PLAIN_KIND) return missing(`The kind ${String(kind)}`);
    return rejectOrRun(problemsOf(definitionsOfAuthority, attributes as GivenValue[]), async () => {
      const ca = await createExternalAuthority(`CN=${subjectIn(attributes as GivenValue[])}`);
      const authority = { uuid: randomUUID(), name, ca, issued: new Set<string>() };
      authorities.set(authority.uuid, authority);
      return ok(presentAuthority(authority));
    });
  }

  function responseFor(authority: Authority, what: string, { call, body }: { call: PlainCall; body: Body }) {
    if (what === 'DELETE ') {
      authorities.delete(authority.uuid);
      return { status: 204 };
    }
    if (what.endsWith('ttributes')) return ok([]);
    if (what.endsWith('/validate')) return rejectOrRun(problemsOf([], call.body as GivenValue[]), () => ok());
    const handle = handlers[what];
    return handle ? handle(authority, body) : missing(call.path);
  }

  /** Repeats the response to the same call under the same key. */
  return (call) => {
    const { idempotencyKey: key } = call;
    if (key === undefined) return respond(call);
    const request = JSON.stringify([call.path, call.body]);
    const known = replayed.get(key);
    if (known)
      return known.request === request
        ? known.answer
        : Promise.resolve(rejection('The Idempotency-Key has already been used.'));
    const first = { request, answer: respond(call) };
    replayed.set(key, first);
    return first.answer;
  };
}

function respondToForm(kind: string, given: readonly GivenValue[] | undefined): PlainResponse | Promise<PlainResponse> {
  if (kind !== PLAIN_KIND) return missing(`The kind ${kind}`);
  return given === undefined
    ? ok(definitionsOfAuthority)
    : rejectOrRun(problemsOf(definitionsOfAuthority, given), () => ok());
}

const subjectIn = (attributes: readonly GivenValue[]): string =>
  String(attributes.find(({ name }) => name === 'data_commonName')?.content[0]?.data);

/** Omits the values, since one of them is secret. */
const presentAuthority = ({ uuid, name }: Authority) => ({ uuid, name, attributes: [] });

const handlers: Readonly<Record<string, (authority: Authority, body: Body) => PlainResponse | Promise<PlainResponse>>> =
  {
    'GET ': (authority) => ok(presentAuthority(authority)),
    'POST ': (authority, { name, attributes }) =>
      rejectOrRun(problemsOf(definitionsOfAuthority, attributes ?? []), () => {
        authority.name = String(name);
        return ok(presentAuthority(authority));
      }),
    'GET /connect': () => ok(),
    'POST /caCertificates': ({ ca }) =>
      ok({ certificates: [{ certificateData: Buffer.from(ca.der).toString('base64'), certificateType: 'X.509' }] }),
    'POST /certificates/issue': issue,
    'POST /certificates/renew': (authority, body) =>
      authority.issued.has(fingerprint(body.certificate ?? '')) ? issue(authority, body) : missing('The certificate'),
    'POST /certificates/identify': ({ issued }, { certificate = '' }) =>
      issued.has(fingerprint(certificate)) ? ok({ meta: [] }) : missing('The certificate'),
    'POST /certificates/revoke': ({ issued }, { certificate = '' }) =>
      issued.has(fingerprint(certificate)) ? ok() : missing('The certificate'),
  };

function issue({ ca, issued }: Authority, { request = '', attributes = [], raProfileAttributes = [] }: Body) {
  return rejectOrRun(problemsOf([], [...attributes, ...raProfileAttributes]), () => {
    const csr = readOrUndefined(() => readCertificationRequest(request));
    if (!csr) return rejection('Cannot read the CSR.');
    const dnsNames = requestedAltNames(csr).flatMap((name) => (name.kind === 'dNSName' ? [name.value] : []));
    const names = dnsNames.length > 0 ? { dnsNames } : {};
    const der = ca.issue({ subject: csr.subject, spki: csr.publicKey.spki, ...names });
    const certificateData = Buffer.from(readCertificate(der).der).toString('base64');
    issued.add(fingerprint(certificateData));
    return ok({ certificateData, certificateType: 'X.509', meta: [] });
  });
}

function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined; // for any reason
  }
}
