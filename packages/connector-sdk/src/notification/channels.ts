// Open channels of instances. Another process can change an instance at any time, so every use compares versions.
import type { RequestAttributeDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import type { InstanceRow } from './instance-store.ts';
import { openHidden } from './instance-values.ts';
import type { NotificationChannel, NotificationKind } from './notification-kind.ts';

/** Maximum number of open channels. If there are more instances, channels are closed and reopened as needed. */
const MAX_CHANNELS = 100;

interface OpenChannel {
  readonly version: number;
  readonly channel: NotificationChannel;
}

export class Channels<Settings> {
  private readonly context: Pick<ConnectorContext, 'open'>;
  private readonly kind: NotificationKind<Settings>;
  /** In order of use, most recent last. */
  private readonly known = new Map<string, OpenChannel>();

  constructor(context: Pick<ConnectorContext, 'open'>, kind: NotificationKind<Settings>) {
    this.context = context;
    this.kind = kind;
  }

  of(row: InstanceRow): NotificationChannel {
    const known = this.known.get(row.uuid);
    this.known.delete(row.uuid);
    const current = known?.version === row.version ? known : this.replace(known, row);
    this.known.set(row.uuid, current);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_CHANNELS && oldest !== undefined) this.close(oldest);
    return current.channel;
  }

  close(uuid: string): void {
    this.known.get(uuid)?.channel.close();
    this.known.delete(uuid);
  }

  closeAll(): void {
    for (const { channel } of this.known.values()) channel.close();
    this.known.clear();
  }

  private replace(known: OpenChannel | undefined, row: InstanceRow): OpenChannel {
    known?.channel.close();
    const values: RequestAttributeDto[] = [...row.attributes, ...openHidden(this.context, row)];
    return { version: row.version, channel: this.kind.open(this.kind.read(values)) };
  }
}
