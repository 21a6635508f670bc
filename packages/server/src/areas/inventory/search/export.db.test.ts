import { buffer } from 'node:stream/consumers';
import type { CertificateSelection } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createCertificateExporter } from './export.ts';
import { createCertificateFields } from './search-fields.ts';
import type { CertificateRow } from '../../certificates/tables.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
let rows: CertificateRow[];

const HEADER =
  'commonName,subjectAlternativeNames,state,validationStatus,notBefore,notAfter,serialNumber,issuerCommonName,raProfile,owner,groups,protocol,' +
  'publicKeyAlgorithm,keySize,signatureAlgorithm,subjectDn,issuerDn,fingerprint,trustedCa,archived,createdAt,uuid';

beforeAll(async () => {
  test = await createTestInventory();
  const { database } = test.platform;
  const profile = await test.addProfile('web');
  rows = await insertRows(database, [
    {
      common_name: '=HYPERLINK("http://evil")',
      subject_dn: 'CN=evil, O=Žluť',
      names: { dNSName: ['a.test', 'b.test'], iPAddress: ['10.0.0.1'] },
      serial_number: '1f',
      fingerprint: 'ab'.repeat(32),
      ra_profile_uuid: profile.uuid,
      owner_username: 'bob',
      protocol: 'acme',
      trusted_ca: false,
      signature_algorithm: 'SHA256withECDSA',
      issuer_common_name: 'CA',
      issuer_dn: 'CN=CA',
      created_at: new Date(Date.UTC(2026, 5, 1)),
    },
    {
      common_name: 'waiting',
      state: 'requested',
      validation_status: 'not_checked',
      serial_number: null,
      fingerprint: null,
      not_before: null,
      not_after: null,
      created_at: new Date(Date.UTC(2026, 5, 2)),
    },
  ]);
  for (const name of ['one', 'two']) {
    const group = newUuid();
    await database.query(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())`,
      [group, name],
    );
    await database.query(
      `INSERT INTO group_membership (object_resource, object_uuid, group_uuid) VALUES ('certificates', $1, $2)`,
      [rows[0]?.uuid, group],
    );
  }
});

const context = (): RequestContext => ({
  ...test.context,
  audit: { module: 'certificates', resource: 'certificates', operation: 'export' },
});

/** Returns the lines without line endings. */
async function exported(selection: CertificateSelection = {}, maxRows?: number): Promise<string[]> {
  const exportCsv = createCertificateExporter({
    platform: test.platform,
    audit: test.audit,
    fields: createCertificateFields([]),
    ...(maxRows === undefined ? {} : { maxRows }),
  });
  const { file } = await exportCsv(selection, context());
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await buffer(file));
  expect(text.startsWith('\u{feff}')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(1, -2).split('\r\n');
}

describe('certificate attributes', () => {
  const CONTACT = { fieldSource: 'custom', fieldIdentifier: 'contact|STRING' } as const;
  const PLACE = { fieldSource: 'meta', fieldIdentifier: 'place|STRING' } as const;
  const HIDDEN = { fieldSource: 'custom', fieldIdentifier: 'pin|SECRET' } as const;
  const definition = newUuid();

  beforeAll(async () => {
    const add = async (uuid: string, [type, name, contentType]: readonly string[], values: readonly unknown[]) => {
      await test.platform.database.query(
        `INSERT INTO attribute_definition (uuid, type, attribute_uuid, name, content_type, label, definition, enabled, is_global, resources, created_at, updated_at)
         VALUES ($1, $2, $1, $3, $4, $3, '{}', true, false, '{certificates}', now(), now())`,
        [uuid, type, name, contentType],
      );
      for (const [position, data] of values.entries())
        await test.platform.database.query(
          `INSERT INTO attribute_value (uuid, object_resource, object_uuid, definition_uuid, position, item)
           VALUES ($1, 'certificates', $2, $3, $4, $5)`,
          [newUuid(), rows[0]?.uuid, uuid, position, JSON.stringify({ data })],
        );
    };
    await add(definition, ['custom', 'contact', 'string'], ['bob', 'x'.repeat(600), 'bob']);
    await add(newUuid(), ['meta', 'place', 'string'], ['=cellar']);
    await add(newUuid(), ['custom', 'pin', 'secret'], ['1234']);
  });

  const asked = { text: 'evil', attributes: [PLACE, HIDDEN, CONTACT] };
  const eventsVisibleTo = async (actor: RequestContext['actor']) => {
    const page = { itemsPerPage: 10, pageNumber: 1 };
    const { certificates } = await test.inventory.search({ ...asked, ...page }, { ...context(), actor });
    return certificates.map(({ attributes }) => attributes);
  };

  it('are listed in the requested order, truncated, without duplicate values or secrets', async () => {
    expect(await eventsVisibleTo(test.context.actor)).toEqual([
      [
        { ...PLACE, values: ['=cellar'] },
        { ...CONTACT, values: ['bob', 'x'.repeat(500)] },
      ],
    ]);
  });

  it('are not shown to users who are not permitted to use them', async () => {
    const rights = { allowAllActions: true, actions: new Set<never>() };
    const denied = { allowed: new Set<never>(), denied: new Set(['members'] as const) };
    const { permissions } = test.context.actor;
    const resources = new Map(permissions.resources).set('attributes', {
      ...rights,
      objects: new Map([[definition, denied]]),
    });
    const actor = { ...test.context.actor, permissions: { ...permissions, resources } };
    expect(await eventsVisibleTo(actor)).toEqual([[{ ...PLACE, values: ['=cellar'] }]]);
  });

  it('are the last columns of an export, in full, and are never interpreted as formulas', async () => {
    const [header, line] = await exported(asked);
    expect(header).toBe(`${HEADER},place,pin,contact`);
    expect(line?.endsWith(`,'=cellar,,bob; ${'x'.repeat(600)}`)).toBe(true);
  });

  it('are rejected if a field does not identify an attribute', async () => {
    await expect(
      exported({ attributes: [{ fieldSource: 'custom', fieldIdentifier: 'contact' }] }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('contact must be an attribute name and its content type'),
    });
  });
});

describe('the certificate export', () => {
  it('begins with a UTF-8 byte order mark and a header, and contains one line per certificate, without formulas', async () => {
    expect(await exported({ sort: [{ field: 'state', direction: 'asc' }] })).toEqual([
      HEADER,
      `"'=HYPERLINK(""http://evil"")",a.test; b.test; 10.0.0.1,issued,valid,2026-01-01T00:00:00.000Z,2027-01-01T00:00:00.000Z,1f,CA,web,bob,one; two,acme,` +
        `ECDSA,256,SHA256withECDSA,"CN=evil, O=Žluť",CN=CA,${'ab'.repeat(32)},false,false,2026-06-01T00:00:00.000Z,${rows[0]?.uuid}`,
      `waiting,,requested,not_checked,,,,,,,,,ECDSA,256,,CN=waiting,,,,false,2026-06-02T00:00:00.000Z,${rows[1]?.uuid}`,
    ]);
  });

  it('uses the filters, text and sort order of the search', async () => {
    const named = async (selection: CertificateSelection) =>
      (await exported(selection)).slice(1).map((line) => line.split(',', 1)[0]);
    expect(await named({ text: 'waiting' })).toEqual(['waiting']);
    expect(await named({ sort: [{ field: 'state', direction: 'desc' }], text: 'cn=' })).toEqual([
      'waiting',
      expect.stringContaining('HYPERLINK'),
    ]);
    expect(
      await named({
        filters: [{ fieldSource: 'property', fieldIdentifier: 'OWNER', condition: 'EQUALS', value: 'bob' }],
      }),
    ).toHaveLength(1);
    expect(await named({ text: 'nothing like it' })).toEqual([]);
  });

  it('is rejected if there are more certificates than a file may contain', async () => {
    await expect(exported({}, 1)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('More than 1 certificates'),
    });
    expect(await exported({}, 2)).toHaveLength(3);
  });

  it('is recorded with the requested filters, text and sort order', async () => {
    await exported({ text: 'waiting', sort: [{ field: 'notAfter', direction: 'asc' }] });
    const [record] = await test.platform.database.query<{ operation: string; operation_data: object }>(
      'SELECT operation, operation_data FROM audit_record ORDER BY id DESC LIMIT 1',
    );
    expect(record).toMatchObject({
      operation: 'export',
      operation_data: {
        text: 'waiting',
        sort: [{ field: 'notAfter', direction: 'asc' }],
        filters: [],
        certificates: 1,
        file: expect.stringMatching(/^certificates_.*\.csv$/),
      },
    });
  });

  it('reads many certificates in batches and keeps their order', async () => {
    const names = Array.from({ length: 2_100 }, (_, index) => `many-${String(index).padStart(4, '0')}`);
    await insertRows(test.platform.database, names.map((common_name) => ({ common_name })).toReversed());
    const lines = await exported({ text: 'many-', sort: [{ field: 'commonName', direction: 'asc' }] });
    expect(lines.slice(1).map((line) => line.split(',', 1)[0])).toEqual(names);
  });
});
