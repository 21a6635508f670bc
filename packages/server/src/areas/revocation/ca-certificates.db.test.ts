import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { setUpOcsp } from './testing/ocsp.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

const setUp = () => setUpOcsp(database);

describe('CA certificates', () => {
  it('are served as DER and PEM', async () => {
    const { authority, node } = await setUp();
    const der = await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    expect(der.headers.get('content-type')).toBe('application/pkix-cert');
    expect(der.headers.get('cache-control')).toMatch(/^max-age=3600, public/);
    expect(new Uint8Array(await der.arrayBuffer())).toEqual(authority.ca().certificate.der);
    const pem = await fetch(`${node.url}/ca/${authority.uuid}.pem`);
    expect(await pem.text()).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect((await fetch(`${node.url}/ca/${newUuid()}.crt`)).status).toBe(404);
    expect((await fetch(`${node.url}/ca/${authority.uuid}.key`)).status).toBe(404);
  });

  it('reflect a renewal within seconds', async () => {
    const { authority, node, clock } = await setUp();
    await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    const next = await authority.renewCa();
    clock.advance(5_000);
    const answer = await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(next.certificate.der);
  });
});
