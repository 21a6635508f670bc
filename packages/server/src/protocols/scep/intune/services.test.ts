// Calls to Intune services: URL, token and handling of responses.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import { IntuneFault } from './faults.ts';
import type { IntuneResponse, IntuneCall } from './http.ts';
import { createServices } from './services.ts';

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('key') };
const PLACES = [
  { providerName: 'OtherService', uri: 'https://other.test' },
  { providerName: 'ScepService', uri: 'https://scep.test/base//' },
];
type Reply = IntuneResponse | Error;

interface StartOptions {
  readonly graphUrl?: string;
  /** Services returned by Microsoft Graph. */
  readonly places?: readonly unknown[] | null;
  /** Responses of the service, in order; successes after that. */
  readonly replies?: readonly Reply[];
}

function start({ graphUrl = 'https://graph.test', places = PLACES, replies = [] }: StartOptions = {}) {
  const calls: IntuneCall[] = [];
  const left = [...replies];
  let tokens = 0;
  const call = async (asked: IntuneCall): Promise<IntuneResponse> => {
    calls.push(asked);
    if (asked.url.startsWith(graphUrl)) return { status: 200, body: { value: places } };
    const reply = left.shift() ?? { status: 200, body: { code: 'Success' } };
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const scopes: string[] = [];
  const dropped: string[] = [];
  const post = createServices({
    call,
    tokens: {
      get: async ({ scope }) => {
        scopes.push(scope);
        return `token ${(tokens += 1)}`;
      },
      drop: (_wish, token) => void dropped.push(token),
    },
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    addresses: { graphUrl, resourceUrl: 'https://intune.test' },
    callerInfo: 'Signetry/test',
  });
  const ask = (isRepeated = false, service = 'ScepService') =>
    post(account, {
      service,
      path: 'ScepActions/validateRequest',
      version: '2018-02-20',
      body: { a: 1 },
      isRepeated,
      signal: new AbortController().signal,
    });
  return { ask, calls, scopes, dropped, urls: () => calls.map(({ url }) => url) };
}

const GRAPH = 'https://graph.test/v1.0/servicePrincipals/appId=0000000a-0000-0000-c000-000000000000/endpoints';
const SERVICE = 'https://scep.test/base/ScepActions/validateRequest';

describe('an Intune service', () => {
  it('is looked up in Graph once, and called with its own token', async () => {
    const { ask, calls, scopes, urls } = start();
    expect([await ask(), await ask()]).toEqual([{ code: 'Success' }, { code: 'Success' }]);
    expect(urls()).toEqual([GRAPH, SERVICE, SERVICE]);
    const intune = 'https://intune.test//.default';
    expect(scopes).toEqual(['https://graph.test/.default', intune, intune]);
    expect(calls[1]).toMatchObject({
      headers: { 'api-version': '2018-02-20', 'user-agent': 'Signetry/test', authorization: 'Bearer token 2' },
      body: '{"a":1}',
    });
  });

  it('is found by name, regardless of case', async () => {
    expect(await start().ask(false, 'SCEPservice')).toEqual({ code: 'Success' });
  });

  it.each<[string, readonly unknown[]]>([
    ['there is none of its name', [PLACES[0]]],
    ['there is none at all', []],
    ['a token would go over plain HTTP', [{ providerName: 'ScepService', uri: 'http://scep.test' }]],
    [
      'it cannot be resolved: no address found',
      [null, {}, { providerName: 'ScepService' }, { providerName: 5, uri: 'https://x.test' }],
    ],
    ['its address is of another scheme', [{ providerName: 'ScepService', uri: 'file:///etc/passwd' }]],
  ])('is not called if %s', async (_what, places) => {
    const { ask, urls } = start({ places });
    await expect(ask()).rejects.toThrow('Microsoft Intune has no service ScepService in the tenant');
    expect(urls()).toEqual([GRAPH]);
  });

  it('is not called if the Graph response has an unknown format, and is looked up again next time', async () => {
    const { ask, urls } = start({ places: null });
    const words = 'Microsoft Graph returned a response without the Intune services';
    await expect(ask()).rejects.toThrow(words);
    await expect(ask()).rejects.toThrow(words);
    expect(urls()).toEqual([GRAPH, GRAPH]);
  });

  it('can use plain HTTP if Graph does', async () => {
    const places = [{ providerName: 'ScepService', uri: 'http://scep.test' }];
    expect(await start({ graphUrl: 'http://graph.test', places }).ask()).toEqual({ code: 'Success' });
  });

  it('is called again with a new token if the previous one was rejected', async () => {
    const { ask, calls, dropped } = start({ replies: [{ status: 401, body: {} }] });
    expect(await ask()).toEqual({ code: 'Success' });
    expect(dropped).toEqual(['token 2']);
    expect(calls.at(-1)?.headers.authorization).toBe('Bearer token 3');
  });

  const forbidden = (status: number) =>
    `Microsoft Intune denied access to the application (status ${status}); check its permissions`;
  it.each<[string, readonly Reply[], string]>([
    [
      'twice no token is taken',
      [
        { status: 401, body: {} },
        { status: 401, body: {} },
      ],
      forbidden(401),
    ],
    ['it is not permitted', [{ status: 403, body: {} }], forbidden(403)],
    ['it leads elsewhere', [{ status: 302, body: {} }], 'Microsoft Intune returned status 302'],
    ['it does not know the request', [{ status: 404, body: {} }], 'Microsoft Intune returned status 404'],
    ['it is no JSON', [{ status: 200, body: undefined }], 'Microsoft Intune returned a response that is not JSON'],
    ['it is no object', [{ status: 200, body: 'x' }], 'Microsoft Intune returned a response that is not JSON'],
    ['it did not respond in time', [new IntuneFault('Too slow')], 'Too slow'],
  ])('is not called again if %s', async (_what, replies, message) => {
    const { ask, urls } = start({ replies });
    await expect(ask(true)).rejects.toMatchObject({ name: 'IntuneFault', message, passes: false });
    expect(urls()).toHaveLength(1 + replies.length);
  });

  // Concurrent, since each of them pauses.
  it.concurrent.each<[string, Reply]>([
    ['it failed', { status: 500, body: {} }],
    ['it is busy', { status: 429, body: {} }],
    ['it was not reached', new IntuneFault('Not reached', { passes: true })],
  ])('is looked up again, and an idempotent call is repeated, when %s', async (_what, reply) => {
    const { ask, urls } = start({ replies: [reply] });
    expect(await ask(true)).toEqual({ code: 'Success' });
    expect(urls()).toEqual([GRAPH, SERVICE, GRAPH, SERVICE]);
    const once = start({ replies: [reply] });
    await expect(once.ask(false)).rejects.toMatchObject({ passes: true });
    expect(once.urls()).toEqual([GRAPH, SERVICE]);
  });
});
