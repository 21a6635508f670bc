// Two nodes of one platform: the one checking an inventory is killed after a batch, and the other continues after that
// batch within the lifetime of a lease. No certificate is counted twice or skipped.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { expect, it } from 'vitest';
import { createSharedDatabase } from './testing/shared-database.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';

/** Starting two nodes, and waiting for the killed node's lease. */
const TIMEOUT_MS = 180_000;
const TAKEN_OVER_MS = 30_000;
const BATCH = 200;
const CERTIFICATES = 2_000;

const nodes = createSharedDatabase();
const folder = temporaryFolder();

/** Copies of the row of the platform's own root, under distinct names. */
const FILL = `
  WITH fresh AS (
    SELECT gen_random_uuid() AS uuid, encode(sha256(int4send(n)), 'hex') AS fingerprint, n FROM generate_series(1, $2::int) AS n),
  sample AS (
    SELECT c.*, content.der FROM certificate c JOIN certificate_content content USING (fingerprint) ORDER BY c.created_at LIMIT 1),
  kept AS (INSERT INTO certificate_content (fingerprint, der) SELECT f.fingerprint, s.der FROM fresh f, sample s)
  INSERT INTO certificate (uuid, fingerprint, serial_number, common_name, state, validation_status, certificate_type, subject_dn,
    subject_dn_normalized, issuer_common_name, issuer_dn, issuer_dn_normalized, not_before, not_after, public_key_algorithm,
    public_key_fingerprint, key_size, signature_algorithm, subject_type, ra_profile_uuid, created_at, updated_at)
  SELECT f.uuid, f.fingerprint, '40' || lpad(to_hex(n), 16, '0'), 'killed-' || n % 2, state, validation_status, certificate_type,
    subject_dn, subject_dn_normalized, issuer_common_name, issuer_dn, issuer_dn_normalized, not_before, not_after,
    public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, subject_type, $1::uuid, created_at, updated_at
  FROM fresh f, sample s`;

async function beginCheck(client: Client): Promise<void> {
  const profile = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  const associationObjectUuid = profile?.uuid ?? expect.fail('there is no RA profile');
  await nodes.query(FILL, [associationObjectUuid, CERTIFICATES]);
  const { uuid: rule } = await client.complianceProfiles.createComplianceInternalRuleV2({
    body: {
      name: 'even',
      resource: 'certificates',
      conditionItems: [
        { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'EQUALS', value: 'killed-0' },
      ],
    },
  });
  const body = { name: 'killed', internalRules: [rule] };
  const { uuid } = await client.complianceProfiles.createComplianceProfileV2({ body });
  const params = { uuid, resource: 'raProfiles' as const, associationObjectUuid };
  await client.complianceProfiles.associateComplianceProfileV2({ params });
  await client.compliance.checkComplianceV2({ body: [uuid], query: {} });
}

it(
  'a compliance check is taken over from a killed node, and ends with exact counters',
  { timeout: TIMEOUT_MS },
  async () => {
    const args = [...(await nodes.nodeArgs()), '--https=off'];
    const dying = await startProgram({
      directory: join(folder, 'dying'),
      args,
      environment: { SIGNETRY_FAULT_POINT: 'compliance.afterBatch:2' },
    });
    const died = once(dying.child, 'exit');
    await beginCheck(dying.client);
    expect(await died).toContain('SIGKILL');
    const diedMs = performance.now();
    const [left] = await nodes.query<{ uuid: string; processed: number; total: number; finished_at: Date | null }>(
      'SELECT uuid, processed::int, total::int, finished_at FROM compliance_run',
    );
    expect(left).toMatchObject({ processed: 2 * BATCH, finished_at: null });
    const total = left?.total ?? 0;
    expect(total).toBeGreaterThanOrEqual(CERTIFICATES);

    const other = await startProgram({ directory: join(folder, 'other'), args });
    const params = { runUuid: left?.uuid ?? '' };
    await expect
      .poll(() => other.client.complianceRuns.getComplianceRun({ params }), { timeout: TAKEN_OVER_MS })
      .toMatchObject({
        state: 'finished',
        processed: total,
        compliant: CERTIFICATES / 2,
        notCompliant: total - CERTIFICATES / 2,
      });
    expect(performance.now() - diedMs).toBeLessThan(TAKEN_OVER_MS);
    const [counted] = await nodes.query<{ results: number; good: number; lists: number }>(
      `SELECT count(*)::int AS results, count(*) FILTER (WHERE status = 'ok')::int AS good,
       (SELECT count(*)::int FROM compliance_rule_list) AS lists FROM compliance_result`,
    );
    // One result list for compliant certificates, one for all others.
    expect(counted).toEqual({ results: total, good: CERTIFICATES / 2, lists: 2 });
  },
);
