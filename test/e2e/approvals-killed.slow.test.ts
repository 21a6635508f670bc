// The process is killed between an approval and the approved operation: after the next start, the operation is carried
// out exactly once.
import { once } from 'node:events';
import { join } from 'node:path';
import { createClient } from '@signetry/client';
import type { Client } from '@signetry/client';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { expect, it } from 'vitest';
import { approvalOf, approveAs, approver, waitForState, guardedAuthority, stateOf } from './testing/approvals.ts';
import { historyOf } from './testing/certificates.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

/** Enough for three starts. */
const TIMEOUT_MS = 180_000;
const directory = join(temporaryFolder(), 'data');

const start = (): Promise<TestServer> => startTestServer({ directory, keepData: true });

it(
  'an operation is carried out exactly once even if the process is killed right after the approval',
  { timeout: TIMEOUT_MS },
  async () => {
    const before = await start();
    const ann = await approver(before);
    const path = await guardedAuthority(before.client, 'Guarded CA', [{ userUuid: ann.userUuid }]);
    const ask = async (client: Client, name: string): Promise<string> => {
      const { pem: request } = await makeRequest({ subject: `CN=${name}` });
      const { uuid } = await client.clientOperations.issueCertificate({
        params: path,
        body: { request, attributes: [] },
      });
      return uuid;
    };
    const issued = await ask(before.client, 'revoked.example');
    await approveAs(ann, (await approvalOf(before.client, issued)).approvalUuid);
    await waitForState(before.client, issued, 'issued');
    const asked = await ask(before.client, 'issued.example');
    await before.client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: issued },
      body: { reason: 'superseded', attributes: [] },
    });
    await before.stop();

    // Each process is killed right after the commit of its decision, before the operation continues.
    for (const uuid of [asked, issued]) {
      const program = await startProgram({
        directory,
        environment: { SIGNETRY_FAULT_POINT: 'approval.afterDecision' },
      });
      const died = once(program.child, 'exit');
      const client = createClient({ baseUrl: program.ready.api, token: ann.token });
      const { approvalUuid } = await approvalOf(program.client, uuid);
      await client.approvals
        .approveApprovalRecipient({ params: { uuid: approvalUuid }, body: {} })
        .catch(() => undefined);
      const [, signal] = (await died) as [number | null, string | null]; // Arguments of `exit`.
      expect(signal).toBe('SIGKILL');
    }

    const after = await start();
    await waitForState(after.client, asked, 'issued');
    await waitForState(after.client, issued, 'revoked');
    for (const [uuid, event] of [
      [asked, 'Issue Certificate SUCCESS'],
      [issued, 'Revoke Certificate SUCCESS'],
    ] as const) {
      expect(await approvalOf(after.client, uuid)).toMatchObject({ status: 'APPROVED' });
      expect((await historyOf(after.client, uuid)).filter((entry) => entry.startsWith(event))).toHaveLength(1);
    }
    const [{ signed } = { signed: 0 }] = await after.running.platform.database.query<{ signed: number }>(
      `SELECT count(*) AS signed FROM certificate WHERE common_name = 'issued.example' AND serial_number IS NOT NULL`,
    );
    expect(signed).toBe(1);
    expect(await stateOf(after.client, asked)).toBe('issued');
    await after.stop();
  },
);
