// Random changes to certificates and groups, through the same functions that the platform uses.
import { createHash } from 'node:crypto';
import { newUuid } from '../../../kernel/ids.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isForeignKeyViolation } from '../../../platform/database/database-errors.ts';
import { readCertificate } from '../../certificates/read-certificate.ts';
import * as store from '../../certificates/store.ts';
import { assign, releaseRaProfiles } from '../../inventory/certificate/store-changes.ts';
import type { IssuedResult } from '../../issuing/issuance/statement-parts.ts';
import { recordImmediate, recordIssued, reserve } from '../../issuing/issuance/store.ts';
import type { Reservation } from '../../issuing/operations/reservation.ts';
import { makeCertificate, makeRoot, type TestCertificate } from '../../certificates/testing/test-certificates.ts';
import type { TestInventory } from '../../inventory/testing/test-inventory.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { replaceMemberships } from '../../groups/index.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createGroupService } from '../../groups/service.ts';

const DAY_MS = 86_400_000;

export interface Activity {
  /** Performs a random action and returns its name. */
  step(): Promise<string>;
}

/** Returns a generator of pseudorandom numbers that depend only on the seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the actions work with. */
interface Setting {
  readonly test: TestInventory;
  readonly random: () => number;
  readonly one: <Item>(items: readonly Item[]) => Item;
  readonly profiles: readonly IssuingProfile[];
  /** Returned by the authority; its contents do not matter. */
  readonly issued: TestCertificate;
  readonly uploads: readonly TestCertificate[];
}

type ActivityOperations = Readonly<Record<string, () => Promise<unknown>>>;

export async function createActivity(test: TestInventory, random: () => number): Promise<Activity> {
  const setting = await createSetting(test, random);
  const deeds: ActivityOperations = {
    ...issuingOperations(setting),
    ...inventoryOperations(setting),
    ...groupOperations(setting),
    ...otherOperations(setting),
  };

  return {
    async step() {
      const name = setting.one(Object.keys(deeds));
      try {
        await deeds[name]?.();
      } catch (error) {
        // A rejected action changes nothing. A group may have been deleted after it was chosen.
        if (!isAppError(error) && !isForeignKeyViolation(error, 'group_membership_group_uuid_fkey')) throw error;
        return `${name}, refused`;
      }
      return name;
    },
  };
}

async function createSetting(test: TestInventory, random: () => number): Promise<Setting> {
  const root = await makeRoot(`Root ${newUuid()}`);
  return {
    test,
    random,
    one: (items) => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('The request contains nothing to choose from.');
      return item;
    },
    profiles: await Promise.all([1, 2].map((number) => test.addProfile(`profile ${number} of ${newUuid()}`))),
    issued: root,
    uploads: [root, await makeCertificate('uploaded.test', { issuer: root }), await makeCertificate('self.test')],
  };
}

function issuingOperations(setting: Setting): ActivityOperations {
  const { test, random } = setting;
  const { platform, clock } = test;
  const { database } = platform;
  return {
    ask: () => ask(setting, 1 + Math.floor(random() * 3)),
    issue: async () => record(setting, await ask(setting, 1 + Math.floor(random() * 5))),
    issueAtOnce: () => recordUnreserved(setting, 1 + Math.floor(random() * 5)),
    fail: async () => {
      const [reservation] = await ask(setting, 1);
      const evidence = random() < 0.5 ? readCertificate((await makeCertificate('evidence.test')).der) : undefined;
      await database.transaction((tx) =>
        store.failCertificate(tx, reservation?.certificateUuid ?? '', { received: evidence, at: clock.now() }),
      );
    },
    leaveUndecided: () =>
      changeAny(setting, `state = 'requested'`, (uuid) =>
        store.changeCertificateState(database.executor, uuid, {
          from: ['requested'],
          to: 'pending_issue',
          at: clock.now(),
        }),
      ),
    revoke: () =>
      changeAny(setting, `state = 'issued'`, (uuid) =>
        store.markRevoked(database.executor, uuid, { reason: 'superseded', at: clock.now() }),
      ),
  };
}

function inventoryOperations(setting: Setting): ActivityOperations {
  const { test, random, one, profiles, uploads } = setting;
  const { platform, inventory, clock, context } = test;
  const { database } = platform;
  return {
    upload: () => test.upload(one(uploads).der),
    validate: () => changeAny(setting, 'fingerprint IS NOT NULL', (uuid) => inventory.validate(uuid, context)),
    archive: () =>
      changeAny(setting, undefined, (uuid) =>
        database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]),
      ),
    archiveMany: () =>
      database.query(
        `WITH turned AS (SELECT uuid FROM certificate WHERE key_size = 384 ORDER BY uuid FOR UPDATE)
         UPDATE certificate c SET archived = NOT archived FROM turned WHERE turned.uuid = c.uuid`,
      ),
    unarchive: () =>
      changeAny(setting, 'archived', (uuid) =>
        database.query('UPDATE certificate SET archived = false WHERE uuid = $1', [uuid]),
      ),
    assignGroups: () =>
      changeAny(setting, undefined, async (uuid) =>
        inventory.update(uuid, { groupUuids: await someGroups(setting) }, context),
      ),
    leaveProfile: () => changeAny(setting, undefined, (uuid) => inventory.update(uuid, { raProfileUuid: '' }, context)),
    enterProfile: () =>
      changeAny(setting, undefined, (uuid) =>
        assign(database.executor, uuid, { assignment: { ra_profile_uuid: one(profiles).uuid }, at: clock.now() }),
      ),
    releaseProfile: () => database.transaction((tx) => releaseRaProfiles(tx, [one(profiles).uuid], clock.now())),
    deleteOne: () => changeAny(setting, undefined, (uuid) => inventory.remove(uuid, context)),
    deleteMany: async () => {
      const uuids = (await certificates(database)).filter(() => random() < 0.1).map(({ uuid }) => uuid);
      await inventory.removeMany({ uuids }, context);
    },
  };
}

function groupOperations({ test, one }: Setting): ActivityOperations {
  const { platform, audit } = test;
  const { database } = platform;
  const service = createGroupService(platform, { audit, attributes: createAttributeEngine(platform) });
  const context = { ...test.context, audit: { module: 'core', resource: 'groups', operation: 'update' } as const };
  return {
    createGroup: async () => {
      if ((await groups(database)).length < 5) await service.create({ name: `group ${newUuid()}` }, context);
    },
    deleteGroup: async () => {
      const known = await groups(database);
      if (known.length > 2) await service.remove(one(known).uuid, context);
    },
  };
}

function otherOperations(setting: Setting): ActivityOperations {
  const { test, random } = setting;
  const { platform, clock } = test;
  const { database } = platform;
  return {
    abort: () =>
      database
        .transaction(async (tx) => {
          await store.changeCertificateState(tx, (await anyCertificate(setting)) ?? newUuid(), {
            from: ['issued', 'requested'],
            to: 'rejected',
            at: clock.now(),
          });
          throw new Error('aborted on purpose');
        })
        .catch(() => undefined),
    waitForHours: async () => clock.advance(random() * 3 * 3_600_000),
  };
}

/** Reserves certificates, some of them in groups. */
async function ask(setting: Setting, count: number): Promise<Reservation[]> {
  const { test, random } = setting;
  const { database } = test.platform;
  const reservations = Array.from({ length: count }, () => reservation(setting));
  const inGroups = random() < 0.3 ? await someGroups(setting) : [];
  if (inGroups.length === 0) await reserve(database.hot, reservations, []);
  else
    await database.transaction(async (tx) => {
      await reserve(tx, reservations, []);
      for (const { certificateUuid } of reservations)
        await replaceMemberships(tx, { resource: 'certificates', uuid: certificateUuid }, inGroups);
    });
  return reservations;
}

function reservation({ test, one, profiles }: Setting): Reservation {
  const at = test.clock.now();
  const key = one([
    ['ECDSA', 256],
    ['ECDSA', 384],
    ['RSA', 2048],
  ] as const);
  return {
    certificateUuid: newUuid(), operationUuid: newUuid(), kind: 'issue', raProfileUuid: one(profiles).uuid, predecessorUuid: null,
    requesterUuid: null, requesterName: 'alice', payload: {}, leasedBy: newUuid(), leasedUntil: at, createdAt: at,
    historyUuid: newUuid(), owner: null,
    protocol: one([null, { protocol: 'acme', profileUuid: newUuid(), accountUuid: null }] as const),
    request: {
      uuid: newUuid(), fingerprint: sha256(newUuid()), format: 'pkcs10', der: new Uint8Array([48, 0]), common_name: 'asked.test',
      subject_dn: 'CN=asked.test', subject_dn_normalized: '2.5.4.3=asked.test', public_key_algorithm: key[0],
      public_key_fingerprint: sha256(newUuid()), key_size: key[1], signature_algorithm: 'SHA256withECDSA', alt_public_key_algorithm: null,
      alt_key_size: null, alt_signature_algorithm: null, subject_alternative_names: {},
    },
  }; // prettier-ignore
}

async function record(setting: Setting, reservations: readonly Reservation[]): Promise<void> {
  await recordIssued(setting.test.platform.database.hot, resultsOf(setting, reservations), []);
}

async function recordUnreserved(setting: Setting, count: number): Promise<void> {
  const { test } = setting;
  const reservations = Array.from({ length: count }, () => reservation(setting));
  const results = resultsOf(setting, reservations);
  const audit = test.audit.record(test.context, {
    facts: { module: 'certificates', resource: 'certificates', operation: 'issue' },
  });
  const items = reservations.flatMap((wanted, index) => {
    const result = results[index];
    return result ? [{ reservation: wanted, result, audit: { requested: audit, issued: audit } }] : [];
  });
  await recordImmediate(test.platform.database.hot, items);
}

function resultsOf({ test, one, issued }: Setting, reservations: readonly Reservation[]): IssuedResult[] {
  const at = test.clock.now();
  const endsAt = new Date(at.getTime() + one([-1, 0.01, 5, 15, 29.99, 45, 75, 365]) * DAY_MS);
  return reservations.map(({ certificateUuid, operationUuid, request }): IssuedResult => ({
    certificateUuid, operationUuid: operationUuid ?? newUuid(), action: 'issue', der: issued.der, issuerCertificateUuid: null, issuerSerialNumber: null,
    validationStatus: one(['valid', 'invalid']), relationType: null, at,
    facts: {
      common_name: 'asked.test', subject_dn: 'CN=asked.test', subject_dn_normalized: '', issuer_common_name: '', issuer_dn: '',
      issuer_dn_normalized: '', serial_number: newUuid(), fingerprint: sha256(newUuid()), not_before: at, not_after: endsAt,
      public_key_algorithm: request.public_key_algorithm, public_key_fingerprint: request.public_key_fingerprint,
      key_size: request.key_size, signature_algorithm: one(['SHA256withECDSA', 'SHA384withECDSA']), key_usage: 1,
      extended_key_usage: [], subject_type: 'endEntity', trusted_ca: null, subject_alternative_names: {},
      hybrid_certificate: false, alt_public_key_algorithm: null, alt_key_size: null, alt_signature_algorithm: null,
    },
    history: {
      uuid: newUuid(), event: 'Issue Certificate', status: 'SUCCESS', message: '', additional: null, created_at: at, created_by: 'alice',
    },
  })); // prettier-ignore
}

async function changeAny(
  setting: Setting,
  where: string | undefined,
  change: (uuid: string) => Promise<unknown>,
): Promise<void> {
  const uuid = await anyCertificate(setting, where);
  if (uuid !== undefined) await change(uuid);
}

async function anyCertificate({ test, one }: Setting, where?: string): Promise<string | undefined> {
  const rows = await certificates(test.platform.database, where);
  return rows.length === 0 ? undefined : one(rows).uuid;
}

async function someGroups({ test, random }: Setting): Promise<string[]> {
  return (await groups(test.platform.database)).filter(() => random() < 0.4).map(({ uuid }) => uuid);
}

const certificates = (database: Database, where = 'true') =>
  database.query<{ uuid: string }>(`SELECT uuid FROM certificate WHERE ${where} ORDER BY uuid`);

const groups = (database: Database) => database.query<{ uuid: string }>('SELECT uuid FROM object_group ORDER BY uuid');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
