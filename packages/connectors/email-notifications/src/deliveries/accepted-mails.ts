// Recipients of a delivery whose email was accepted, so that a retry sends only the others.
import { createHash } from 'node:crypto';
import { createBatcher, type ConnectorContext, type ConnectorStorage } from '@signetry/connector-sdk';

interface AcceptedMail {
  readonly delivery: string;
  readonly recipient: Uint8Array;
}

/** Retention period. Deliveries are retried for only one day. */
const KEPT_DAYS = 7;
const CLEARED_EVERY_MS = 3_600_000;

export const recipientDigest = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest();

export class AcceptedMails {
  private readonly storage: ConnectorStorage;
  private readonly clock: ConnectorContext['clock'];
  private readonly table: string;
  private readonly insert: (mail: AcceptedMail) => Promise<void>;
  private clearedMs = 0;

  constructor({ storage, clock }: Pick<ConnectorContext, 'storage' | 'clock'>) {
    this.storage = storage;
    this.clock = clock;
    this.table = storage.table('accepted_mail');
    this.insert = createBatcher({ write: (mails) => this.write(mails), scheduleFlush: storage.scheduleFlush });
  }

  /** Returns the recipients' digests in hexadecimal. */
  async of(delivery: string): Promise<ReadonlySet<string>> {
    const rows = await this.storage.query<{ readonly recipient: string }>(
      `SELECT encode(recipient, 'hex') AS recipient FROM ${this.table} WHERE delivery = $1`,
      [delivery],
      { name: 'accepted_mail_find' },
    );
    return new Set(rows.map(({ recipient }) => recipient));
  }

  async add(delivery: string, recipient: Uint8Array): Promise<void> {
    await this.insert({ delivery, recipient });
    await this.clear();
  }

  private async write(mails: readonly AcceptedMail[]): Promise<void[]> {
    await this.storage.query(
      `INSERT INTO ${this.table} (delivery, recipient, accepted_at)
       SELECT delivery, recipient, $3 FROM unnest($1::text[], $2::bytea[]) AS mail (delivery, recipient)
       ON CONFLICT DO NOTHING`,
      [mails.map(({ delivery }) => delivery), mails.map(({ recipient }) => recipient), this.clock.now()],
      { name: 'accepted_mail_add' },
    );
    return mails.map(() => undefined);
  }

  private async clear(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (nowMs - this.clearedMs < CLEARED_EVERY_MS) return;
    this.clearedMs = nowMs;
    await this.storage.query(`DELETE FROM ${this.table} WHERE accepted_at < $1`, [
      new Date(nowMs - KEPT_DAYS * 86_400_000),
    ]);
  }
}
