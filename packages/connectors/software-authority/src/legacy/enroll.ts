// Issues a certificate to an end entity. The password is reserved for this call before anything is signed, released if
// the request is rejected, and invalidated once the certificate is issued.
import { createHash } from 'node:crypto';
import { isConnectorError, rejected } from '@signetry/connector-sdk';
import type { LegacyCertificateSignRequestDto } from '@signetry/contract';
import { buildName, parseNameText } from '@signetry/pki';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import type { DesiredNames } from '../issuance/certificate-names.ts';
import { planCertificate, type CertificatePlan } from '../issuance/certificate-plan.ts';
import { readRequest } from '../issuance/certification-request.ts';
import type { IssuedCertificate } from '../issuance/signed-once.ts';
import type { Problems } from '../problems.ts';
import { newUuid } from '../uuid.ts';
import { readAltNames } from './alt-names.ts';
import { requireEndEntity } from './end-entities.ts';
import { MAX_WRONG_PASSWORDS, type EndEntityRow } from './end-entity-store.ts';
import type { LegacyParts } from './legacy-parts.ts';
import { isPassword } from './password.ts';

export interface Enrollment {
  readonly path: { readonly uuid: string; readonly endEntityProfileName: string };
  readonly given: LegacyCertificateSignRequestDto;
  readonly idempotencyKey: string | undefined;
}

export async function enroll(parts: LegacyParts, enrollment: Enrollment): Promise<IssuedCertificate> {
  const { context, entities, signOnce } = parts;
  const { path, given, idempotencyKey } = enrollment;
  const { authority, entity } = await requireEndEntity(parts, { ...path, endEntityName: given.username });
  // End entity certificates are looked up in the journal by idempotency key, so a call without a key is assigned one.
  const key = idempotencyKey ?? newUuid(context.clock.now().getTime(), context.randomBytes);
  const issuing = { authority, entity, given, key };
  try {
    const issued = await signOnce({
      authority,
      operation: 'issue',
      idempotencyKey: key,
      requestDigest: digestOf(entity, given),
      plan: (now) => plan(parts, issuing, now),
    });
    await entities.complete(entity, key, context.clock.now());
    return issued;
  } catch (error) {
    if (isConnectorError(error) && error.status === 422) await entities.release(entity, key, context.clock.now());
    throw error;
  }
}

/** Excludes the password, so that it cannot be guessed from stored data. */
const digestOf = ({ uuid }: EndEntityRow, { pkcs10 }: LegacyCertificateSignRequestDto): Uint8Array =>
  createHash('sha256').update(`enroll\0${uuid}\0`).update(pkcs10.replace(/\s+/g, '')).digest();

interface EnrollmentFacts extends Pick<Enrollment, 'given'> {
  readonly authority: SigningAuthority;
  readonly entity: EndEntityRow;
  readonly key: string;
}

async function plan(parts: LegacyParts, issuing: EnrollmentFacts, now: Date): Promise<CertificatePlan> {
  const { entities, shards, profileOf } = parts;
  const { authority, entity, given, key } = issuing;
  await admit(parts, issuing, now);
  const { csr } = await readRequest({ request: given.pkcs10, format: 'pkcs10' });
  const profile = profileOf(entity.settings, authority.uuid);
  await shards.announce(authority, profile.urls.crl);
  const planned = planCertificate({
    authority,
    profile,
    csr,
    names: (problems) => namesOf(entity, problems),
    validity: {},
    nowMs: now.getTime(),
  });
  if (await entities.claim(entity, key, now)) return planned;
  throw rejected(
    `The password of end entity ${entity.username} is being used by a different request, or has been changed.`,
  );
}

/** Admits only end entities in the right state with the correct password. */
async function admit({ entities }: LegacyParts, { entity, given, key }: EnrollmentFacts, now: Date): Promise<void> {
  const { status, password, username } = entity;
  const isExpected = status === 'NEW' || (status === 'IN_PROCESS' && entity.enrollment_key === key);
  if (!isExpected || password === null)
    throw rejected(
      `End entity ${username} is in the state ${status}; certificates are issued only in the state NEW. Edit it and set a new password.`,
    );
  if (await isPassword(given.password, password)) return;
  await entities.countWrongPassword(entity, now);
  throw rejected(
    `The password of end entity ${username} is incorrect. After ${MAX_WRONG_PASSWORDS} incorrect passwords, a new one must be set.`,
  );
}

/** Returns the names registered for the end entity. Only the key is taken from the request. */
const namesOf = (entity: EndEntityRow, problems: Problems): DesiredNames => ({
  subject: buildName(parseNameText(entity.subject_dn)),
  altNames: [
    ...readAltNames(entity.alt_names ?? undefined, problems),
    ...(entity.certificate_profile === 'EMAIL' && entity.email !== null && !includesEmail(entity)
      ? [{ kind: 'rfc822Name', value: entity.email } as const]
      : []),
  ],
  overridden: true,
});

const includesEmail = ({ alt_names: text }: EndEntityRow): boolean => /rfc822name=/i.test(text ?? '');
