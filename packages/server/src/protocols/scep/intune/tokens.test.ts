// Requests to the Microsoft sign-in service, and the handling of its responses.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import type { IntuneResponse, IntuneCall } from './http.ts';
import { createTokens } from './tokens.ts';

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('canary&key') };
const wish = { account, scope: 'https://graph.test/.default', signal: new AbortController().signal };

function start(...answers: readonly IntuneResponse[]) {
  let nowMs = 0;
  const calls: IntuneCall[] = [];
  const call = async (asked: IntuneCall): Promise<IntuneResponse> => {
    calls.push(asked);
    return (
      answers[calls.length - 1] ?? { status: 200, body: { access_token: `token ${calls.length}`, expires_in: 3_600 } }
    );
  };
  const clock = { now: () => new Date(0), monotonicMs: () => nowMs };
  const tokens = createTokens(call, { clock, loginUrl: 'https://login.test' });
  return { tokens, calls, at: (seconds: number) => void (nowMs = seconds * 1_000) };
}

describe('a token', () => {
  it("is requested with the application's credentials", async () => {
    const { tokens, calls } = start();
    expect(await tokens.get(wish)).toBe('token 1');
    expect(calls).toMatchObject([
      {
        url: 'https://login.test/contoso.example/oauth2/v2.0/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body:
          'grant_type=client_credentials&client_id=app&client_secret=canary%26key' +
          '&scope=https%3A%2F%2Fgraph.test%2F.default',
      },
    ]);
  });

  it('for a tenant whose name looks like a path is requested below the service URL', async () => {
    const { tokens, calls } = start();
    await tokens.get({ ...wish, account: { ...account, tenant: '../a?b' } });
    expect(calls[0]?.url).toBe('https://login.test/..%2Fa%3Fb/oauth2/v2.0/token');
  });

  it.each([
    ['five minutes before it expires', 3_600, 3_300],
    ['after 55 minutes if its lifetime is not specified', undefined, 3_300],
    ['five minutes before it expires if its lifetime is a string', '7200', 6_900],
    ['after 55 minutes if its lifetime is negative', -5, 3_300],
  ])('is requested again %s', async (_when, expires_in, seconds) => {
    const { tokens, at } = start({ status: 200, body: { access_token: 'first', expires_in } });
    expect(await tokens.get(wish)).toBe('first');
    at(seconds - 1);
    expect(await tokens.get(wish)).toBe('first');
    at(seconds);
    expect(await tokens.get(wish)).toBe('token 2');
  });

  it('that expires within five minutes is used only once', async () => {
    const { tokens } = start({ status: 200, body: { access_token: 'short', expires_in: 300 } });
    expect([await tokens.get(wish), await tokens.get(wish)]).toEqual(['short', 'token 2']);
  });

  it.each([
    ['key', { account: { ...account, applicationKey: new Secret('another') } }],
    ['application', { account: { ...account, applicationId: 'another' } }],
    ['tenant', { account: { ...account, tenant: 'fabrikam.example' } }],
    ['scope', { scope: 'https://intune.test/.default' }],
  ])('is not shared with a different %s', async (_what, changes) => {
    const { tokens } = start();
    expect([await tokens.get(wish), await tokens.get({ ...wish, ...changes })]).toEqual(['token 1', 'token 2']);
  });

  it('is requested again after it has been rejected', async () => {
    const { tokens } = start();
    tokens.drop(wish, await tokens.get(wish));
    expect(await tokens.get(wish)).toBe('token 2');
  });
});

describe('a failed sign-in', () => {
  const REFUSED = 'The Microsoft sign-in service rejected the application';
  it.each<[string, IntuneResponse, string, boolean]>([
    [
      'with its error codes',
      { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215: canary-key is wrong.' } },
      `${REFUSED} (invalid_client, AADSTS7000215)`,
      false,
    ],
    ['without error codes', { status: 400, body: {} }, REFUSED, false],
    ['without JSON', { status: 403, body: undefined }, REFUSED, false],
    ['as a temporary fault', { status: 503, body: { error: 'busy' } }, `${REFUSED} (busy)`, true],
    [
      'without hostile content',
      { status: 400, body: { error: '<b>canary</b>', error_description: 5 } },
      REFUSED,
      false,
    ],
    ['after a redirect', { status: 302, body: undefined }, REFUSED, false],
    [
      'for a response without a token',
      { status: 200, body: {} },
      'The Microsoft sign-in service returned a response without a token',
      false,
    ],
    [
      'for a response with an empty token',
      { status: 200, body: { access_token: '' } },
      'The Microsoft sign-in service returned a response without a token',
      false,
    ],
  ])('is reported: %s', async (_what, answer, message, passes) => {
    const { tokens } = start(answer);
    await expect(tokens.get(wish)).rejects.toMatchObject({ name: 'IntuneFault', message, passes });
    expect(await tokens.get(wish)).toBe('token 2');
  });
});
