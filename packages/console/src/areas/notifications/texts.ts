// Display text for notification events, recipients and repetition.
import { ResourceEvent, type NotificationProfileDetailDto, type RecipientType } from '@signetry/contract';

/** Formats `Certificate expiring`. */
export const describeEvent = (event: ResourceEvent): string => {
  const label = ResourceEvent.labels[event];
  return label.slice(0, 1) + label.slice(1).toLowerCase();
};

export const recipientTexts: Readonly<Record<RecipientType, string>> = {
  default: 'Everyone the event concerns',
  owner: 'Owner of the object',
  user: 'Selected users',
  group: 'Members of selected groups',
  role: 'Users with selected roles',
  none: 'No recipients (webhook only)',
};

const HOURS_OF_DAY = 24;

/** Formats `day`, `3 days` or `36 hours`, for use after `every`. */
function describeInterval(hours: number): string {
  const [count, unit] = hours % HOURS_OF_DAY === 0 ? [hours / HOURS_OF_DAY, 'day'] : [hours, 'hour'];
  return count === 1 ? unit : `${count.toLocaleString()} ${unit}s`;
}

/** Describes how often recipients are notified while a condition lasts. */
export function describeRepetition(
  hours: number | undefined,
  repetitions: NotificationProfileDetailDto['repetitions'],
): string {
  if (hours === undefined) return 'Once';
  const every = `Every ${describeInterval(hours)} while the condition lasts`;
  if (repetitions === undefined) return every;
  return `${every}, at most ${repetitions === 1 ? 'once' : `${repetitions.toLocaleString()} times`}`;
}

/** Formats `in their inbox and through Mail`. */
export const describeChannels = (isInternal: boolean, provider: string | undefined): string =>
  [isInternal ? 'in their inbox' : '', provider === undefined ? '' : `through ${provider}`]
    .filter(Boolean)
    .join(' and ');
