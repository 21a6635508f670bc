// What notifications are about, and whom they go to, in words.
import { ResourceEvent, type NotificationProfileDetailDto, type RecipientType } from '@signetry/contract';

/** `Certificate expiring`. */
export const wordsOfEvent = (event: ResourceEvent): string => {
  const label = ResourceEvent.labels[event];
  return label.slice(0, 1) + label.slice(1).toLowerCase();
};

export const recipientWords: Readonly<Record<RecipientType, string>> = {
  default: 'Whom the event concerns',
  owner: 'The owner of the object',
  user: 'Named users',
  group: 'The members of groups',
  role: 'Everybody with a role',
  none: 'Nobody: the provider is called without recipients',
};

const HOURS_OF_DAY = 24;

/** `day`, `3 days`, `36 hours`; what follows `every`. */
function wordsOfInterval(hours: number): string {
  const [count, unit] = hours % HOURS_OF_DAY === 0 ? [hours / HOURS_OF_DAY, 'day'] : [hours, 'hour'];
  return count === 1 ? unit : `${count.toLocaleString()} ${unit}s`;
}

/** How often somebody is told of an event that lasts. */
export function wordsOfRepeating(
  hours: number | undefined,
  repetitions: NotificationProfileDetailDto['repetitions'],
): string {
  if (hours === undefined) return 'Once';
  const every = `Every ${wordsOfInterval(hours)}, as long as it lasts`;
  if (repetitions === undefined) return every;
  return `${every}, ${repetitions === 1 ? 'once' : `${repetitions.toLocaleString()} times`} at most`;
}

/** `in their inbox and through Mail`. */
export const wordsOfWays = (isInternal: boolean, provider: string | undefined): string =>
  [isInternal ? 'in their inbox' : '', provider === undefined ? '' : `through ${provider}`]
    .filter(Boolean)
    .join(' and ');
