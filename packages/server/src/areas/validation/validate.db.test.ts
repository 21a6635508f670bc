import { parseCertificate } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LookUpRevocation } from './revocation-check.ts';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

const DAY_MS = 86_400_000;

let test: TestInventory;
let root: TestCertificate;
let rootUuid: string;
/** Result of the external lookup. */
let lookUp: LookUpRevocation = () => Promise.resolve(undefined);

beforeAll(async () => {
  test = await createTestInventory({ lookUpRevocation: (subject) => lookUp(subject) });
  root = await makeRoot('Validation Root');
  rootUuid = await test.trust(root.der);
});

const validate = (uuid: string) => test.inventory.validate(uuid, test.context);
const statusOf = async (uuid: string) => (await test.inventory.detail(uuid, test.context)).validationStatus;
const uploadLeaf = async (name: string, wish: Parameters<typeof makeCertificate>[1] = {}) =>
  test.upload((await makeCertificate(name, { issuer: root, ...wish })).der);

describe('validation', () => {
  it('returns and stores the result of every check', async () => {
    const uuid = await uploadLeaf('checked.test');
    const result = await validate(uuid);
    expect(result).toMatchObject({ resultStatus: 'valid', validationTimestamp: expect.any(String) });
    expect(
      Object.entries(result.validationChecks ?? {}).map(([check, { validationCheck, status }]) => [
        check,
        validationCheck,
        status,
      ]),
    ).toEqual([
      ['certificate_chain', 'certificate_chain', 'valid'],
      ['signature', 'signature', 'valid'],
      ['certificate_validity', 'certificate_validity', 'valid'],
      ['ocsp_verification', 'ocsp_verification', 'not_checked'],
      ['crl_verification', 'crl_verification', 'not_checked'],
      ['basic_constraints', 'basic_constraints', 'valid'],
      ['key_usage', 'key_usage', 'not_checked'],
    ]);
    expect(await statusOf(uuid)).toBe('valid');
  });

  it('runs when a certificate is added', async () => {
    expect(await statusOf(await uploadLeaf('at-once.test'))).toBe('valid');
    expect(await statusOf(await test.upload((await makeCertificate('self.test')).der))).toBe('invalid');
  });

  it('stores the status of every certificate in the chain, and records each change in the history, the audit log and events', async () => {
    const other = await makeRoot('Untrusted Root');
    const between = await makeRoot('Untrusted Between', { issuer: other });
    const leaf = await makeCertificate('untrusted.test', { issuer: between });
    const uuid = await test.upload(leaf.der);
    const betweenUuid = await test.upload(between.der);
    const otherUuid = await test.upload(other.der);
    await validate(uuid);
    expect([await statusOf(uuid), await statusOf(betweenUuid), await statusOf(otherUuid)]).toEqual([
      'invalid',
      'invalid',
      'invalid',
    ]);

    expect((await test.inventory.detail(uuid, test.context)).isTrustMissing).toBe(true);
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS', value: 'untrusted.test' },
    ] as const;
    const listed = await test.inventory.search({ itemsPerPage: 1, pageNumber: 1, filters: [...filters] }, test.context);
    expect(listed.certificates).toMatchObject([{ uuid, isTrustMissing: true }]);

    await test.inventory.update(otherUuid, { trustedCa: true }, test.context);
    expect(await statusOf(otherUuid)).toBe('valid');
    expect(await statusOf(betweenUuid)).toBe('invalid');
    await test.inventory.update(betweenUuid, { trustedCa: true }, test.context);
    expect(await statusOf(betweenUuid)).toBe('valid');
    expect(await validate(uuid)).toMatchObject({ resultStatus: 'valid' });
    expect((await test.inventory.detail(uuid, test.context)).isTrustMissing).toBe(false);
    const [latest] = await test.inventory.history(uuid);
    expect(latest).toMatchObject({ event: 'Update Validation Status', status: 'SUCCESS', message: 'invalid -> valid' });
    const records = await test.audited();
    expect(records.findLast(({ operation }) => operation === 'checkValidation')?.resource_objects).toMatchObject([
      { uuid },
    ]);
  });

  it('removes the trust from all certificates below a CA when the CA is validated again', async () => {
    const other = await makeRoot('Short-lived Trust');
    const otherUuid = await test.trust(other.der);
    const between = await test.trust((await makeRoot('Between', { issuer: other })).der);
    expect(await statusOf(between)).toBe('valid');
    await test.inventory.update(otherUuid, { trustedCa: false }, test.context);
    expect([await statusOf(otherUuid), await statusOf(between)]).toEqual(['invalid', 'invalid']);
  });

  it('adds nothing to the history while the status is unchanged', async () => {
    const uuid = await uploadLeaf('quiet.test');
    const before = await test.inventory.history(uuid);
    await validate(uuid);
    await validate(uuid);
    expect(await test.inventory.history(uuid)).toEqual(before);
  });

  it("uses the revocations recorded for the RA profile's authority", async () => {
    const ours = await makeRoot('Our CA');
    const oursUuid = await test.trust(ours.der);
    await test.addProfile('ours', { caCertificateUuid: oursUuid });
    const uuid = await test.upload((await makeCertificate('ours.test', { issuer: ours })).der);
    expect((await validate(uuid)).validationChecks).toMatchObject({
      crl_verification: { status: 'valid' },
      ocsp_verification: { status: 'valid' },
    });
    await test.platform.database.query(
      `UPDATE certificate SET state = 'revoked', revoked_at = now(), revocation_reason = 'keyCompromise' WHERE uuid = $1`,
      [uuid],
    );
    const result = await validate(uuid);
    expect(result.resultStatus).toBe('revoked');
    expect(result.validationChecks?.crl_verification).toMatchObject({
      status: 'revoked',
      message: expect.stringContaining('keyCompromise'),
    });
  });

  it('sets the state to revoked if an external source reports the revocation', async () => {
    const uuid = await uploadLeaf('found.test');
    const revoked = { status: 'revoked', message: 'On the CRL.' } as const;
    lookUp = () => Promise.resolve({ crl: revoked, ocsp: { status: 'not_checked', message: '' } });
    await validate(uuid);
    lookUp = () => Promise.resolve(undefined);
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({
      state: 'revoked',
      validationStatus: 'revoked',
    });
    const events = (await test.inventory.history(uuid)).map(({ event, message }) => `${event}: ${message}`);
    expect(events).toContain('Update State: issued -> revoked');
  });

  it('does not overwrite a revocation that was made during the lookup', async () => {
    const uuid = await uploadLeaf('meanwhile.test');
    lookUp = async () => {
      await test.platform.database.query(
        `UPDATE certificate SET state = 'revoked', validation_status = 'revoked' WHERE uuid = $1`,
        [uuid],
      );
      return undefined;
    };
    await validate(uuid);
    lookUp = () => Promise.resolve(undefined);
    expect(await statusOf(uuid)).toBe('revoked');
  });

  it('is skipped if the RA profile disables it, and the result names the RA profile', async () => {
    const profile = await test.addProfile('no-validation', { validationEnabled: false });
    const uuid = await uploadLeaf('switched-off.test');
    await test.platform.database.query('UPDATE certificate SET ra_profile_uuid = $1 WHERE uuid = $2', [
      profile.uuid,
      uuid,
    ]);
    expect(await validate(uuid)).toEqual({
      resultStatus: 'not_checked',
      message: expect.stringContaining('no-validation'),
    });
    expect(await statusOf(uuid)).toBe('not_checked');
  });

  it('uses the expiry threshold of an RA profile that enables validation', async () => {
    const profile = await test.addProfile('long-threshold', { validationEnabled: true, expiringThresholdDays: 400 });
    const uuid = await uploadLeaf('threshold.test');
    await test.platform.database.query('UPDATE certificate SET ra_profile_uuid = $1 WHERE uuid = $2', [
      profile.uuid,
      uuid,
    ]);
    expect((await validate(uuid)).resultStatus).toBe('expiring');
  });

  it('does not change archived certificates', async () => {
    const uuid = await uploadLeaf('archived.test');
    await test.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
    expect(await validate(uuid)).toMatchObject({
      resultStatus: 'not_checked',
      message: expect.stringContaining('archived'),
    });
    expect(await statusOf(uuid)).toBe('valid');
  });

  it('returns not found for an unknown certificate', async () => {
    await expect(validate('00000000-0000-7000-8000-00000000ffff')).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('validation with multiple CA certificates with the same name', () => {
  it("finds the path despite a newer, untrusted CA certificate with the same name, and keeps the certificate's issuer", async () => {
    const between = await makeRoot('Twin', { issuer: root });
    const betweenUuid = await test.trust(between.der);
    const uuid = await test.upload((await makeCertificate('below-twin.test', { issuer: between })).der);
    const stranger = await makeRoot('Stranger');
    const newer = { keys: between.keys, notBefore: test.clock.now() };
    const twins = await Promise.all([
      makeRoot('Twin', { issuer: stranger, ...newer }),
      makeRoot('Twin', { issuer: root, ...newer }),
    ]);
    await test.trust(twins[0].der);
    await test.upload(twins[1].der);
    expect(await validate(uuid)).toMatchObject({ resultStatus: 'valid' });
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBe(betweenUuid);
    const chain = await test.inventory.chain(uuid, { withEndCertificate: false, context: test.context });
    expect(chain.completeChain).toBe(true);
    expect(chain.certificates.map((each) => each.uuid)).toEqual([betweenUuid, rootUuid]);
  });

  it('keeps the known issuer if only a different certificate of that CA leads to a root', async () => {
    const lost = await makeRoot('Lost Root');
    const between = await makeRoot('Moved', { issuer: lost });
    const betweenUuid = await test.trust(between.der);
    const uuid = await test.upload((await makeCertificate('moved.test', { issuer: between })).der);
    expect(await statusOf(uuid)).toBe('invalid');
    const crossUuid = await test.trust((await makeRoot('Moved', { issuer: root, keys: between.keys })).der);
    expect(await validate(uuid)).toMatchObject({ resultStatus: 'valid' });
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBe(betweenUuid);
    const chain = await test.inventory.chain(uuid, { withEndCertificate: false, context: test.context });
    expect(chain.certificates.map((each) => each.uuid)).toEqual([crossUuid, rootUuid]);
  });

  it('skips a CA certificate that an external source reports as revoked, if there is a different path', async () => {
    const between = await makeRoot('Revoked Outside', { issuer: root });
    const twin = await makeRoot('Revoked Outside', { issuer: root, keys: between.keys, notBefore: test.clock.now() });
    const leaf = await makeCertificate('outside.test', { issuer: between });
    await test.trust(between.der);
    await test.trust(twin.der);
    const uuid = await test.upload(leaf.der);
    const serialNumber = parseCertificate(twin.der).serialNumber;
    lookUp = (subject) =>
      Promise.resolve(
        subject.certificate.serialNumber === serialNumber
          ? { crl: { status: 'revoked', message: 'On the CRL.' }, ocsp: { status: 'not_checked', message: '' } }
          : undefined,
      );
    const result = await validate(uuid);
    lookUp = () => Promise.resolve(undefined);
    expect(result.resultStatus).toBe('valid');
  });
});

describe('when a CA certificate is added, becomes trusted or loses its trust', () => {
  it('the certificates below it are updated, level by level', async () => {
    test.declareJobs();
    const top = await makeRoot('Late Root');
    const between = await makeRoot('Late Between', { issuer: top });
    const names = ['late-1.test', 'late-2.test', 'late-3.test'];
    const leaves = await Promise.all(
      names.map(async (name) => test.upload((await makeCertificate(name, { issuer: between })).der)),
    );
    const statuses = () => Promise.all(leaves.map(statusOf));
    const follow = async (): Promise<void> => {
      for (let rows = await changed(); rows.length > 0; rows = await changed())
        for (const certificateUuid of rows) await test.validation.revalidateBelow(certificateUuid);
    };
    const changed = async (): Promise<string[]> => {
      const rows = await test.platform.database.query<{ payload: { certificateUuid: string } }>(
        `DELETE FROM event_outbox WHERE event = 'authority_standing_changed' RETURNING payload`,
      );
      return rows.map(({ payload }) => payload.certificateUuid);
    };
    expect(await statuses()).toEqual(['invalid', 'invalid', 'invalid']);
    await test.trust(between.der);
    await follow();
    expect(await statuses()).toEqual(['invalid', 'invalid', 'invalid']);
    const topUuid = await test.trust(top.der);
    await follow();
    expect(await statuses()).toEqual(['valid', 'valid', 'valid']);
    await test.inventory.update(topUuid, { trustedCa: false }, test.context);
    await follow();
    expect(await statuses()).toEqual(['invalid', 'invalid', 'invalid']);
  });
});

describe('the periodic validation', () => {
  it('updates statuses once a day as time passes', async () => {
    const uuid = await uploadLeaf('short.test', { notAfter: new Date(test.clock.now().getTime() + 31.5 * DAY_MS) });
    expect(await statusOf(uuid)).toBe('valid');
    await test.validation.revalidateDue();
    expect(await statusOf(uuid)).toBe('valid');
    test.clock.advance(2 * DAY_MS);
    expect(await test.validation.revalidateDue()).toBeGreaterThan(0);
    expect(await statusOf(uuid)).toBe('expiring');
    expect(await test.validation.revalidateDue()).toBe(0);
    expect(await statusOf(rootUuid)).toBe('valid');
  });
});
