// Legacy software CA: end entities are registered, enrolled once per password, and revoked.
import {
  authorityProviderOperations,
  connectorBaseOperations,
  legacyAuthorityProviderOperations as operations,
} from '@signetry/contract';
import { formatName, parseCrl } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  crlOf,
  integer,
  lines,
  makeCsr,
  attribute,
  startTestAuthority,
  type TestAuthority,
} from '../testing/test-authority.ts';
import { entriesOf } from '../testing/crls.ts';
import { PROFILE } from '../attributes/ra-profile-settings.ts';
import { LEGACY } from './legacy-attributes.ts';
import { softwareAuthorityLegacy } from './software-authority-legacy.ts';
import { createLegacyCa, endEntitiesOf, raProfileWith } from './testing/test-end-entities.ts';

let ours: TestAuthority;
let uuid = '';
let entities: ReturnType<typeof endEntitiesOf>;

beforeAll(async () => {
  ours = await startTestAuthority(softwareAuthorityLegacy);
  uuid = await createLegacyCa(ours.call, 'Legacy');
  entities = endEntitiesOf(ours.call, uuid);
});

const choiceValue = (name: string, data: unknown) => attribute(name, 'object', data);
const rejectionMatching = (status: number, text: RegExp) =>
  expect.objectContaining({ status, message: expect.stringMatching(text) });

describe('the connector', () => {
  it('offers only the v1 interface, with its required endpoints', async () => {
    const info = await ours.call(connectorBaseOperations.listSupportedFunctions, {});
    expect(info.map(({ functionGroupCode, kinds }) => [functionGroupCode, kinds])).toEqual([
      ['legacyAuthorityProvider', ['SoftwareCALegacy']],
    ]);
  });

  it('has the end entity profiles entered in its form, with identifiers derived from their names', async () => {
    const text = 'servers: SERVER, CLIENT\npeople: ENDUSER';
    const ca = await createLegacyCa(ours.call, 'Profiles', [lines(LEGACY.endEntityProfiles, text)]);
    const profiles = await ours.call(operations.listEntityProfiles, { params: { uuid: ca } });
    expect(profiles.map(({ name }) => name)).toEqual(['servers', 'people']);
    const endEntityProfileId = profiles[0]?.id ?? 0;
    const params = { uuid: ca, endEntityProfileId };
    expect((await ours.call(operations.listCertificateProfiles, { params })).map(({ name }) => name)).toEqual([
      'SERVER',
      'CLIENT',
    ]);
    expect((await ours.call(operations.listCAsInProfile, { params })).map(({ name }) => name)).toEqual(['Profiles']);
    const shown = await ours.call(authorityProviderOperations.getAuthorityInstance, { params: { uuid: ca } });
    expect(shown.attributes.find(({ name }) => name === LEGACY.endEntityProfiles)?.content).toEqual([{ data: text }]);
    await expect(
      ours.call(operations.listCAsInProfile, { params: { uuid: ca, endEntityProfileId: 1 } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['no certificate profile', 'servers'],
    ['an unknown certificate profile', 'servers: WEB'],
    ['the same name twice', 'servers: SERVER\nservers: CLIENT'],
  ])('rejects end entity profiles with %s', async (_, text) => {
    const attributes = [lines(LEGACY.endEntityProfiles, text)];
    await expect(createLegacyCa(ours.call, 'Bad', attributes)).rejects.toMatchObject({ status: 422 });
  });

  it('has default end entity profiles if the form field is blank', async () => {
    const attributes = [lines(LEGACY.endEntityProfiles, ' \n')];
    await expect(createLegacyCa(ours.call, 'Blank', attributes)).resolves.toBeTypeOf('string');
  });

  it('keeps end entity profiles that an update omits, and always those in use', async () => {
    const ca = await createLegacyCa(ours.call, 'Edited', [lines(LEGACY.endEntityProfiles, 'people: ENDUSER')]);
    await endEntitiesOf(ours.call, ca, 'people').add('eve');
    const edit = (...attributes: ReturnType<typeof lines>[]) =>
      ours.call(authorityProviderOperations.updateAuthorityInstance, {
        params: { uuid: ca },
        body: { name: 'Edited', kind: 'SoftwareCALegacy', attributes },
      });
    await edit();
    expect((await endEntitiesOf(ours.call, ca, 'people').list()).map(({ username }) => username)).toEqual(['eve']);
    await expect(edit(lines(LEGACY.endEntityProfiles, 'other: ENDUSER'))).rejects.toEqual(
      rejectionMatching(422, /people/),
    );
  });
});

describe('an RA profile', () => {
  const check = (...body: ReturnType<typeof attribute>[]) =>
    ours.call(authorityProviderOperations.validateRAProfileAttributes, { params: { uuid }, body });

  it('selects an end entity profile and one of its certificate profiles', async () => {
    const [profile] = await ours.call(operations.listEntityProfiles, { params: { uuid } });
    await check(choiceValue(LEGACY.endEntityProfile, profile), integer(PROFILE.validityDays, 10));
    await check(
      choiceValue(LEGACY.endEntityProfile, profile),
      choiceValue(LEGACY.certificateProfile, { id: 2, name: 'SERVER' }),
    );
    await expect(check()).rejects.toMatchObject({ status: 422 });
    await expect(check(choiceValue(LEGACY.endEntityProfile, { id: 1, name: 'other' }))).rejects.toMatchObject({
      status: 422,
    });
    await expect(
      check(choiceValue(LEGACY.endEntityProfile, profile), attribute(PROFILE.keyUsages, 'string', 'keyCertSign')),
    ).rejects.toMatchObject({ status: 422 });
  });
});

describe('an end entity', () => {
  it('is shown as registered, without its password', async () => {
    const facts = {
      subjectDN: 'CN=Anna,O=Example',
      email: 'anna@example.com',
      subjectAltName: 'rfc822Name=anna@example.com',
      extensionData: [{ name: 'department', value: '17' }],
    };
    await entities.add('anna', facts);
    expect(await entities.get('anna')).toEqual({ ...facts, username: 'anna', status: 'NEW' });
    const kept = await ours.pool.query(
      'SELECT password FROM connector_software_authority_legacy.end_entity WHERE username = $1',
      ['anna'],
    );
    expect(kept.rows).toEqual([{ password: expect.stringMatching(/^scrypt\$15\$8\$3\$/) }]);
    await expect(entities.add('anna')).rejects.toEqual(rejectionMatching(422, /already/));
    await expect(endEntitiesOf(ours.call, uuid, 'other').list()).rejects.toMatchObject({ status: 404 });
    await expect(entities.get('nobody')).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['a malformed distinguished name', { subjectDN: 'Anna' }],
    ['an alternative name without a type', { subjectAltName: 'www.example.com' }],
    ['an invalid IP address', { subjectAltName: 'iPAddress=one' }],
    ['no password', { password: '' }],
    ['an overlong password', { password: 'x'.repeat(2_000) }],
    ['a certificate profile outside its end entity profile', { raProfile: raProfileWith(choiceValue(LEGACY.certificateProfile, { id: 9, name: 'ROOT' })) }], // prettier-ignore
    ['an RA profile of a different end entity profile', { raProfile: raProfileWith(choiceValue(LEGACY.endEntityProfile, { id: 9, name: 'other' })) }], // prettier-ignore
    ['a setting unknown to the CA', { raProfile: raProfileWith(attribute('data_other', 'string', 'x')) }],
  ])('is rejected with %s', async (_, facts) => {
    await expect(entities.add('refused', facts)).rejects.toMatchObject({ status: 422 });
  });

  it('is rejected with an invalid name', async () => {
    await expect(entities.add(' ')).rejects.toMatchObject({ status: 422 });
    await expect(entities.add('a\u0007b')).rejects.toMatchObject({ status: 422 });
  });

  it('gets one certificate per password, with its registered names', async () => {
    await entities.add('carl', {
      subjectDN: 'CN=Carl,O=Example',
      subjectAltName: 'dNSName=carl.example.com, iPAddress=192.0.2.1',
      raProfile: raProfileWith(integer(PROFILE.validityDays, 5), choiceValue(LEGACY.certificateProfile, { id: 2, name: 'SERVER' })), // prettier-ignore
    });
    const certificate = await entities.issue('carl');
    expect(formatName(certificate.subject)).toBe('CN=Carl, O=Example');
    expect(certificate.subjectAltNames.map(({ kind }) => kind)).toEqual(['dNSName', 'iPAddress']);
    expect(certificate.extKeyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(certificate.notAfterMs - certificate.notBeforeMs).toBeLessThan(6 * 86_400_000);
    expect((await entities.get('carl')).status).toBe('GENERATED');
    await expect(entities.issue('carl')).rejects.toEqual(rejectionMatching(422, /state GENERATED/));
    await entities.edit('carl');
    await expect(entities.issue('carl')).rejects.toEqual(rejectionMatching(422, /incorrect/));
    expect((await entities.issue('carl', { password: 'second' })).serialNumber).not.toBe(certificate.serialNumber);
  });

  it('keeps its password if its request is rejected, and loses it after five wrong ones', async () => {
    const raProfile = raProfileWith(lines(PROFILE.dnsSuffixes, 'example.org'));
    await entities.add('dora', { subjectAltName: 'dNSName=dora.example.com', raProfile });
    await expect(entities.issue('dora', { request: 'AAAA' })).rejects.toMatchObject({ status: 422 });
    await expect(entities.issue('dora')).rejects.toEqual(rejectionMatching(422, /dora\.example\.com/));
    expect((await entities.get('dora')).status).toBe('NEW');
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(entities.issue('dora', { password: 'guess' })).rejects.toEqual(rejectionMatching(422, /incorrect/));
    expect((await entities.get('dora')).status).toBe('FAILED');
    await expect(entities.issue('dora')).rejects.toEqual(rejectionMatching(422, /state FAILED/));
  });

  it('gets one certificate for two concurrent requests', async () => {
    await entities.add('emil');
    const outcomes = await Promise.allSettled([entities.issue('emil'), entities.issue('emil')]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('gets the same certificate for the same key, even after its password was used, but a different request is rejected', async () => {
    await entities.add('fred');
    const request = await makeCsr();
    const first = await entities.issue('fred', { request, key: 'once' });
    expect((await entities.issue('fred', { request, key: 'once' })).der).toEqual(first.der);
    await expect(entities.issue('fred', { key: 'once' })).rejects.toEqual(
      rejectionMatching(422, /a different request/),
    );
    expect((await entities.get('fred')).status).toBe('GENERATED');
  });

  it('resumes after a crash between password claim and issuance, but only with the same key', async () => {
    await entities.add('gina');
    await ours.pool.query(
      "UPDATE connector_software_authority_legacy.end_entity SET status = 'IN_PROCESS', enrollment_key = 'begun' WHERE username = 'gina'",
    );
    await expect(entities.issue('gina', { key: 'other' })).rejects.toEqual(rejectionMatching(422, /IN_PROCESS/));
    expect(formatName((await entities.issue('gina', { key: 'begun' })).subject)).toBe('CN=gina');
    expect((await entities.get('gina')).status).toBe('GENERATED');
  });

  it('cannot enroll after a password reset until a new password is set', async () => {
    await entities.add('hans');
    await entities.resetPassword('hans');
    expect((await entities.get('hans')).status).toBe('INITIALIZED');
    await expect(entities.issue('hans')).rejects.toEqual(rejectionMatching(422, /INITIALIZED/));
    await entities.edit('hans');
    await entities.issue('hans', { password: 'second' });
  });

  it.each(['KEY_RECOVERY', 'WAITING_FOR_ADD_APPROVAL'] as const)('cannot be set to the state %s', async (status) => {
    await expect(entities.edit('anna', { status })).rejects.toEqual(rejectionMatching(422, /is not supported/));
  });

  it('has its certificates revoked when it is removed', async () => {
    await entities.add('ida');
    const certificate = await entities.issue('ida', { key: 'of ida' });
    await entities.edit('ida');
    const another = await entities.issue('ida', { password: 'second' });
    await entities.revoke(another.serialNumber, 'CN=Legacy');
    await entities.remove('ida');
    await expect(entities.get('ida')).rejects.toMatchObject({ status: 404 });
    const revoked = entriesOf(parseCrl(await crlOf(ours.call, uuid))).map(({ serialNumber, reason }) => [
      serialNumber,
      reason,
    ]);
    expect(revoked).toContainEqual([certificate.serialNumber, 'cessationOfOperation']);
    expect(revoked).toContainEqual([another.serialNumber, 'superseded']);
    await expect(entities.remove('ida')).rejects.toMatchObject({ status: 404 });
  });
});

describe('revocation by issuer and serial number', () => {
  it('accepts the parts of a name in either order, and serial numbers in common notations', async () => {
    const ca = await createLegacyCa(ours.call, 'Two parts', [attribute('data_subject', 'string', 'CN=Two,O=Parts')]);
    const people = endEntitiesOf(ours.call, ca);
    await people.add('jan');
    const { serialNumber } = await people.issue('jan');
    await people.revoke(`0x${serialNumber.toUpperCase()}`, 'O=Parts, CN=Two');
    await people.revoke(serialNumber, 'CN=Two,O=Parts');
    await expect(people.revoke(serialNumber, 'CN=Legacy')).rejects.toMatchObject({ status: 404 });
    await expect(people.revoke('1234', 'CN=Two,O=Parts')).rejects.toMatchObject({ status: 404 });
    await expect(people.revoke('xyz', 'CN=Two,O=Parts')).rejects.toMatchObject({ status: 422 });
    await expect(people.revoke(serialNumber, 'nonsense')).rejects.toMatchObject({ status: 422 });
  });
});
