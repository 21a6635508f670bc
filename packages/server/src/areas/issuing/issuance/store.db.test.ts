import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { readCertificate } from '../../certificates/read-certificate.ts';
import { readRequest } from '../../certificates/read-request.ts';
import {
  makeCertificate,
  makeRequest,
  makeRoot,
  type TestCertificate,
} from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { reservationFor } from '../testing/test-reservations.ts';
import type { IssuedResult } from './statement-parts.ts';
import { recordImmediate, recordIssued, reserve, type ImmediateIssue } from './store.ts';

let test: TestInventory;
let profile: IssuingProfile;
let root: TestCertificate;

beforeAll(async () => {
  test = await createTestInventory();
  profile = await test.addProfile('at once', {});
  root = await makeRoot('Root of what is written at once');
});

const at = new Date('2026-03-01T10:00:00Z');

/** Returns a requested and signed certificate, with audit records for both steps. */
async function signed(name: string): Promise<ImmediateIssue> {
  const [certificateUuid, operationUuid] = [newUuid(), newUuid()];
  const keys = await generateKeyPair('P-256');
  const { der } = await makeCertificate(name, { issuer: root, keys });
  const record = (operation: 'request' | 'issue') =>
    test.audit.record(test.context, {
      facts: { module: 'certificates', resource: 'certificates', operation },
      objects: [{ uuid: certificateUuid, name }],
    });
  const request = readRequest(await makeRequest(name, keys), 'pkcs10');
  const reservation = reservationFor(
    { raProfileUuid: profile.uuid, request, createdAt: at },
    {
      certificateUuid,
      operationUuid,
      owner: { uuid: newUuid(), username: 'erin' },
      protocol: { protocol: 'acme', profileUuid: newUuid(), accountUuid: newUuid() },
    },
  );
  const result: IssuedResult = {
    certificateUuid,
    operationUuid,
    action: 'issue',
    facts: readCertificate(der).facts,
    der,
    issuerCertificateUuid: null,
    issuerSerialNumber: null,
    validationStatus: 'valid',
    relationType: null,
    history: {
      uuid: newUuid(),
      event: 'Issue Certificate',
      status: 'SUCCESS',
      message: 'Issued',
      additional: null,
      created_at: at,
      created_by: 'erin',
    },
    at,
  };
  return { reservation, result, audit: { requested: record('request'), issued: record('issue') } };
}

/** Sources of the rows of certificate `$1`, each aliased as `t`, in the order in which they were written. */
const ROWS = {
  certificate: 'certificate t WHERE t.uuid = $1',
  request: 'certificate_request t JOIN certificate c ON c.request_uuid = t.uuid WHERE c.uuid = $1',
  content: 'certificate_content t JOIN certificate c ON c.fingerprint = t.fingerprint WHERE c.uuid = $1',
  operation: 'certificate_operation t WHERE t.certificate_uuid = $1',
  history: 'certificate_history t WHERE t.certificate_uuid = $1 ORDER BY t.uuid',
  audit: `audit_record t WHERE t.resource_objects -> 0 ->> 'uuid' = $1::text ORDER BY t.id`,
  unsealed: `audit_unsealed t JOIN audit_record a ON a.id = t.audit_id WHERE a.resource_objects -> 0 ->> 'uuid' = $1::text`,
  events: `(SELECT event, payload - 'certificateUuid' AS payload, payload ->> 'certificateUuid' AS uuid FROM event_outbox) t
    WHERE t.uuid = $1::text`,
} as const;

/** Columns that distinguish the rows of two certificates with the same name. */
const OWN = [
  'uuid',
  'certificate_uuid',
  'request_uuid',
  'owner_uuid',
  'protocol_profile_uuid',
  'protocol_account_uuid',
  'leased_by',
  'serial_number',
  'fingerprint',
  'public_key_fingerprint',
  'der',
  'id',
  'timestamp',
  'audit_id',
  'logged_at',
  'queued_at',
  'created_at',
  'resource_objects',
];

async function rowsOf({ result: { certificateUuid } }: ImmediateIssue) {
  const read = async (from: string) => {
    const rows = await test.platform.database.query<{ row: unknown }>(`SELECT to_jsonb(t) - $2::text[] AS row FROM ${from}`, [
      certificateUuid,
      OWN,
    ]); // prettier-ignore
    return rows.map(({ row }) => row);
  };
  const entries = Object.entries(ROWS).map(async ([name, from]) => [name, await read(from)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<keyof typeof ROWS, unknown[]>;
}

const writeInSteps = async ({ reservation, result, audit }: ImmediateIssue): Promise<void> => {
  const { hot } = test.platform.database;
  await reserve(hot, [reservation], [audit.requested]);
  await recordIssued(hot, [result], [audit.issued]);
};

describe('certificates recorded in one step', () => {
  it('create the same rows as certificates that were reserved first', async () => {
    const [inSteps, first, second] = [await signed('same.test'), await signed('same.test'), await signed('same.test')];
    await writeInSteps(inSteps);
    const ended = await recordImmediate(test.platform.database.hot, [first, second]);
    expect(ended).toEqual(new Set([first.result.operationUuid, second.result.operationUuid]));
    const expected = await rowsOf(inSteps);
    expect(expected.audit).toMatchObject([{ operation: 'request' }, { operation: 'issue' }]);
    expect(Object.values(expected).map((rows) => rows.length)).toEqual([1, 1, 1, 1, 2, 2, 2, 1]);
    expect(expected.events).toMatchObject([{ payload: { action: 'issue' } }]);
    expect(await rowsOf(first)).toEqual(expected);
    expect(await rowsOf(second)).toEqual(expected);
  });

  it('do not include certificates that have been reserved in the meantime', async () => {
    const [reserved, other] = [await signed('reserved.test'), await signed('other.test')];
    const { hot } = test.platform.database;
    await reserve(hot, [reserved.reservation], [reserved.audit.requested]);
    expect(await recordImmediate(hot, [reserved, other])).toEqual(new Set([other.result.operationUuid]));
    expect((await rowsOf(reserved)).certificate).toMatchObject([{ state: 'requested' }]);
    expect((await rowsOf(reserved)).audit).toHaveLength(1);
    expect((await rowsOf(other)).certificate).toMatchObject([{ state: 'issued' }]);
  });

  it('reuse an existing request', async () => {
    const [first, again] = [await signed('shared.test'), await signed('shared.test')];
    const { hot } = test.platform.database;
    await recordImmediate(hot, [first]);
    await recordImmediate(hot, [
      { ...again, reservation: { ...again.reservation, request: first.reservation.request } },
    ]);
    const requests = await test.platform.database.query(
      'SELECT DISTINCT request_uuid FROM certificate WHERE uuid = ANY ($1::uuid[])',
      [[first, again].map(({ result }) => result.certificateUuid)],
    );
    expect(requests).toHaveLength(1);
  });
});
