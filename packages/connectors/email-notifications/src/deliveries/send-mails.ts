// A delivery to multiple recipients: each gets a separate email, and all outcomes are reported at the end.
import { rejected, unavailable } from '@signetry/connector-sdk';
import type { NotificationDelivery } from '@signetry/connector-sdk/notification';
import type { Mail } from '../mail.ts';
import { MailError } from '../smtp/mail-error.ts';
import { recipientDigest, type AcceptedMails } from './accepted-mails.ts';

export interface MailsToSend {
  readonly delivery: NotificationDelivery;
  readonly mails: readonly Mail[];
  /** Reasons why the other recipients do not receive an email. */
  readonly problems: readonly string[];
  readonly accepted: AcceptedMails;
  readonly signal: AbortSignal;
}

/** Maximum number of recipients named in a response. */
const MAX_NAMED = 20;

/**
 * Rejects with 503 if an email might be accepted later: the call can then be repeated under the same key, and accepted
 * emails are not sent again. Rejects with 422 if some emails will never be accepted; all others were sent.
 */
export async function sendMails(
  { delivery, mails, problems, accepted }: MailsToSend,
  send: (mail: Mail) => Promise<void>,
): Promise<void> {
  const key = `${delivery.instance} ${delivery.id}`;
  const done = delivery.isNamed ? await accepted.of(key) : new Set<string>();
  const failures: { readonly mail: Mail; readonly error: MailError }[] = [];
  /** A server problem affects all emails, so the remaining ones are not attempted. */
  let ofServer: MailError | undefined;
  await Promise.all(
    mails.map(async (mail) => {
      const digest = recipientDigest(mail.recipient.email);
      if (done.has(digest.toString('hex'))) return;
      try {
        if (ofServer) throw ofServer;
        await send(mail);
      } catch (error) {
        if (!(error instanceof MailError)) throw error;
        if (error.isOfServer) ofServer ??= error;
        failures.push({ mail, error });
        return;
      }
      if (delivery.isNamed) await accepted.add(key, digest);
    }),
  );
  if (failures.length === 0 && problems.length === 0) return;
  const passing = failures.find(({ error }) => !error.isFinal);
  const words = describeFailures({ failures, problems, total: mails.length + problems.length });
  throw passing ? unavailable(words.join(' ')) : rejected(...words);
}

function describeFailures({
  failures,
  problems,
  total,
}: {
  readonly failures: readonly { readonly mail: Mail; readonly error: MailError }[];
  readonly problems: readonly string[];
  readonly total: number;
}): string[] {
  const byReason = Map.groupBy(failures, ({ error }) => error.message);
  const told = [...byReason].map(([reason, group]) => {
    if (group.length === total) return reason;
    const names = group.slice(0, MAX_NAMED).map(({ mail }) => mail.recipient.email);
    const more = group.length > MAX_NAMED ? ` and ${group.length - MAX_NAMED} more` : '';
    return `${names.join(', ')}${more}: ${reason}`;
  });
  const missing = failures.length + problems.length;
  const rest =
    total > 1 && missing < total ? [`The email was accepted for ${total - missing} of ${total} recipients.`] : [];
  return [...told, ...problems, ...rest];
}
