// Operators create and withdraw one-time secrets here. A secret is shown only once.
import { MAX_SECRET_HOURS, type EnrollmentSecretDto, type EnrollmentSecretRequest } from '@signetry/contract';
import { buildName, normalizeName, parseNameText } from '@signetry/pki';
import { randomInt } from 'node:crypto';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { RaProfileFacts, RaProfiles } from '../../ra-profiles/index.ts';
import type { SecretRow } from '../tables.ts';
import * as store from './store.ts';
import { presentSecret } from './present.ts';
import { hashOf, sealSecret } from './sealed-secret.ts';

const HOUR_MS = 3_600_000;
const USUAL_HOURS = 24;
const REFERENCE_CHARACTERS = 10;
/** Equivalent to 160 bits. */
const SECRET_CHARACTERS = 32;

export interface SecretParts {
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'findByUuid'>;
}

export type SecretManagement = ReturnType<typeof createSecretManagement>;

export function createSecretManagement(platform: Platform, { audit, raProfiles }: SecretParts) {
  const { database, clock } = platform;

  async function raProfileOf(uuid: string): Promise<RaProfileFacts> {
    const found = await raProfiles.findByUuid(uuid);
    if (!found) throw notFound('RA profile', uuid);
    return found;
  }

  async function list(raProfileUuid: string): Promise<EnrollmentSecretDto[]> {
    await raProfileOf(raProfileUuid);
    const now = clock.now();
    return (await store.findAll(database.executor, raProfileUuid)).map((row) => presentSecret(row, now));
  }

  async function issueSecret(
    raProfileUuid: string,
    request: EnrollmentSecretRequest,
    context: RequestContext,
  ): Promise<{ readonly shown: EnrollmentSecretDto; readonly secret: Secret }> {
    const raProfile = await raProfileOf(raProfileUuid);
    const secret = randomSecretText(SECRET_CHARACTERS);
    const createdBy = context.actor.username ?? 'signetry';
    const row = newRow(platform, { raProfileUuid: raProfile.uuid, request, secret, createdBy });
    await database.transaction(async (tx) => {
      await store.insert(tx, row);
      await record(tx, { row, raProfile }, context);
    });
    return { shown: presentSecret(row, row.created_at), secret: new Secret(secret) };
  }

  /** Has no effect on a secret that has already been used or withdrawn. */
  async function withdraw(
    { raProfileUuid, secretUuid }: { readonly raProfileUuid: string; readonly secretUuid: string },
    context: RequestContext,
  ): Promise<void> {
    const raProfile = await raProfileOf(raProfileUuid);
    await database.transaction(async (tx) => {
      const row = await store.lock(tx, { uuid: secretUuid, raProfileUuid });
      if (!row) throw notFound('One-time secret', secretUuid);
      if (row.used_at !== null || row.withdrawn_at !== null) return;
      await store.withdraw(tx, row.uuid, clock.now());
      await record(tx, { row, raProfile }, context);
    });
  }

  const record = (
    tx: Executor,
    { row, raProfile }: { readonly row: SecretRow; readonly raProfile: RaProfileFacts },
    context: RequestContext,
  ): Promise<void> =>
    audit.append(tx, context, {
      objects: [{ uuid: raProfile.uuid, name: raProfile.name }],
      data: {
        enrollmentSecret: {
          uuid: row.uuid,
          protocol: row.protocol,
          reference: row.reference,
          expiresAt: row.expires_at.toISOString(),
          ...(row.subject === null ? {} : { subject: row.subject }),
          ...row.alt_names,
        },
      },
    });

  return { list, handOut: issueSecret, withdraw };
}

function newRow(
  { clock, sealer }: Platform,
  facts: {
    readonly raProfileUuid: string;
    readonly request: EnrollmentSecretRequest;
    readonly secret: string;
    readonly createdBy: string;
  },
): SecretRow {
  const { raProfileUuid, request, secret, createdBy } = facts;
  const [uuid, now] = [newUuid(), clock.now()];
  return {
    uuid,
    protocol: request.protocol,
    ra_profile_uuid: raProfileUuid,
    reference: randomSecretText(REFERENCE_CHARACTERS),
    secret_hash: hashOf(secret),
    sealed_secret: sealSecret(sealer, uuid, secret),
    ...namesOf(request),
    created_at: now,
    created_by: createdBy,
    expires_at: expiryOf(request, now),
    withdrawn_at: null,
    used_at: null,
    enrollment_uuid: null,
  };
}

function expiryOf({ expiresAt }: EnrollmentSecretRequest, now: Date): Date {
  if (expiresAt === undefined) return new Date(now.getTime() + USUAL_HOURS * HOUR_MS);
  const at = new Date(expiresAt);
  if (at <= now) throw rejected(`The secret would expire at ${at.toISOString()}, which is in the past.`);
  if (at.getTime() > now.getTime() + MAX_SECRET_HOURS * HOUR_MS)
    throw rejected(`The secret would expire at ${at.toISOString()}; the latest possible expiry is one year from now.`);
  return at;
}

function namesOf(request: EnrollmentSecretRequest): Pick<SecretRow, 'subject' | 'subject_normalized' | 'alt_names'> {
  const { dnsNames, ipAddresses, emails } = request;
  const alt_names = { dnsNames, ipAddresses, emails };
  return { ...subjectOf(request), alt_names };
}

function subjectOf({ subject = '' }: EnrollmentSecretRequest): Pick<SecretRow, 'subject' | 'subject_normalized'> {
  if (subject.trim() === '') return { subject: null, subject_normalized: null };
  try {
    return { subject, subject_normalized: normalizeName(buildName(parseNameText(subject))) };
  } catch (error) {
    throw rejected(`subject: ${(error as Error).message}`); // The parser throws only its own errors.
  }
}

// Users may read these secrets out loud and type them, so the alphabet contains no characters that look alike.

/** 32 characters of five bits each: Crockford's Base32 in lowercase, without I, L, O and U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const randomSecretText = (characters: number): string =>
  Array.from({ length: characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
