// Webhook receiver that records every call, including those that it does not answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receipt {
  /** Delivery ID. */
  readonly id: string;
  /** What the call is about: each subject is notified once. */
  readonly subject: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly receipts: readonly Receipt[];
  close(): Promise<void>;
}

interface Body {
  readonly event: string;
  readonly notificationData: Readonly<Record<string, string | undefined>>;
}

/** @param chance from 0 up to 1; below `droppedShare` the connection is closed without a response */
export async function startWebhookReceiver(
  { chance, droppedShare }: { readonly chance: () => number; readonly droppedShare: number }, // prettier-ignore
): Promise<WebhookReceiver> {
  const receipts: Receipt[] = [];
  const server = createServer((request, response) => {
    void Array.fromAsync(request as AsyncIterable<Buffer>).then(
      (parts) => {
        const { event, notificationData: data } = JSON.parse(Buffer.concat(parts).toString()) as Body; // As sent.
        const about = [event, data['certificateUuid'], data['action'], data['discoveryUuid']];
        receipts.push({ id: String(request.headers['webhook-id']), subject: about.filter(Boolean).join(' ') });
        if (chance() < droppedShare) request.socket.destroy();
        else response.writeHead(204).end();
      },
      () => undefined,
    ); // The platform died while sending.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // TCP
  return {
    url: `http://127.0.0.1:${port}/hook`,
    receipts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
