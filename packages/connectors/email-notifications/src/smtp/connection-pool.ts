// Connections to one mail server: a small pool of reusable connections, with a time limit for each email.
import type { ConnectorContext } from '@signetry/connector-sdk';
import { withDeadline } from '@signetry/connector-sdk/notification';
import type { ServerSettings } from '../attributes/email-attributes.ts';
import { mailErrorOf, MailError } from './mail-error.ts';
import { closeNow, openConnection, transmit, type Connection } from './open-connection.ts';

export interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly octets: Buffer;
}

/** Maximum idle time of a connection. Servers close idle connections after a few minutes. */
const IDLE_MS = 15_000;
/** Maximum number of emails per connection: servers count them, and some reject more. */
const MAX_MAILS = 100;

interface IdleConnection {
  readonly connection: Connection;
  readonly mails: number;
  readonly timer: NodeJS.Timeout;
  readonly forget: () => void;
}

export class ConnectionPool {
  private readonly server: ServerSettings;
  private readonly host: Pick<ConnectorContext, 'resolveHost'>;
  private readonly idle: IdleConnection[] = [];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;
  private isClosed = false;

  constructor(server: ServerSettings, host: Pick<ConnectorContext, 'resolveHost'>) {
    this.server = server;
    this.host = host;
  }

  /** Sends an email. Throws `MailError`. */
  async send(compose: () => Promise<ComposedMail>, signal: AbortSignal): Promise<void> {
    await this.withTurn(signal, async () => {
      const mail = await compose();
      await this.bounded(signal, (bound) => this.sendThrough(mail, bound));
    });
  }

  /** Connects and logs in without sending anything. */
  async check(signal: AbortSignal): Promise<void> {
    await this.bounded(signal, async (bound) => {
      const connection = await openConnection(this.server, this.host, bound);
      connection.quit();
    });
  }

  /** Closes idle connections; emails that are being sent can still complete. */
  close(): void {
    this.isClosed = true;
    for (const each of this.idle.splice(0)) this.end(each);
  }

  private async sendThrough(mail: ComposedMail, signal: AbortSignal): Promise<void> {
    const kept = this.take();
    if (kept && (await this.sendThroughKept(kept, mail, signal))) return;
    const connection = await openConnection(this.server, this.host, signal);
    await this.use(connection, { mail, mails: 0, signal });
  }

  /**
   * Returns false if the connection was closed before the server received the email, which is then sent through a new
   * connection.
   */
  private async sendThroughKept(
    { connection, mails }: IdleConnection,
    mail: ComposedMail,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      await this.use(connection, { mail, mails, signal });
      return true;
    } catch (error) {
      const { command, responseCode } = (error ?? {}) as { command?: string; responseCode?: number };
      // RFC 5321 §3.8: with 421 a server announces that it is closing the connection, even an idle one.
      const isAnswer = responseCode !== undefined && responseCode !== 421;
      if (signal.aborted || isAnswer || command === 'DATA' || error instanceof MailError) throw error;
      return false;
    }
  }

  private async use(
    connection: Connection,
    { mail, mails, signal }: { readonly mail: ComposedMail; readonly mails: number; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      await transmit(connection, mail, signal);
    } catch (error) {
      closeNow(connection);
      throw error;
    }
    if (this.isClosed || mails + 1 >= MAX_MAILS) connection.quit();
    else this.keep(connection, mails + 1);
  }

  private take(): IdleConnection | undefined {
    const kept = this.idle.pop();
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    kept.connection.off('end', kept.forget).off('error', kept.forget);
    return kept;
  }

  private keep(connection: Connection, mails: number): void {
    const forget = () => {
      const place = this.idle.indexOf(kept);
      if (place >= 0) this.idle.splice(place, 1);
      clearTimeout(kept.timer);
    };
    const timer = setTimeout(() => {
      forget();
      connection.quit();
    }, IDLE_MS).unref();
    const kept: IdleConnection = { connection, mails, timer, forget };
    connection.on('end', forget).on('error', forget);
    this.idle.push(kept);
  }

  private end({ connection, timer }: IdleConnection): void {
    clearTimeout(timer);
    connection.quit();
  }

  /** Runs the work within the time limit of an email, and throws errors as `MailError`. */
  private async bounded(signal: AbortSignal, work: (bound: AbortSignal) => Promise<void>): Promise<void> {
    await withDeadline(signal, this.server.timeoutMs, async (deadline) => {
      try {
        await work(deadline.signal);
      } catch (error) {
        throw deadline.isOver() ? this.late(error) : mailErrorOf(error, this.server);
      }
    });
  }

  /** Waits until the number of emails being sent is below the maximum number of connections. */
  private async withTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (signal.aborted) throw this.late(signal.reason);
    if (this.busy >= this.server.connections) await this.turn(signal);
    else this.busy += 1;
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busy -= 1;
    }
  }

  /** Waits for a slot that a completed email releases. */
  private async turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      this.waiting.splice(this.waiting.indexOf(resolve), 1);
      reject(this.late(signal.reason));
    };
    this.waiting.push(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private late(cause: unknown): MailError {
    const { host, port } = this.server;
    return new MailError(`${host}:${port} did not accept the email in time.`, {
      isFinal: false,
      isOfServer: true,
      cause,
    });
  }
}
