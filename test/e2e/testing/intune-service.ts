// A fake of the Microsoft services that SCEP with Intune requires, on loopback: sign-in, Graph and Intune. It checks
// what it receives, decides by the challenge password of the request, and can fail in the ways such services do.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCertificationRequest } from '@signetry/pki';

export const TENANT = 'contoso.example';
export const APPLICATION_ID = '11111111-2222-3333-4444-555555555555';
/** The correct challenge; any other text is the error code with which the request is rejected. */
export const CHALLENGE = 'Success';

/** How a call fails. */
export type Failure = 'cut' | 'hang' | number;
type Body = Readonly<Record<string, unknown>>;
interface ReceivedRequest {
  readonly path: string;
  readonly body: Body;
}

export interface IntuneService {
  readonly args: readonly string[];
  readonly applicationKey: string;
  /** Requests with a valid token, in order, by the last part of the path. */
  readonly asked: ReceivedRequest[];
  /** Errors in calls; empty if all goes well. */
  readonly wrong: string[];
  /** Number of tokens issued. */
  readonly tokens: () => number;
  /** Revocation requests that are returned next. */
  revocations: Body[];
  /** Makes the next calls whose path ends with this fail in these ways, one after the other. */
  fail(path: string, ...failures: readonly Failure[]): void;
  /** Invalidates all issued tokens. */
  withdrawTokens(): void;
  named(path: string): readonly Body[];
  close(): Promise<void>;
}

interface State {
  readonly base: string;
  readonly applicationKey: string;
  readonly asked: ReceivedRequest[];
  readonly wrong: string[];
  readonly failures: Map<string, Failure[]>;
  /** Scope by token. */
  readonly valid: Map<string, string>;
  given: number;
  revocations: Body[];
}

export async function startIntuneService(): Promise<IntuneService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // Listens on TCP.
  const applicationKey = `canary-${randomBytes(24).toString('base64url')}`;
  const state: State = {
    base,
    applicationKey,
    asked: [],
    wrong: [],
    failures: new Map(),
    valid: new Map(),
    given: 0,
    revocations: [],
  };
  server.on('request', (request, response) => void respond(state, request, response));
  return {
    args: [
      `--intune-login-url=${base}/login`,
      `--intune-graph-url=${base}/graph`,
      `--intune-resource-url=${base}/resource/`,
      '--egress-allowed-hosts=127.0.0.1',
    ],
    applicationKey,
    asked: state.asked,
    wrong: state.wrong,
    tokens: () => state.given,
    get revocations() {
      return state.revocations;
    },
    set revocations(revocations) {
      state.revocations = revocations;
    },
    fail: (path, ...failures) => void state.failures.set(path, [...failures]),
    withdrawTokens: () => state.valid.clear(),
    named: (path) => state.asked.filter((each) => each.path === path).map(({ body }) => body),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // No encoding is set.
  const text = Buffer.concat(chunks).toString();
  const url = request.url ?? '';
  const failure = state.failures.get(url.slice(url.lastIndexOf('/') + 1))?.shift();
  if (failure === 'cut') return void request.socket.destroy();
  if (failure === 'hang') return;
  const { status, body } = failure === undefined ? reply(state, request, text) : { status: failure, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Reply {
  readonly status: number;
  readonly body: Body;
}

function reply(state: State, request: IncomingMessage, text: string): Reply {
  const { base } = state;
  const url = `${request.method} ${request.url}`;
  if (url === `POST /login/${TENANT}/oauth2/v2.0/token`) return issueToken(state, text);
  if (url === 'GET /graph/v1.0/servicePrincipals/appId=0000000a-0000-0000-c000-000000000000/endpoints')
    return withToken(state, request, `${base}/graph/.default`, () => ({
      value: [
        { providerName: 'SomethingElseFEService', uri: `${base}/other` },
        { providerName: 'ScepRequestValidationFEService', uri: `${base}/scep/validation/` },
        { providerName: 'PkiConnectorFEService', uri: `${base}/pki` },
      ],
    }));
  const [, service = '', path = ''] =
    /^POST (\/scep\/validation\/ScepActions|\/pki\/CertificateAuthorityRequests)\/(\w+)$/.exec(url) ?? [];
  const version = service.startsWith('/scep') ? '2018-02-20' : '5019-05-05';
  if (path !== '' && request.headers['api-version'] === version && request.headers['client-request-id'])
    return withToken(state, request, `${base}/resource//.default`, () => act(state, path, JSON.parse(text) as Body));
  return reportError(state, `${url} with the version ${String(request.headers['api-version'])}`);
}

function reportError(state: State, what: string): Reply {
  state.wrong.push(what);
  return { status: 400, body: {} };
}

function issueToken(state: State, text: string): Reply {
  const form = new URLSearchParams(text);
  const isRight = form.get('grant_type') === 'client_credentials' && form.get('client_id') === APPLICATION_ID;
  if (!isRight) return reportError(state, 'the form of the sign-in');
  if (form.get('client_secret') !== state.applicationKey) {
    const error_description = 'AADSTS7000215: Invalid client secret provided.';
    return { status: 401, body: { error: 'invalid_client', error_description } };
  }
  const token = randomBytes(16).toString('hex');
  state.valid.set(token, form.get('scope') ?? '');
  state.given += 1;
  return { status: 200, body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } };
}

function withToken(state: State, request: IncomingMessage, scope: string, give: () => Body | undefined): Reply {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  if (state.valid.get(token) !== scope) return { status: 401, body: {} };
  const body = give();
  return body ? { status: 200, body } : reportError(state, `the body of ${request.url}`);
}

/** Returns undefined if the body is incorrect. */
function act(state: State, path: string, body: Body): Body | undefined {
  state.asked.push({ path, body });
  if (path === 'downloadRevocationRequests') {
    const { maxRequests } = body.downloadParameters as Body;
    if (maxRequests !== 500) return undefined;
    return { value: state.revocations.splice(0) };
  }
  if (path === 'uploadRevocationResults') return { value: Array.isArray(body.results) };
  const told = (body.request ?? body.notification) as Body | undefined;
  const isComplete = typeof told?.transactionId === 'string' && /^Signetry\/./.test(String(told.callerInfo));
  if (!told || !isComplete) return undefined;
  const { challengePassword } = parseCertificationRequest(Buffer.from(String(told.certificateRequest), 'base64'));
  const code = path === 'validateRequest' ? (challengePassword ?? 'ChallengePasswordMissing') : 'Success';
  return { code, errorDescription: `as ${code}` };
}
