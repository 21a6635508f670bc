// Why a mail was not accepted, in words of our own. Of what a server said, only replies in the form of SMTP are told:
// whoever names a host and a port must not read what else listens there.
import { plainText } from '@signetry/connector-sdk/notification';
import type { ServerSettings } from '../attributes/email-attributes.ts';

export interface MailErrorFacts {
  /** It stays so until somebody changes something. */
  readonly isFinal: boolean;
  /** Of all mails through this server, and not of this one. */
  readonly isOfServer: boolean;
  readonly cause?: unknown;
}

export class MailError extends Error {
  readonly isFinal: boolean;
  readonly isOfServer: boolean;

  constructor(message: string, { isFinal, isOfServer, cause }: MailErrorFacts) {
    super(message, { cause });
    this.name = 'MailError';
    this.isFinal = isFinal;
    this.isOfServer = isOfServer;
  }
}

/** What nodemailer adds to its errors. */
interface SmtpFacts {
  /** Of the kind: `EAUTH`, `ETLS`, … */
  readonly code?: string;
  /** Of the system, where `code` is that of the kind. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

const MAX_REPLY = 200;

export function mailErrorOf(error: unknown, server: ServerSettings): MailError {
  if (error instanceof MailError) return error;
  const { code = '', originalCode = '', command = '', response, responseCode } = (error ?? {}) as SmtpFacts;
  const name = `${server.host}:${server.port}`;
  const fail = (message: string, facts: Pick<MailErrorFacts, 'isFinal' | 'isOfServer'>): MailError =>
    new MailError(message, { ...facts, cause: error });
  const reply = responseCode !== undefined && response !== undefined ? `: ${plainText(response, MAX_REPLY)}` : '';
  const isRefused = responseCode !== undefined && responseCode >= 500;
  if (
    command === 'STARTTLS' ||
    (server.security === 'starttls' && response !== undefined && /STARTTLS/.test(messageOf(error)))
  )
    return fail(
      `${name} does not offer STARTTLS, without which nothing is sent to it. If it speaks TLS from the beginning, choose that${reply}.`,
      FINAL,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(originalCode) || /certificate|altnames/i.test(messageOf(error)))
    return fail(
      `${name} has no certificate for its name that is trusted here (${originalCode || 'TLS'}). If a CA of your own issued it, give its certificate in the instance.`,
      FINAL,
    );
  if (code === 'ETLS' || /^ERR_SSL|EPROTO/.test(originalCode))
    return fail(
      `TLS with ${name} cannot be established. Does the port speak TLS from the beginning? STARTTLS usually has port 587, TLS port 465.`,
      FINAL,
    );
  if (code === 'EAUTH')
    return isRefused || responseCode === undefined
      ? fail(`${name} refused the user and password${reply}. Check the credential.`, FINAL)
      : fail(`${name} cannot check the user and password now${reply}.`, PASSING);
  if (responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return fail(`${name} ${isRefused ? 'refused' : 'does not take'} ${WHAT[command] ?? 'the mail'}${isRefused ? '' : ' now'}${reply}`, {
      isFinal: isRefused,
      isOfServer: command === 'MAIL FROM',
    }); // prettier-ignore
  if (responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return fail(`${name} does not take mails such as this: it is too large for it, or has an address in Unicode.`, {
      isFinal: true,
      isOfServer: false,
    });
  if (responseCode !== undefined && responseCode >= 400)
    return fail(`${name} ${isRefused ? 'refuses to take mails from here' : 'does not take mails now'}${reply}.`, {
      isFinal: isRefused,
      isOfServer: true,
    });
  if (code === 'ETIMEDOUT') return fail(`${name} did not answer in time.`, PASSING);
  if (code === 'EPROTOCOL') return fail(`${name} does not speak SMTP as it should${reply}.`, PASSING);
  return fail(`${name} ${WORDS[originalCode] ?? 'ended the connection'}${reply}.`, PASSING);
}

const FINAL = { isFinal: true, isOfServer: true };
const PASSING = { isFinal: false, isOfServer: true };

const WHAT: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the mail',
};

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'cannot be looked up now',
  EHOSTUNREACH: 'cannot be reached: there is no way to its network',
  ENETUNREACH: 'cannot be reached: there is no way to its network',
  ETIMEDOUT: 'cannot be connected to',
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
