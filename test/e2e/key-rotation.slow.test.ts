// The sealing key is rotated while certificates are issued, the process dies halfway, and the old key is removed
// afterwards: every sealed value can be opened, and none references the old key.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { describe, expect, it, vi } from 'vitest';
import { issue, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp } from './testing/downloads.ts';
import { addEndEntity, createLegacyAuthority, type LegacyPath } from './testing/legacy-authorities.ts';
import { defaultProfile } from './testing/profiles.ts';
import { runProgram, startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

/** More than one batch of the rotation. */
const EAB_KEYS = 110;
/** Three program starts, and jobs of a killed process that are released after 20 s. */
const TIMEOUT_MS = 180_000;
const directory = join(temporaryFolder(), 'data');
const keyFile = join(directory, 'sealing.key');
const keyLines = (): string[] =>
  readFileSync(keyFile, 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));

const start = (): Promise<TestServer> => startTestServer({ directory, keepData: true });
const issueFor = async (client: Client, name: string): Promise<IssuedCertificate> =>
  issue(client, await defaultProfile(client), await makeRequest({ subject: `CN=${name}` }));

async function makeEabKeys(client: Client): Promise<void> {
  const [profile] = await client.acmeProfiles.listAcmeProfiles();
  const uuid = profile?.uuid ?? expect.unreachable('the profile `default` exists');
  for (let made = 0; made < EAB_KEYS; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: { reusable: true } }),
      ),
    );
}

/** Creates an identity provider with a secret; its URLs are never contacted. */
async function makeProvider({ authenticationSettings }: Client): Promise<void> {
  const { publicKey } = generateKeyPairSync('ed25519');
  const jwkSet = Buffer.from(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] })).toString('base64');
  const body = { issuerUrl: 'https://id.example', clientId: 'signetry', clientSecret: 'kept', jwkSet };
  await authenticationSettings.updateOAuth2ProviderSettings({ params: { providerName: 'kept' }, body });
}

/** Issues certificates until calls fail because the process has died. */
async function issueUntilFailure(client: Client): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await issueFor(client, `load-${count}.example`);
    } catch {
      return count;
    }
  }
}

/** All columns with sealed values, found by name, and the keys that their values reference. */
async function keysInUse({ platform }: TestServer['running']): Promise<Map<string, string[]>> {
  const columns = await platform.database.query<{ name: string; column: string; type: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name, column_name AS column, data_type AS type
     FROM information_schema.columns WHERE column_name LIKE 'sealed\\_%' AND data_type IN ('bytea', 'text')
     AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found = new Map<string, string[]>();
  for (const { name, column, type } of columns) {
    const value = type === 'text' ? `decode(${column}, 'base64')` : column;
    const rows = await platform.database.query<{ id: string }>(
      `SELECT DISTINCT encode(substr(${value}, 2, 4), 'hex') AS id FROM ${name} WHERE ${column} IS NOT NULL`,
    );
    found.set(
      `${name}.${column}`,
      rows.map(({ id }) => id),
    );
  }
  return found;
}

describe('a sealing key rotation', { timeout: TIMEOUT_MS }, () => {
  let before: IssuedCertificate;
  let token: string;
  let legacy: LegacyPath;
  let [oldKey, newKey] = ['', ''];

  it('is killed halfway through, under load', async () => {
    const program = await startProgram({ directory, environment: { SIGNETRY_FAULT_POINT: 'keys.afterBatch:5' } });
    const { client } = program;
    before = await issueFor(client, 'before.example');
    ({ token } = await client.accessTokens.createAccessToken({ body: { name: 'kept' } }));
    legacy = await createLegacyAuthority(client, { name: 'First generation' });
    await makeEabKeys(client);
    await client.connectorCalls.rotateConnectorTokenKey();
    await makeProvider(client);
    oldKey = (await client.keysAtRest.getKeysAtRest()).keys[0]?.keyId ?? '';
    const died = once(program.child, 'exit');
    const load = issueUntilFailure(client);
    const { rotation, keys } = await client.keysAtRest.rotateKeysAtRest({ body: {} });
    newKey = rotation?.keyId ?? '';
    expect(keys.map(({ keyId, current, needed }) => ({ keyId, current, needed }))).toEqual([
      { keyId: oldKey, current: false, needed: true },
      { keyId: newKey, current: true, needed: true },
    ]);
    expect(rotation?.total).toBeGreaterThan(EAB_KEYS);
    await expect(client.keysAtRest.rotateKeysAtRest({ body: {} })).rejects.toThrow(/is in progress/);
    const [, signal] = (await died) as [number | null, string | null]; // Arguments of the `exit` event.
    expect(signal).toBe('SIGKILL');
    await load;
  });

  it('continues after the restart while both keys are needed, and reports when the old key can be removed', async () => {
    const lines = keyLines();
    writeFileSync(keyFile, `${lines[1]}\n`);
    const { code, stderr } = await runProgram([
      'start',
      '--data',
      directory,
      '--http',
      '127.0.0.1:0',
      '--https',
      'off',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${keyFile} does not contain key ${oldKey}`)]);
    writeFileSync(keyFile, `${lines.join('\n')}\n`);

    const server = await start();
    const ended = await vi.waitFor(
      async () => {
        await issueFor(server.client, 'meanwhile.example');
        const state = await server.client.keysAtRest.getKeysAtRest();
        expect(state.rotation?.finishedAt).toBeDefined();
        return state;
      },
      { timeout: 45_000, interval: 500 },
    );
    expect(ended.keys).toEqual([
      { keyId: oldKey, current: false, needed: false, position: 1 },
      { keyId: newKey, current: true, needed: true, position: 2 },
    ]);
    const columns = [...(await keysInUse(server.running))];
    expect(columns.map(([name]) => name).sort()).toEqual([
      'connector_email_notifications.notification_instance.sealed_secrets',
      'connector_file_discovery.discovery.sealed_secrets',
      'connector_file_entities.entity.sealed_secrets',
      'connector_log_discovery.discovery.sealed_secrets',
      'connector_network_discovery.discovery.sealed_secrets',
      'connector_pkcs11_tokens.token.sealed_pin',
      'connector_software_authority.authority.sealed_key',
      'connector_software_authority_legacy.authority.sealed_key',
      'connector_software_tokens.token.sealed_data_key',
      'connector_software_tokens.token.sealed_unattended_key',
      'connector_webhook_notifications.notification_instance.sealed_secrets',
      'public.acme_eab_key.sealed_mac_key',
      'public.attribute_value.sealed_data',
      'public.audit_key.sealed_key',
      'public.certificate_end_entity.sealed_password',
      'public.cmp_profile.sealed_shared_secret',
      'public.connector.sealed_auth_attributes',
      'public.connector_token_key.sealed_key',
      'public.enrollment_secret.sealed_secret',
      'public.est_profile.sealed_passwords',
      'public.oauth2_provider.sealed_client_secret',
      'public.ocsp_responder.sealed_key',
      'public.provider_session.sealed_tokens',
      'public.retired_key.sealed_key',
      'public.scep_profile.sealed_challenge_password',
      'public.scep_profile.sealed_intune_application_key',
      'public.scheduled_job.sealed_request',
    ]);
    for (const [name, ids] of columns) expect([name, ids.filter((id) => id !== newKey)]).toEqual([name, []]);
    await server.stop();
  });

  it('leaves nothing behind that needs the old key', async () => {
    writeFileSync(keyFile, `${keyLines()[1]}\n`);
    const server = await start();
    expect((await server.clientOf(token).auth.getUserProfile()).username).toBe('admin');
    const { authorityUuid } = await defaultProfile(server.client);
    const issuer = (await rootOf(server.ready)).raw;
    const ocsp = downloadUrlsOf(server.ready, authorityUuid).ocsp;
    expect(await askOcsp(ocsp, { certificate: before.der, issuer })).toBe('good');
    await addEndEntity(server.client, legacy, 'after');
    const { pem: pkcs10 } = await makeRequest({ subject: 'CN=after' });
    const body = { username: 'after', password: 'once', pkcs10 };
    await server.client.legacyClientOperations.issueLegacyCertificate({ params: legacy, body });
    const fresh = await issueFor(server.client, 'after.example');
    expect(fresh.x509.verify((await rootOf(server.ready)).publicKey)).toBe(true);
    expect(await server.client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true });
    expect((await fetch(`${server.ready.http}/health/ready`)).status).toBe(200);
    await server.stop();
  });
});
