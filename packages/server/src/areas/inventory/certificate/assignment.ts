// Assignments of a certificate, as changes with history messages. Pure.
import type { PermissionSet, RequestContext } from '../../../kernel/actor.ts';
import { assertMayTransfer } from '../../identity/index.ts';
import type { Assignment } from './store-changes.ts';
import type { CertificateRow } from '../../certificates/index.ts';

/** A change as shown in the history, with the columns that the change writes. */
export interface AssignmentChange {
  readonly event: 'Update RA Profile' | 'Update Group' | 'Update Owner' | 'Update Entity';
  readonly message: string;
  readonly additional?: Record<string, unknown>;
  readonly assignment: Assignment;
}

export interface DesiredOwner {
  /** Absent if the owner is removed. */
  readonly user: { readonly uuid: string; readonly username: string; readonly permissions: PermissionSet } | undefined;
}

/** Rejects the change if it would give the new owner permissions that the caller cannot grant. */
export function ownerChange(
  row: CertificateRow,
  wanted: DesiredOwner | undefined,
  context: RequestContext,
): AssignmentChange[] {
  if (!wanted || (wanted.user?.uuid ?? null) === row.owner_uuid) return [];
  const object = { resource: 'certificates', uuid: row.uuid, ownerUuid: row.owner_uuid } as const;
  if (wanted.user) assertMayTransfer(context, object, wanted.user);
  const message = formatChange(row.owner_username ?? undefined, wanted.user?.username);
  const assignment = { owner_uuid: wanted.user?.uuid ?? null, owner_username: wanted.user?.username ?? null };
  return [{ event: 'Update Owner', message, assignment }];
}

export function trustChange(row: CertificateRow, wanted: boolean | undefined): AssignmentChange[] {
  if (wanted === undefined || wanted === row.trusted_ca) return [];
  const message = `Trusted CA: ${formatChange(String(row.trusted_ca), String(wanted))}`;
  return [{ event: 'Update Entity', message, additional: { trustedCa: wanted }, assignment: { trusted_ca: wanted } }];
}

export interface Named {
  readonly uuid: string;
  readonly name: string;
}

export function groupChange(current: readonly Named[], wanted: readonly Named[] | undefined): AssignmentChange[] {
  if (!wanted) return [];
  const before = new Set(current.map(({ uuid }) => uuid));
  if (before.size === wanted.length && wanted.every(({ uuid }) => before.has(uuid))) return [];
  return [{ event: 'Update Group', message: formatChange(namesOf(current), namesOf(wanted)), assignment: {} }];
}

/** Returns the change in API format; clients display `undefined` for a missing value. */
export const formatChange = (from: string | undefined, to: string | undefined): string =>
  `${from ?? 'undefined'} -> ${to ?? 'undefined'}`;

const namesOf = (groups: readonly Named[]): string | undefined =>
  groups.length === 0 ? undefined : groups.map(({ name }) => name).join(', ');
