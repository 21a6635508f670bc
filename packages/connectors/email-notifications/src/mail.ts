// Composes an email as bytes.
import { createHash } from 'node:crypto';
import type { NotificationTexts } from '@signetry/connector-sdk/notification';
import { recipientDigest } from './deliveries/accepted-mails.ts';
import type { ComposedMail } from './smtp/connection-pool.ts';
import type { Recipient } from './templates/placeholders.ts';
import { renderTemplates, type Templates } from './templates/templates.ts';

export interface Mail {
  /** ID of the delivery. */
  readonly id: string;
  readonly now: Date;
  readonly sender: { readonly address: string; readonly name: string };
  readonly recipient: Recipient;
  readonly templates: Templates;
  readonly words: NotificationTexts;
}

/** Returns a message ID that stays the same on retries and differs for each recipient (RFC 5322 §3.6.4). */
function messageId({ id, sender, recipient }: Mail): string {
  const own = createHash('sha256').update(recipientDigest(recipient.email)).digest('hex').slice(0, 12);
  // The sender's domain, within which the ID is unique. It is converted to ASCII, since Unicode is not allowed here.
  const domain = new URL(`https://${sender.address.slice(sender.address.lastIndexOf('@') + 1)}`).hostname;
  return `<${id}.${own}@${domain}>`;
}

/** Returns the headers that are added to those of every email. */
export const headersOf = (mail: Mail): Record<string, string> => ({
  From: nameAndAddress(mail.sender.name, mail.sender.address),
  To: nameAndAddress(mail.recipient.name, mail.recipient.email),
  'Message-ID': messageId(mail),
  // RFC 3834 §5: suppresses out-of-office replies.
  'Auto-Submitted': 'auto-generated',
});

const nameAndAddress = (name: string, address: string): string =>
  name === '' ? address : `"${name.replaceAll(/["\\]/g, '')}" <${address}>`;

export async function composeMail(mail: Mail): Promise<ComposedMail> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { now, sender, recipient } = mail;
  const { From: _from, To: _to, 'Message-ID': id, ...headers } = headersOf(mail);
  const node = new MailComposer({
    // Name and address are passed separately, so that nothing in a name is parsed as an address.
    from: { name: sender.name, address: sender.address },
    to: { name: recipient.name, address: recipient.email },
    ...renderTemplates(mail.templates, mail),
    messageId: id,
    date: now,
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { envelope: { from: sender.address, to: recipient.email }, octets: await node.build() };
}
