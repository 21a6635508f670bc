// Events and steps of automation in words. Pure.
import type { ExecutionItemDto, ResourceEvent } from '@signetry/contract';
import { nameOfField } from '../../kit/filters/filter-fields.ts';

/** By themselves, e.g. as choices. */
export const eventWords: Readonly<Record<ResourceEvent, string>> = {
  certificate_discovered: 'A certificate is discovered',
  certificate_expiring: 'A certificate is about to expire',
  certificate_status_changed: 'The validation status of a certificate changes',
  certificate_action_performed: 'A certificate was issued, renewed, rekeyed or revoked',
  certificate_not_compliant: 'A certificate is found not to comply',
  discovery_finished: 'A discovery ends',
  approval_requested: 'An approval is requested',
  approval_closed: 'An approval is decided or expires',
  scheduled_job_finished: 'A scheduled job ends',
};

/** The name of a field that is set, in the middle of a sentence. */
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

/** `set the group to “Legacy”`, `notify “Operations”`, `take away the owner`. */
export function wordsOfStep(item: ExecutionItemDto): string {
  const { notificationProfileUuid, notificationProfileName } = item;
  if (notificationProfileUuid !== undefined)
    return notificationProfileName === undefined
      ? 'notify by a notification profile that is not there any more'
      : `notify “${notificationProfileName}”`;
  const name = nameOfSetField(item);
  const values = valuesOf(item.data);
  if (values.length === 0) return `take away the ${name}`;
  return `set the ${values.length > 1 ? plural(name) : name} to ${joined(values.map((value) => `“${value}”`))}`;
}

const plural = (name: string): string => (name.startsWith('“') ? name : `${name}s`);

/** Objects by name, content items by their value. */
function valuesOf(data: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  return given.map(wordsOfValue);
}

function wordsOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  for (const member of ['name', 'reference', 'data'] as const) {
    const held: unknown = Reflect.get(value, member);
    if (typeof held === 'boolean') return held ? 'yes' : 'no';
    if (typeof held === 'string' || typeof held === 'number') return String(held);
  }
  return JSON.stringify(value);
}

/** `A, B and C`. */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join();
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Items of executions as they were when something was done. */
export const stepItems = (items: readonly unknown[]): readonly ExecutionItemDto[] =>
  items.filter((item): item is ExecutionItemDto => typeof item === 'object' && item !== null);
