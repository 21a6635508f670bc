// The process dies during a validation of the inventory: after the next start, it continues where it stopped, and
// counts every certificate once.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { inDatabaseOf } from '../load/database-of-server.ts';
import { createExternalCertificates } from '../load/external-certificates.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';

/** Three starts, and waiting for the killed node's lease. */
const TIMEOUT_MS = 240_000;
const CERTIFICATES = 3_000;

it('a validation run continues after the last recorded batch', { timeout: TIMEOUT_MS }, async () => {
  const directory = join(temporaryFolder(), 'data');
  const args = ['--egress-allowed-hosts', '127.0.0.1'];
  const foreign = await createExternalCertificates({ revoked: 10 });
  onTestFinished(() => foreign.close());

  const dying = await startProgram({
    directory,
    args,
    environment: { SIGNETRY_FAULT_POINT: 'validation.afterBatch:3' },
  });
  const died = once(dying.child, 'exit');
  await foreign.upload(dying.client);
  await inDatabaseOf(directory, (database) => foreign.fill(database, CERTIFICATES));
  const begun = await dying.client.validationRuns.startValidationRun().catch(() => undefined);
  const [, signal] = (await died) as [number | null, string | null]; // Arguments of the `exit` event.
  expect(signal).toBe('SIGKILL');

  const after = await startProgram({ directory, args });
  const looked = await after.client.validationRuns.getValidationRun();
  expect(looked.processed).toBeGreaterThanOrEqual(1_500);
  if (begun) expect(looked.uuid).toBe(begun.uuid);
  let run = looked;
  while (run.state === 'running') {
    await delay(500);
    run = await after.client.validationRuns.getValidationRun();
  }
  // Each certificate that existed at the start is counted once.
  expect(run.processed).toBe(run.total);
  const checked = await inDatabaseOf(directory, (database) =>
    database.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM certificate c LEFT JOIN certificate_check k ON k.certificate_uuid = c.uuid
       WHERE c.common_name LIKE '%bulk.example' AND (k.checked_at IS NULL OR c.validation_status <> 'valid')`,
    ),
  );
  expect(checked).toEqual([{ left: 0 }]);
});
