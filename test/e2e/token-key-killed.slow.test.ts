// The process dies while an authority with a key in a token issues, and the restart deactivates the token: signed
// certificates are recorded without it; unsigned ones wait for it, as for an unavailable authority.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { startTestServer } from '@signetry/testkit/platform';
import { expect, it, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { activate, createKey, createTokenWithProfile, type TokenPath } from './testing/tokens.ts';

/** Jobs of a dead process are released when its leases expire. */
const TIMEOUT_MS = 180_000;
const directory = join(temporaryFolder(), 'data');

async function stateOf(client: Client, name: string) {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1_000 } });
  return certificates.find(({ commonName }) => commonName === name)?.state;
}

const outcomes = [
  ['issue.afterIntent', 'pending_issue'],
  ['issue.afterSignature', 'issued'],
] as const;

it(
  'a certificate from an authority with a token key is pending if the platform is killed before the signature, and issued if it is killed afterwards',
  { timeout: TIMEOUT_MS },
  async () => {
    let server = await startTestServer({ directory, keepData: true });
    const token: TokenPath = await createTokenWithProfile(server.client);
    const key = await createKey(server.client, token, { specification: 'P-256' });
    const wish = { name: 'Killed Vault', values: { data_tokenKey: key.uuid } };
    const path: IssuingPath = await createAuthority(server.client, wish);
    await server.stop();

    for (const [point, outcome] of outcomes) {
      const program = await startProgram({ directory, environment: { SIGNETRY_FAULT_POINT: point } });
      await activate(program.client, token.tokenInstanceUuid);
      const died = once(program.child, 'exit');
      await expect(issue(program.client, path, await makeRequest({ subject: `CN=${point}` }))).rejects.toThrow();
      expect((await died)[1]).toBe('SIGKILL');

      server = await startTestServer({ directory, keepData: true });
      const { client } = server;
      const waitForState = (state: string) =>
        vi.waitFor(async () => expect(await stateOf(client, point)).toBe(state), { timeout: 60_000, interval: 250 });
      await waitForState(outcome);
      await activate(client, token.tokenInstanceUuid);
      await issue(client, path, await makeRequest({ subject: `CN=after ${point}` }));
      await waitForState('issued');
      await server.stop();
    }
  },
);
