import type { MetadataAttribute } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { toRequestAttributes } from './location-values.ts';
import { presentDeployment, presentEntity, presentHeld } from './present.ts';
import type { HeldState } from './tables.ts';
import { AT, entityRow, heldCertificate, heldRow, locationRow } from './testing/entity-rows.ts';

const reportedMetadata = (name: string, content?: readonly unknown[]): MetadataAttribute =>
  ({
    version: 2,
    uuid: `uuid of ${name}`,
    name,
    type: 'meta',
    contentType: 'string',
    properties: { label: `Label of ${name}`, visible: true, global: false },
    ...(content ? { content: content.map((data) => ({ data })) } : {}),
  }) as MetadataAttribute; // as sent by a provider

describe('an entity', () => {
  it('keeps the name of a deleted connector, marked as deleted', () => {
    expect(presentEntity(entityRow({ connector_name: 'shelves' }))).toMatchObject({
      connectorName: 'shelves (Deleted)',
    });
    expect(presentEntity(entityRow())).not.toHaveProperty('connectorUuid');
    expect(presentEntity(entityRow({ connector_uuid: 'c' }))).toMatchObject({
      connectorUuid: 'c',
      connectorName: 'shelves',
    });
  });
});

/** No operation is in progress. */
const IDLE = { operation: undefined, now: AT };

describe('the deployment status of certificates in a location', () => {
  const certificate = heldCertificate({ uuid: 'known', commonName: 'a.test', serialNumber: '1f' });
  const deployed = (facts: Parameters<typeof heldRow>[0]) =>
    presentDeployment(locationRow(), {
      ...IDLE,
      probe: undefined,
      held: [heldRow({ certificate_uuid: 'known', ...facts })],
      known: [certificate],
    }).certificates;

  it.each([
    ['waiting', 'waiting'],
    ['pushing', 'pushing'],
    ['installed', 'installed'],
    ['served', 'served'],
    ['replaced', 'replaced'],
    ['failed', 'failed'],
    ['not_served', 'notServed'],
  ] as const satisfies readonly (readonly [HeldState, string])[])(
    'is reported, for a certificate that is %s, as %s',
    (state, shown) => {
      expect(deployed({ state })).toMatchObject([{ certificateUuid: 'known', state: shown }]);
    },
  );

  it('omits unknown values', () => {
    expect(deployed({})).toEqual([
      {
        certificateUuid: 'known',
        commonName: 'a.test',
        serialNumber: '1f',
        state: 'installed',
        changedAt: '2026-03-04T05:06:07.000Z',
        withKey: false,
      },
    ]);
  });

  it('includes all known values', () => {
    const [first, later] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
    const facts = { problem: 'no', served_at: first, asked_until: later, replaces_uuid: 'before', with_key: true };
    expect(deployed(facts)).toMatchObject([
      {
        problem: 'no',
        servedAt: '2026-03-01T00:00:00.000Z',
        askedUntil: '2026-03-02T00:00:00.000Z',
        replacedCertificateUuid: 'before',
        withKey: true,
      },
    ]);
  });

  it('omits certificates that are no longer in the inventory', () => {
    expect(deployed({ certificate_uuid: 'deleted' })).toEqual([]);
  });

  it('includes the time when the location was last read, the reason why a later read failed, and the probe', () => {
    const probe = {
      location_uuid: '',
      host: 'web.test',
      port: 443,
      server_name: null,
      start_tls: null,
      timeout_s: 60,
      restore_previous: false,
    };
    const location = locationRow({ read_at: AT, problem: 'gone' });
    expect(presentDeployment(location, { ...IDLE, probe, held: [], known: [] })).toEqual({
      readAt: '2026-03-04T05:06:07.000Z',
      readingProblem: 'gone',
      probe: { host: 'web.test', port: 443, timeoutSeconds: 60, restorePrevious: false },
      certificates: [],
    });
    const never = locationRow({ read_at: null });
    expect(presentDeployment(never, { ...IDLE, probe: undefined, held: [], known: [] })).toEqual({ certificates: [] });
  });
});

describe('a certificate in a location', () => {
  const source = { uuid: 'place', name: 'narrow' };
  const shownWith = (metadata: readonly MetadataAttribute[], connector?: { uuid: string; name: string }) =>
    presentHeld(heldRow({ metadata }), heldCertificate(), { pushAttributes: [], csrAttributes: [], source, connector })
      .metadata;

  it('includes its provider metadata, with the location and the connector as the sources', () => {
    const item = {
      name: 'meta_alias',
      label: 'Label of meta_alias',
      content: [{ data: 'web' }],
      sourceObjects: [source],
    };
    const connector = { uuid: 'c', name: 'shelves' };
    expect(shownWith([reportedMetadata('meta_alias', ['web'])], connector)).toMatchObject([
      { connectorUuid: 'c', connectorName: 'shelves', sourceObjectType: 'locations', items: [item] },
    ]);
    expect(shownWith([reportedMetadata('meta_alias', ['web'])])?.[0]).not.toHaveProperty('connectorUuid');
    expect(shownWith([reportedMetadata('meta_alias')])).toMatchObject([{ items: [{ content: [] }] }]);
  });

  it('has no metadata if the provider returned none', () => {
    expect(shownWith([])).toEqual([]);
  });
});

describe('values that a provider returns together with its definitions', () => {
  it('are kept unless they are empty', () => {
    const definitions = [reportedMetadata('a', ['1', '2']), reportedMetadata('b', []), reportedMetadata('c')];
    expect(toRequestAttributes(definitions as never)).toEqual([
      { uuid: 'uuid of a', name: 'a', contentType: 'string', content: [{ data: '1' }, { data: '2' }] },
    ]);
    expect(toRequestAttributes(undefined)).toEqual([]);
  });
});
