// Text for automation events and steps. Pure.
import type { ExecutionItemDto, ResourceEvent } from '@signetry/contract';
import { nameOfField } from '../../kit/filters/filter-fields.ts';

/** For use outside of sentences, e.g. as choices. */
export const eventTexts: Readonly<Record<ResourceEvent, string>> = {
  certificate_discovered: 'Certificate discovered',
  certificate_expiring: 'Certificate about to expire',
  certificate_status_changed: 'Certificate validation status changed',
  certificate_action_performed: 'Certificate issued, renewed, rekeyed or revoked',
  certificate_not_compliant: 'Certificate found non-compliant',
  discovery_finished: 'Discovery finished',
  approval_requested: 'Approval requested',
  approval_closed: 'Approval decided or expired',
  scheduled_job_finished: 'Scheduled job finished',
};

/** Returns the name of the field that is set, for use within a sentence. */
export function nameOfSetField(item: Pick<ExecutionItemDto, 'fieldSource' | 'fieldIdentifier'>): string {
  const { fieldSource = 'property', fieldIdentifier = '' } = item;
  const known: Readonly<Record<string, string>> = {
    RA_PROFILE_NAME: 'RA profile',
    GROUP_NAME: 'group',
    OWNER: 'owner',
    CK_GROUP: 'group',
    CK_OWNER: 'owner',
  };
  if (fieldSource === 'property' && known[fieldIdentifier] !== undefined) return known[fieldIdentifier];
  const name = nameOfField('certificates', { fieldSource, fieldIdentifier });
  return fieldSource === 'property' ? name : `“${name}”`;
}

/** Formats `set the group to “Legacy”`, `notify “Operations”` or `remove the owner`. */
export function describeStep(item: ExecutionItemDto): string {
  const { notificationProfileUuid, notificationProfileName } = item;
  if (notificationProfileUuid !== undefined)
    return notificationProfileName === undefined
      ? 'notify through a deleted notification profile'
      : `notify “${notificationProfileName}”`;
  const name = nameOfSetField(item);
  const values = valuesOf(item.data);
  if (values.length === 0) return `remove the ${name}`;
  return `set the ${values.length > 1 ? plural(name) : name} to ${formatList(values.map((value) => `“${value}”`))}`;
}

const plural = (name: string): string => (name.startsWith('“') ? name : `${name}s`);

/** Returns the names of objects, and the values of content items. */
function valuesOf(data: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  return given.map(describeValue);
}

function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  for (const member of ['name', 'reference', 'data'] as const) {
    const held: unknown = Reflect.get(value, member);
    if (typeof held === 'boolean') return held ? 'yes' : 'no';
    if (typeof held === 'string' || typeof held === 'number') return String(held);
  }
  return JSON.stringify(value);
}

/** Formats `A, B and C`. */
export function formatList(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join();
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Returns the execution items that were recorded when the step was run. */
export const stepItems = (items: readonly unknown[]): readonly ExecutionItemDto[] =>
  items.filter((item): item is ExecutionItemDto => typeof item === 'object' && item !== null);
