// A fake connector: a real HTTP server on loopback, each of whose responses a test can change, including to faults. It
// offers authorities of the kind `Fake` and records the calls it receives.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  featureEndpoint,
  functionGroupOperations,
  functionGroupSpecifications,
  type FunctionGroupCode,
  type Operation,
} from '@signetry/contract';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A response, or a way of not sending one. */
export type Behavior =
  | {
      readonly status?: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'hang'
  /** Does the work, then resets the connection. */
  | 'reset'
  /** Closes the connection in the middle of the response. */
  | 'truncate'
  | 'endless';

export type Respond = (call: ReceivedCall) => Behavior | Promise<Behavior>;

export interface FakeConnector {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** Changes the response to `METHOD path`; a path segment `*` matches anything. Later rules take precedence. */
  on(rule: string, respond: Behavior | Respond): void;
  callsTo(rule: string): ReceivedCall[];
  close(): Promise<void>;
}

/** Returns all endpoints of a function group: the published ones, which platforms require, and the others. */
function endPointsOf(code: FunctionGroupCode) {
  const published = functionGroupSpecifications[code].endpoints;
  const others = Object.entries<Operation>(functionGroupOperations[code])
    .filter(([name]) => !published.some((endpoint) => endpoint.name === name))
    .map(([name, { method, path: context }]) => ({ name, method, context, required: false }));
  return [...published, ...others].map((endpoint) => ({ uuid: '', ...endpoint }));
}

export const infoOf = (code: FunctionGroupCode, kinds: string[], features?: string[]) => ({
  functionGroupCode: code,
  kinds,
  endPoints: [...endPointsOf(code), ...(features ?? []).map(featureEndpoint)],
});

const dataAttribute = (uuid: string, name: string, facts: object = {}) => ({
  version: 2,
  uuid,
  name,
  type: 'data',
  contentType: 'string',
  properties: {
    label: `Label of ${name}`,
    visible: true,
    required: false,
    readOnly: false,
    list: false,
    multiSelect: false,
  },
  ...facts,
});

const ADDRESS = dataAttribute('11111111-0000-4000-8000-000000000001', 'data_address');
export const PASSWORD = dataAttribute('11111111-0000-4000-8000-000000000002', 'data_password', {
  contentType: 'secret',
});
export const CRL_URL = dataAttribute('22222222-0000-4000-8000-000000000001', 'data_crlUrl', {
  constraints: [{ type: 'regExp', data: 'https?://.+' }],
});

export async function startFakeConnector(): Promise<FakeConnector> {
  const calls: ReceivedCall[] = [];
  const rules: { method: string; path: RegExp; respond: Respond }[] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request without encoding yields buffers
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = request;
    const call: ReceivedCall = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
    calls.push(call);
    const rule = rules.find((known) => known.method === method && known.path.test(url));
    misbehaveOrRespond(response, rule ? await rule.respond(call) : { status: 404, body: { message: 'unknown' } });
  }

  const on: FakeConnector['on'] = (rule, respond) => {
    rules.unshift({ ...parseRule(rule), respond: typeof respond === 'function' ? respond : () => respond });
  };
  addAuthorityProvider(on);

  return {
    // a listening TCP server has an address of this type
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    on,
    callsTo: (text) => {
      const rule = parseRule(text);
      return calls.filter(({ method, path }) => method === rule.method && rule.path.test(path));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseRule(rule: string): { method: string; path: RegExp } {
  const [method = '', path = ''] = rule.split(' ');
  const pattern = path.split('*').map((part) => part.replaceAll(/[.?+^$()|[\]\\{}]/g, String.raw`\$&`));
  return { method, path: new RegExp(`^${pattern.join('[^/]+')}$`) };
}

function misbehaveOrRespond(response: ServerResponse, behaviour: Behavior): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (behaviour === 'truncate') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"half":');
    setImmediate(() => response.socket?.destroy());
    return;
  }
  if (behaviour === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const more = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(more));
    };
    more();
    return;
  }
  const { status = 200, body, text, headers = {} } = behaviour;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
}

/** A minimal authority provider with all of its endpoints. */
function addAuthorityProvider(on: FakeConnector['on']): void {
  const authorities = new Map<string, { uuid: string; name: string; attributes: unknown[] }>();
  const authority = (call: ReceivedCall) => authorities.get(call.path.split('/')[4] ?? '');
  const gone: Behavior = { status: 404, body: { message: 'no such authority' } };
  on('GET /v1', { body: [infoOf('authorityProvider', ['Fake'], ['idempotency'])] });
  on('GET /v1/health', { body: { status: 'ok', parts: { store: { status: 'ok' } } } });
  on('GET /v1/authorityProvider/Fake/attributes', { body: [ADDRESS, PASSWORD] });
  on('POST /v1/authorityProvider/Fake/attributes/validate', {});
  on('POST /v1/authorityProvider/authorities', ({ body }) => {
    const { name } = body as { name: string }; // the platform sends a name
    const uuid = `authority-${authorities.size + 1}`;
    authorities.set(uuid, { uuid, name, attributes: [] });
    return { body: authorities.get(uuid) };
  });
  on('GET /v1/authorityProvider/authorities/*', (call) => (authority(call) ? { body: authority(call) } : gone));
  on('POST /v1/authorityProvider/authorities/*', (call) => (authority(call) ? { body: authority(call) } : gone));
  on('DELETE /v1/authorityProvider/authorities/*', (call) =>
    authorities.delete(call.path.split('/')[4] ?? '') ? { status: 204 } : gone,
  );
  on('GET /v1/authorityProvider/authorities/*/raProfile/attributes', { body: [CRL_URL] });
  on('POST /v1/authorityProvider/authorities/*/raProfile/attributes/validate', {});
  on('POST /v1/authorityProvider/authorities/*/caCertificates', {
    body: { certificates: [{ certificateData: 'AQID' }, { certificateData: 'BAUG' }] },
  });
  on('GET /v2/authorityProvider/authorities/*/certificates/issue/attributes', { body: [] });
  on('POST /v2/authorityProvider/authorities/*/certificates/issue/attributes/validate', {});
  on('GET /v2/authorityProvider/authorities/*/certificates/revoke/attributes', { body: [] });
  on('POST /v2/authorityProvider/authorities/*/certificates/revoke/attributes/validate', {});
}
