// For ACME tests only: accounts, orders and authorizations as the protocol server stores them, without its requests.
import type { Insertable } from 'kysely';
import { newUuid, randomToken } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AcmeTables } from '../model/tables.ts';

const HOUR_MS = 3_600_000;

export interface AccountFacts {
  readonly acmeProfileUuid: string;
  readonly raProfileUuid?: string;
  readonly status?: AcmeTables['acme_account']['status'];
  readonly eabKey?: { readonly uuid: string; readonly keyId: string };
  readonly gone?: { readonly successful: number; readonly failed: number };
}

export interface OrderFacts {
  readonly accountUuid: string;
  readonly status?: AcmeTables['acme_order']['status'];
  readonly authorizationUuids?: readonly string[];
  readonly certificateUuid?: string;
  readonly csr?: Uint8Array;
  readonly profile?: string;
  readonly lease?: LeaseFacts;
  readonly expiresInMs?: number;
}

export interface AuthorizationFacts {
  readonly accountUuid: string;
  readonly status?: AcmeTables['acme_authorization']['status'];
  readonly challengeStatus?: AcmeTables['acme_authorization']['challenge_status'];
  /** Default: `a.test`. */
  readonly host?: string;
  readonly orderUuid?: string;
  readonly lease?: LeaseFacts;
  readonly expiresInMs?: number;
}

/** The holder of a lease and its remaining time. */
export interface LeaseFacts {
  readonly by: string | null;
  readonly forMs: number;
}

type CountedTable = 'acme_account' | 'acme_order' | 'acme_authorization';

interface RowsParts {
  readonly database: Database;
  readonly clock: { now(): Date };
}

export type AcmeRows = ReturnType<typeof createAcmeRows>;

export function createAcmeRows(database: Database, clock: { now(): Date }) {
  const parts: RowsParts = { database, clock };

  return {
    account: (facts: AccountFacts) => account(parts, facts),
    order: (facts: OrderFacts) => order(parts, facts),
    authorization: (facts: AuthorizationFacts) => authorization(parts, facts),
    certificate: (state: string) => certificate(parts, state),
    count: (table: CountedTable, accountUuid: string) => count(parts, table, accountUuid),
  };
}

const tablesOf = (database: Database) => database.executor.withTables<AcmeTables>();

const after = (clock: RowsParts['clock'], milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds);

async function account(
  parts: RowsParts,
  facts: AccountFacts,
): Promise<{ readonly uuid: string; readonly accountId: string }> {
  const { database, clock } = parts;
  const [uuid, accountId] = [newUuid(), randomToken(16)];
  const row: Insertable<AcmeTables['acme_account']> = {
    uuid,
    account_id: accountId,
    acme_profile_uuid: facts.acmeProfileUuid,
    ra_profile_uuid: facts.raProfileUuid ?? null,
    status: facts.status ?? 'valid',
    enabled: true,
    key_thumbprint: randomToken(),
    jwk: JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }),
    contact: ['mailto:web@pki.test'],
    terms_of_service_agreed: true,
    eab_key_uuid: facts.eabKey?.uuid ?? null,
    eab_key_id: facts.eabKey?.keyId ?? null,
    successful_orders_gone: facts.gone?.successful ?? 0,
    failed_orders_gone: facts.gone?.failed ?? 0,
    created_at: clock.now(),
    updated_at: clock.now(),
  };
  await tablesOf(database).insertInto('acme_account').values(row).execute();
  return { uuid, accountId };
}

async function order(parts: RowsParts, facts: OrderFacts): Promise<string> {
  const { database, clock } = parts;
  const uuid = newUuid();
  await tablesOf(database)
    .insertInto('acme_order')
    .values({
      uuid,
      account_uuid: facts.accountUuid,
      status: facts.status ?? 'pending',
      identifiers: JSON.stringify([{ type: 'dns', value: 'a.test' }]),
      names: ['dns:a.test'],
      authorization_uuids: [...(facts.authorizationUuids ?? [])],
      not_before: null,
      not_after: null,
      profile: facts.profile ?? null,
      replaces: null,
      replaced_certificate_uuid: null,
      csr: facts.csr ? Buffer.from(facts.csr) : null,
      certificate_uuid: facts.certificateUuid ?? null,
      leased_by: facts.lease?.by ?? null,
      leased_until: facts.lease ? after(clock, facts.lease.forMs) : null,
      error: null,
      expires_at: after(clock, facts.expiresInMs ?? HOUR_MS),
      created_at: clock.now(),
      reuse_key: null,
    })
    .execute();
  return uuid;
}

async function authorization(parts: RowsParts, facts: AuthorizationFacts): Promise<string> {
  const { database, clock } = parts;
  const uuid = newUuid();
  await tablesOf(database)
    .insertInto('acme_authorization')
    .values({
      uuid,
      account_uuid: facts.accountUuid,
      order_uuid: facts.orderUuid ?? newUuid(),
      identifier_type: 'dns',
      identifier_value: facts.host ?? 'a.test',
      wildcard: false,
      status: facts.status ?? 'pending',
      token: randomToken(),
      challenge_type: facts.challengeStatus ? 'http-01' : null,
      challenge_status: facts.challengeStatus ?? null,
      error: null,
      validated_at: null,
      leased_by: facts.lease?.by ?? null,
      leased_until: facts.challengeStatus === 'processing' ? after(clock, facts.lease?.forMs ?? HOUR_MS) : null,
      expires_at: after(clock, facts.expiresInMs ?? HOUR_MS),
      created_at: clock.now(),
    })
    .execute();
  return uuid;
}

/** Creates a certificate object in this state; its contents do not matter. */
async function certificate(parts: RowsParts, state: string): Promise<string> {
  const { database } = parts;
  const uuid = newUuid();
  await database.query(
    `INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm,
       public_key_fingerprint, key_size, subject_alternative_names, created_at, updated_at)
     VALUES ($1, $2, 'a.test', 'CN=a.test', 'cn=a.test', 'ECDSA', $3, 256, '{}', now(), now())`,
    [uuid, state, randomToken()],
  );
  return uuid;
}

/** Returns the number of rows of an account. */
async function count(parts: RowsParts, table: CountedTable, accountUuid: string): Promise<number> {
  const { database } = parts;
  const column = table === 'acme_account' ? 'uuid' : 'account_uuid';
  const rows = await database.query(`SELECT FROM ${table} WHERE ${column} = $1`, [accountUuid]);
  return rows.length;
}
