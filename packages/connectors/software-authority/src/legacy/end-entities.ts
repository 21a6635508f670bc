// End entities: the subjects that can enroll, with their names and the password for their next certificate.
import { notFound, rejected } from '@signetry/connector-sdk';
import type { AddEndEntityRequestDto, EditEndEntityRequestDto, EndEntityDto } from '@signetry/contract';
import { buildName, parseNameText, parseTbsCertificate } from '@signetry/pki';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { gatherProblems } from '../problems.ts';
import { revokeCertificate } from '../revocation/revoke-certificate.ts';
import { newUuid } from '../uuid.ts';
import { readAltNames } from './alt-names.ts';
import type { EndEntityProfile } from './end-entity-profiles.ts';
import type { EndEntityFacts, EndEntityRow } from './end-entity-store.ts';
import { profileOfPath, type LegacyParts } from './legacy-parts.ts';
import { choiceOf } from './legacy-ra-profile.ts';
import { hashPassword } from './password.ts';

/** Path parameters of an end entity profile. */
interface ProfilePath {
  readonly uuid: string;
  readonly endEntityProfileName: string;
}

interface EndEntityPath extends ProfilePath {
  readonly endEntityName: string;
}

export async function listEndEntities(parts: LegacyParts, path: ProfilePath): Promise<EndEntityDto[]> {
  const { authority, profile } = await profileOfPath(parts, path.uuid, path.endEntityProfileName);
  return (await parts.entities.findAll(authority.uuid, profile.name)).map(present);
}

export const getEndEntity = async (parts: LegacyParts, path: EndEntityPath): Promise<EndEntityDto> =>
  present((await requireEndEntity(parts, path)).entity);

export async function requireEndEntity(
  parts: LegacyParts,
  { uuid, endEntityProfileName, endEntityName }: EndEntityPath,
): Promise<{
  readonly authority: SigningAuthority;
  readonly profile: EndEntityProfile;
  readonly entity: EndEntityRow;
}> {
  const { authority, profile } = await profileOfPath(parts, uuid, endEntityProfileName);
  const entity = await parts.entities.find(authority.uuid, profile.name, endEntityName);
  if (!entity) throw notFound('End entity', endEntityName.slice(0, 100));
  return { authority, profile, entity };
}

export async function addEndEntity(
  parts: LegacyParts,
  path: ProfilePath,
  given: AddEndEntityRequestDto,
): Promise<void> {
  const { context, entities } = parts;
  const { authority, profile } = await profileOfPath(parts, path.uuid, path.endEntityProfileName);
  const { username } = given;
  if (!/^[^\p{Cc}]{1,255}$/u.test(username) || username.trim() === '')
    throw rejected('username: must consist of 1 to 255 characters without control characters.');
  const facts = await factsOf(parts, profile, { ...given, status: 'NEW' });
  const now = context.clock.now();
  const uuid = newUuid(now.getTime(), context.randomBytes);
  if (!(await entities.insert({ ...facts, uuid, authority_uuid: authority.uuid, username }, now)))
    throw rejected(`End entity ${username} already exists.`);
}

/**
 * Replaces all fields. A new password is required only for the state NEW. In all other states, there is no password.
 */
export async function editEndEntity(
  parts: LegacyParts,
  path: EndEntityPath,
  given: EditEndEntityRequestDto,
): Promise<void> {
  const { profile, entity } = await requireEndEntity(parts, path);
  const facts = await factsOf(parts, profile, given);
  if (!(await parts.entities.replace(entity.uuid, facts, parts.context.clock.now())))
    throw notFound('End entity', entity.username);
}

/**
 * Invalidates the current password. There is no channel to deliver a new one, so the next password is set by an edit.
 */
export async function resetPassword(parts: LegacyParts, path: EndEntityPath): Promise<void> {
  const { entity } = await requireEndEntity(parts, path);
  await parts.entities.forgetPassword(entity.uuid, parts.context.clock.now());
}

/** Revokes the unexpired certificates, then deletes the end entity; can be repeated. */
export async function removeEndEntity(parts: LegacyParts, path: EndEntityPath): Promise<void> {
  const { authority, entity } = await requireEndEntity(parts, path);
  // Prevents enrollment while the certificates are being revoked.
  await parts.entities.forgetPassword(entity.uuid, parts.context.clock.now());
  for (const key of await parts.entities.findEnrollmentKeys(entity.uuid))
    await revokeEnrolledCertificate(parts, authority, key);
  await parts.entities.remove(entity.uuid);
}

async function revokeEnrolledCertificate(parts: LegacyParts, authority: SigningAuthority, key: string): Promise<void> {
  const { journal, revocations, shards, context } = parts;
  const now = context.clock.now();
  const entry = await journal.findByKey(authority.uuid, key);
  if (!entry || entry.expiresAt <= now || (await revocations.find(authority.uuid, entry.serial))) return;
  const certificate = parseTbsCertificate(entry.tbs);
  await revokeCertificate(revocations, {
    authority,
    known: { ...entry, certificate },
    shardUuid: await shards.findByCertificate(authority.uuid, certificate),
    reason: 'cessationOfOperation',
    attributes: [],
    idempotencyKey: undefined,
    now,
  });
}

/** States that belong to features that this CA does not support: key recovery, and approval of new end entities. */
const NOT_HERE: readonly EndEntityRow['status'][] = ['KEY_RECOVERY', 'WAITING_FOR_ADD_APPROVAL'];

async function factsOf(
  { context }: LegacyParts,
  profile: EndEntityProfile,
  given: EditEndEntityRequestDto,
): Promise<EndEntityFacts> {
  const { subjectDN, subjectAltName, email, status, password, raProfile, extensionData = [] } = given;
  const problems = gatherProblems();
  problems.attempt('subjectDN', () => buildName(parseNameText(subjectDN)));
  readAltNames(subjectAltName, problems);
  if (NOT_HERE.includes(status)) problems.add(`status: ${status} is not supported by this authority.`);
  if (status === 'NEW' && password === '') problems.add('password: required for the state NEW.');
  problems.refuse();
  const { certificateProfile, settings } = choiceOf(profile, raProfile);
  return {
    profile: profile.name,
    subject_dn: subjectDN,
    alt_names: subjectAltName?.trim() || null,
    email: email?.trim() || null,
    extension_data: extensionData,
    certificate_profile: certificateProfile,
    settings,
    status,
    password: status === 'NEW' ? await hashPassword(password, context.randomBytes) : null,
  };
}

const present = (row: EndEntityRow): EndEntityDto => ({
  username: row.username,
  subjectDN: row.subject_dn,
  status: row.status,
  extensionData: [...row.extension_data],
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.alt_names === null ? {} : { subjectAltName: row.alt_names }),
});
