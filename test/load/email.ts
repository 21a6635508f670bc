// Email deliveries: calls to the connector over HTTP, as from the platform to an external connector, until the mail
// server has accepted the email and the connector has recorded it.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overHttp, type CallConnector } from '@signetry/connector-sdk';
import {
  notificationProviderOperations as notification,
  type AttributeContentType,
  type NotificationProviderNotifyRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { EMAIL } from '@signetry/email-notifications';
import { startConnectorServer } from '@signetry/server/connectors';
import type { BenchmarkReport } from './report.ts';

const DELIVERIES = 3_000;
const WARM = 200;
const PARALLEL = 32;

export async function benchEmail(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const count = Number(options.get('deliveries') ?? DELIVERIES);
  const connections = Number(options.get('connections') ?? 5);
  const data = await mkdtemp(join(tmpdir(), 'signetry-bench-'));
  const mailServer = fork(new URL('email-server.ts', import.meta.url));
  const connector = await startConnectorServer({
    name: 'email-notifications',
    host: '127.0.0.1',
    port: 0,
    data,
    logLevel: 'warn',
    out: () => undefined,
  });
  try {
    const [port] = (await once(mailServer, 'message')) as [number];
    const call = overHttp(connector.url);
    const uuid = await createInstance(call, { port, connections });
    await deliver(call, uuid, WARM); // Loading and compiling happen before the measurement.
    const single = await deliver(call, uuid, Math.ceil(count / 10), 1);
    const parallel = await deliver(call, uuid, count);
    const accepted = await acceptedBy(mailServer);
    if (accepted !== WARM + Math.ceil(count / 10) + count) throw new Error(`The server accepted ${accepted} emails.`);
    return {
      name: `Deliveries of ${count.toLocaleString('en')} notifications by email`,
      figures: [
        { name: `deliveries, ${PARALLEL} concurrent`, value: parallel.perSecond, unit: '/s', goal: '>= 200' },
        { name: 'deliveries, sequential', value: single.perSecond, unit: '/s' },
        { name: 'longest delivery', value: parallel.longestMs, unit: 'ms' },
      ],
      notes: [
        `Each email has text and HTML, over ${connections} connections; connector, its database, mail server and caller share the CPUs.`,
      ],
    };
  } finally {
    await connector.stop();
    mailServer.kill();
    await rm(data, { recursive: true, force: true });
  }
}

async function createInstance(
  call: CallConnector,
  { port, connections }: { readonly port: number; readonly connections: number },
): Promise<string> {
  const value = (name: string, contentType: AttributeContentType, data: string | number) => ({
    uuid: '00000000-0000-4000-8000-000000000000',
    name,
    contentType,
    content: [{ data }],
  });
  const attributes = [
    value(EMAIL.host, 'string', '127.0.0.1'),
    value(EMAIL.port, 'integer', port),
    value(EMAIL.security, 'string', 'none'),
    value(EMAIL.connections, 'integer', connections),
    value(EMAIL.senderAddress, 'string', 'pki@example.com'),
  ] as RequestAttributeDto[]; // The connector validates these attributes.
  const body = { name: 'bench', kind: 'EMAIL', attributes };
  return (await call(notification.createNotificationInstance, { body })).uuid;
}

async function deliver(call: CallConnector, uuid: string, count: number, parallel = PARALLEL) {
  const began = performance.now();
  let next = 0;
  let longestMs = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const beganMs = performance.now();
      const idempotencyKey = crypto.randomUUID();
      await call(notification.sendNotification, { params: { uuid }, body: bodyOf(number), idempotencyKey });
      longestMs = Math.max(longestMs, performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { perSecond: (count * 1000) / (performance.now() - began), longestMs };
}

const bodyOf = (number: number): NotificationProviderNotifyRequestDto => ({
  recipients: [{ name: `Person ${number}`, email: `person${number}@example.com` }],
  eventType: 'other',
  event: 'certificate_expiring',
  resource: 'certificates',
  notificationData: {
    certificateUuid: '0197c3d0-0000-7000-8000-000000000001',
    subjectDn: `CN=host${number}.example.com, O=Example`,
    issuerDn: 'CN=Example CA',
    serialNumber: number.toString(16),
    expiresAt: '2099-12-01T10:00:00Z',
  },
});

async function acceptedBy(mailServer: ChildProcess): Promise<number> {
  mailServer.send('count');
  const [accepted] = (await once(mailServer, 'message')) as [number];
  return accepted;
}
