// Names of OIDs over REST: rejections, and their use in certificates.
import { ApiError } from '@signetry/client';
import { buildName, extKeyUsageExtension } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { createExternalAuthority } from './testing/external-authority.ts';

const ARC = '1.3.6.1.4.1.99999.7';
const REWRITTEN_WITHIN_MS = 25_000;

describe('object identifiers', () => {
  const server = sharedTestServer();
  const entry = { displayName: 'Team', category: 'rdnAttributeType', additionalProperties: { code: 'TEAM' } } as const;

  /** As if enough time had passed for every node to know the new code. */
  async function beginRewriting(): Promise<void> {
    const { database, jobs } = server.running.platform;
    const queue = 'certificates.rewrite-names';
    await database.query('UPDATE job.job SET start_after = now() WHERE name = $1', [queue]);
    jobs.wake(queue);
  }

  const rejectionOf = async (call: Promise<unknown>): Promise<ApiError> => {
    const outcome = await call.then(
      () => 'accepted',
      (error: unknown) => error,
    );
    return outcome instanceof ApiError ? outcome : expect.fail(`${String(outcome)} is not a rejection`);
  };

  it('are rejected with a list of all problems found', async () => {
    const { oids } = server.client;
    for (const oid of ['', '1', '3.1', '1.2.03', '1.2.3.', 'CN', `1.2${'.1'.repeat(50)}`]) {
      const { status, problems } = await rejectionOf(oids.createCustomOidEntry({ body: { ...entry, oid } }));
      expect([oid, status, problems.length]).toEqual([oid, 422, 1]);
    }
    const code = await rejectionOf(
      oids.createCustomOidEntry({
        body: { oid: `${ARC}.1`, ...entry, additionalProperties: { code: '1st', altCodes: ['a b', 'OU'] } },
      }),
    );
    expect(code.problems).toHaveLength(2);
    const taken = await rejectionOf(
      oids.createCustomOidEntry({ body: { oid: '2.5.4.3', ...entry, additionalProperties: { code: 'ou' } } }),
    );
    expect([taken.status, taken.problems]).toEqual([
      422,
      [
        'oid: 2.5.4.3 already has the built-in name Common Name',
        'additionalProperties.code: ou is a built-in code of Organization Unit (2.5.4.11)',
      ],
    ]);
  });

  it('that have no entry are not found', async () => {
    const { oids } = server.client;
    const params = { oid: `${ARC}.404` };
    const calls = [
      () => oids.getCustomOidEntry({ params }),
      () => oids.editCustomOidEntry({ params, body: entry }),
      () => oids.deleteCustomOidEntry({ params }),
    ];
    for (const call of calls)
      expect(await rejectionOf(call())).toMatchObject({ status: 404, code: 'ENTITY_NOT_FOUND' });
    await oids.bulkDeleteCustomOidEntry({ body: [params.oid, 'nonsense'] });
  });

  it('are used in certificate names, including those of existing certificates', { timeout: 60_000 }, async () => {
    const { oids, certificates } = server.client;
    const authority = await createExternalAuthority(`CN=Foreign CA,${ARC}.2=Works`);
    const { spki } = await generateKeyPair('P-256');
    const upload = async (name: string): Promise<string> => {
      const subject = buildName([
        { type: `${ARC}.2`, value: 'Ada + Co, Ltd' },
        { type: 'CN', value: name },
      ]);
      const extensions = [extKeyUsageExtension([`${ARC}.3`])];
      const der = authority.issue({ subject, spki, extensions });
      const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
      return (await certificates.uploadCertificate({ body })).uuid;
    };
    const detail = (uuid: string) => certificates.getCertificate({ params: { uuid } });
    const distinguishedNamesOf = async (uuid: string) => {
      const { subjectDn, issuerDn } = await detail(uuid);
      return [subjectDn, issuerDn];
    };
    const before = await upload('before.test');
    expect(await distinguishedNamesOf(before)).toEqual([
      `CN=before.test, ${ARC}.2=Ada + Co, Ltd`,
      `CN=Foreign CA, ${ARC}.2=Works`,
    ]);

    await oids.createCustomOidEntry({ body: { oid: `${ARC}.2`, ...entry } });
    await oids.createCustomOidEntry({
      body: { oid: `${ARC}.3`, displayName: 'Press control', category: 'extendedKeyUsage' },
    });
    const after = await upload('after.test');
    expect(await distinguishedNamesOf(after)).toEqual([
      'CN=after.test, TEAM=Ada + Co, Ltd',
      'CN=Foreign CA, TEAM=Works',
    ]);
    expect((await detail(after)).extendedKeyUsage).toEqual(['Press control']);
    await beginRewriting();
    await expect
      .poll(() => distinguishedNamesOf(before), { timeout: REWRITTEN_WITHIN_MS })
      .toEqual(['CN=before.test, TEAM=Ada + Co, Ltd', 'CN=Foreign CA, TEAM=Works']);
    const filter = { fieldSource: 'property', fieldIdentifier: 'SUBJECTDN', condition: 'CONTAINS' } as const;
    const found = await certificates.listCertificates({ body: { filters: [{ ...filter, value: 'TEAM=Ada' }] } });
    expect(found.certificates.map(({ uuid }) => uuid).toSorted()).toEqual([before, after].toSorted());
  });
});
