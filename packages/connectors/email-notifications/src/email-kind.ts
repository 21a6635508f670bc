// The email notification kind. An instance sends emails through its pool of connections to the server.
import { rejected, type ConnectorContext } from '@signetry/connector-sdk';
import {
  describeNotification,
  plainText,
  withDeadline,
  type Deadline,
  type NotificationChannel,
  type NotificationDelivery,
  type NotificationKind,
} from '@signetry/connector-sdk/notification';
import type { NotificationRecipientDto } from '@signetry/contract';
import { emailAttributes, readEmailSettings, type EmailSettings } from './attributes/email-attributes.ts';
import { AcceptedMails } from './deliveries/accepted-mails.ts';
import { sendMails } from './deliveries/send-mails.ts';
import { composeMail, headersOf } from './mail.ts';
import { ConnectionPool } from './smtp/connection-pool.ts';
import { MailError } from './smtp/mail-error.ts';
import { renderTemplates } from './templates/templates.ts';
import { isMailAddress } from './attributes/mail-address.ts';
import type { Recipient } from './templates/placeholders.ts';

/** Maximum time to wait for the server when an instance is saved. */
const CHECK_MS = 5_000;

export function createEmailKind(context: ConnectorContext): NotificationKind<EmailSettings> {
  const accepted = new AcceptedMails(context);
  return {
    attributes: emailAttributes,
    read: readEmailSettings,
    destination: ({ server: { host, port, security } }) => `${security}://${host}:${port}`,
    check: ({ server }, signal) =>
      withDeadline(signal, CHECK_MS, (deadline) => checkServer(new ConnectionPool(server, context), deadline)),
    open: (settings) => openMail(settings, { context, accepted }),
  };
}

/** An unavailable server does not make the settings invalid: they can be saved now and used once it is back. */
async function checkServer(pool: ConnectionPool, { signal, isOver }: Deadline): Promise<void> {
  try {
    await pool.check(signal);
  } catch (error) {
    if (isOver()) return;
    if (!(error instanceof MailError)) throw error;
    if (error.isFinal) throw rejected(error.message);
  }
}

function openMail(
  settings: EmailSettings,
  { context, accepted }: { readonly context: ConnectorContext; readonly accepted: AcceptedMails },
): NotificationChannel {
  const pool = new ConnectionPool(settings.server, context);
  const { sender, templates, consoleUrl } = settings;
  const mailsOf = (delivery: NotificationDelivery) => {
    const now = context.clock.now();
    const words = describeNotification(delivery.body, { now, consoleUrl });
    const { recipients, problems } = recipientsOf(delivery.body.recipients);
    const mails = recipients.map((recipient) => ({ id: delivery.id, now, sender, recipient, templates, words }));
    return { mails, problems };
  };
  return {
    async send(delivery, signal) {
      const { mails, problems } = mailsOf(delivery);
      await sendMails({ delivery, mails, problems, accepted, signal }, (mail) =>
        pool.send(() => composeMail(mail), signal),
      );
    },
    preview(delivery) {
      const {
        mails: [mail],
        problems,
      } = mailsOf(delivery);
      if (!mail) throw rejected(...problems);
      return { ...renderTemplates(templates, mail), headers: headersOf(mail) };
    },
    close: () => pool.close(),
  };
}

/** Recipients of the email, each address once. */
interface Recipients {
  readonly recipients: readonly Recipient[];
  /** Reasons why the other recipients do not receive an email. */
  readonly problems: readonly string[];
}

function recipientsOf(given: readonly NotificationRecipientDto[]): Recipients {
  const recipients = new Map<string, Recipient>();
  const problems: string[] = [];
  for (const { name, email = '' } of given) {
    const address = email.trim();
    if (address === '') continue;
    if (isMailAddress(address)) recipients.set(address.toLowerCase(), { name: plainText(name), email: address });
    else problems.push(`${plainText(name, 100)}: "${plainText(address, 100)}" is not an email address.`);
  }
  if (recipients.size === 0 && problems.length === 0)
    problems.push('None of the recipients has an email address. Add an address, or choose other recipients.');
  return { recipients: [...recipients.values()], problems };
}
