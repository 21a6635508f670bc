// Reasons why an email was not accepted, in our own wording. Server output is quoted only if it is an SMTP reply: users
// who can specify a host and a port must not be able to read the output of other services.
import { plainText } from '@signetry/connector-sdk/notification';
import type { ServerSettings } from '../attributes/email-attributes.ts';

export interface MailErrorFacts {
  /** Whether the error persists until someone changes something. */
  readonly isFinal: boolean;
  /** Whether the error affects all emails through this server, not only this one. */
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

/** Properties that nodemailer adds to its errors. */
interface SmtpFacts {
  /** Error type: `EAUTH`, `ETLS`, … */
  readonly code?: string;
  /** System error code, if `code` is the error type. */
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
      `${name} does not offer STARTTLS, which is required${reply}. If it expects TLS from the start of the connection, choose that.`,
      FINAL,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(originalCode) || /certificate|altnames/i.test(messageOf(error)))
    return fail(
      `${name} has no trusted certificate for its name (${originalCode || 'TLS'}). If it was issued by a private CA, add the CA certificate to the instance.`,
      FINAL,
    );
  if (code === 'ETLS' || /^ERR_SSL|EPROTO/.test(originalCode))
    return fail(
      `Cannot establish TLS with ${name}. Check whether the port expects TLS from the start: STARTTLS usually uses port 587, TLS port 465.`,
      FINAL,
    );
  if (code === 'EAUTH')
    return isRefused || responseCode === undefined
      ? fail(`${name} rejected the user name and password${reply}. Check the credential.`, FINAL)
      : fail(`${name} cannot check the user name and password now${reply}.`, PASSING);
  if (responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return fail(`${name} ${isRefused ? 'rejected' : 'cannot accept'} ${WHAT[command] ?? 'the email'}${isRefused ? '' : ' now'}${reply}`, {
      isFinal: isRefused,
      isOfServer: command === 'MAIL FROM',
    }); // prettier-ignore
  if (responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return fail(`${name} cannot accept this email: it is too large, or an address contains Unicode characters.`, {
      isFinal: true,
      isOfServer: false,
    });
  if (responseCode !== undefined && responseCode >= 400)
    return fail(`${name} ${isRefused ? 'does not accept email from this host' : 'cannot accept email now'}${reply}.`, {
      isFinal: isRefused,
      isOfServer: true,
    });
  if (code === 'ETIMEDOUT') return fail(`${name} did not respond in time.`, PASSING);
  if (code === 'EPROTOCOL') return fail(`${name} violates the SMTP protocol${reply}.`, PASSING);
  return fail(`${name} ${WORDS[originalCode] ?? 'closed the connection'}${reply}.`, PASSING);
}

const FINAL = { isFinal: true, isOfServer: true };
const PASSING = { isFinal: false, isOfServer: true };

const WHAT: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the email',
};

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'cannot be resolved: no address found',
  EAI_AGAIN: 'cannot be resolved at the moment',
  EHOSTUNREACH: 'is unreachable: no route to the host',
  ENETUNREACH: 'is unreachable: no route to its network',
  ETIMEDOUT: 'is unreachable: the connection timed out',
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
