import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { platformTokens, type PlatformTokenCheck } from './platform-tokens.ts';

const ISSUER = 'https://ca.example';
const AUDIENCE = 'https://connector.example:9000';
const START_S = 1_800_000_000;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(privateKey: KeyObject, facts: { header?: object; claims?: object } = {}): string {
  const header = { alg: 'ES256', typ: 'JWT', kid: 'one', ...facts.header };
  const claims = { iss: ISSUER, aud: AUDIENCE, iat: START_S, exp: START_S + 300, ...facts.claims };
  const input = `${part(header)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Creates a platform that publishes keys, and a connector that checks its tokens. */
function parties() {
  const key = newKey();
  const published: Record<string, KeyObject> = { one: key.publicKey };
  const facts = { seconds: START_S, fetches: [] as string[], isDown: false };
  const check = platformTokens({
    issuer: ISSUER,
    audience: AUDIENCE,
    now: () => new Date(facts.seconds * 1000),
    fetch: (url) => {
      facts.fetches.push(url);
      if (facts.isDown) return Promise.reject(new Error('down'));
      const keys = Object.entries(published).map(([kid, each]) => ({ ...each.export({ format: 'jwk' }), kid }));
      return Promise.resolve(Response.json({ keys }));
    },
  });
  return { ...key, published, facts, accepts: (text: string) => accepts(check, text) };
}

const accepts = (check: PlatformTokenCheck, text: string) => check({ headers: { authorization: `Bearer ${text}` } });

describe('a platform token', () => {
  it('is accepted, and its key is fetched once', async () => {
    const { privateKey, facts, accepts } = parties();
    expect(await Promise.all([accepts(token(privateKey)), accepts(token(privateKey))])).toEqual([true, true]);
    expect(await accepts(token(privateKey))).toBe(true);
    expect(facts.fetches).toEqual(['https://ca.example/api/x/v1/connectorTokenKeys']);
  });

  it.each([
    ['for another connector', { claims: { aud: 'https://other.example' } }],
    ['for several', { claims: { aud: [AUDIENCE, 'https://other.example'] } }],
    ['of another platform', { claims: { iss: 'https://other.example' } }],
    ['that has expired', { claims: { iat: START_S - 1_000, exp: START_S - 100 } }],
    ['of the future', { claims: { iat: START_S + 1_000, exp: START_S + 1_300 } }],
    ['that is valid for days', { claims: { exp: START_S + 200_000 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['of another algorithm', { header: { alg: 'none' } }],
    ['of a MAC', { header: { alg: 'HS256' } }],
    ['with an extension that nobody knows', { header: { crit: ['b64'] } }],
    ['without the name of its key', { header: { kid: undefined } }],
    ['of an unknown key', { header: { kid: 'two' } }],
  ])('%s is rejected', async (_what, facts) => {
    const { privateKey, accepts } = parties();
    expect(await accepts(token(privateKey, facts))).toBe(false);
  });

  it('is rejected if it has a different signing key, modified claims or no signature', async () => {
    const { privateKey, accepts } = parties();
    expect(await accepts(token(newKey().privateKey))).toBe(false);
    const [header, , signature] = token(privateKey).split('.');
    const claims = part({ iss: ISSUER, aud: AUDIENCE, iat: START_S, exp: START_S + 400 });
    expect(await accepts(`${header}.${claims}.${signature}`)).toBe(false);
    expect(await accepts(`${header}.${claims}.`)).toBe(false);
    expect(await accepts('x'.repeat(10_000))).toBe(false);
    expect(await accepts('a.b.c')).toBe(false);
  });

  it('is required', async () => {
    const { facts } = parties();
    const check = platformTokens({ issuer: ISSUER, audience: AUDIENCE });
    expect(await check({ headers: {} })).toBe(false);
    expect(await check({ headers: { authorization: 'Basic eDp5' } })).toBe(false);
    expect(facts.fetches).toEqual([]);
  });
});

describe('platform keys', () => {
  it('are fetched again if a token has a new key ID, but not for every unknown key ID', async () => {
    const { privateKey, published, facts, accepts } = parties();
    expect(await accepts(token(privateKey))).toBe(true);
    const next = newKey();
    published['two'] = next.publicKey;
    facts.seconds += 20;
    expect(await accepts(token(next.privateKey, { header: { kid: 'two' } }))).toBe(true);
    for (let at = 0; at < 20; at += 1) await accepts(token(privateKey, { header: { kid: `stranger ${at}` } }));
    expect(facts.fetches).toHaveLength(2);
  });

  it('are no longer trusted if they were removed or if fetching them has failed for several minutes', async () => {
    const { privateKey, published, facts, accepts } = parties();
    const later = () => token(privateKey, { claims: { iat: facts.seconds, exp: facts.seconds + 300 } });
    expect(await accepts(later())).toBe(true);
    facts.isDown = true;
    facts.seconds += 200;
    expect(await accepts(later())).toBe(true);
    facts.seconds += 200;
    expect(await accepts(later())).toBe(false);
    facts.isDown = false;
    facts.seconds += 20;
    expect(await accepts(later())).toBe(true);
    delete published['one'];
    facts.seconds += 400;
    expect(await accepts(later())).toBe(false);
  });
});
