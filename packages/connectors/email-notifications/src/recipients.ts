// Who gets a mail: each address once.
import { plainText } from '@signetry/connector-sdk/notification';
import type { NotificationRecipientDto } from '@signetry/contract';
import { isMailAddress } from './attributes/mail-address.ts';
import type { Recipient } from './templates/placeholders.ts';

export interface Recipients {
  readonly recipients: readonly Recipient[];
  /** Why others get none. */
  readonly problems: readonly string[];
}

export function recipientsOf(given: readonly NotificationRecipientDto[]): Recipients {
  const recipients = new Map<string, Recipient>();
  const problems: string[] = [];
  for (const { name, email = '' } of given) {
    const address = email.trim();
    if (address === '') continue;
    if (isMailAddress(address)) recipients.set(address.toLowerCase(), { name: plainText(name), email: address });
    else problems.push(`${plainText(name, 100)}: "${plainText(address, 100)}" is no e-mail address.`);
  }
  if (recipients.size === 0 && problems.length === 0)
    problems.push('None of the recipients has an e-mail address. Give them one, or choose other recipients.');
  return { recipients: [...recipients.values()], problems };
}
