// Values for the conformance check that the definitions do not determine: a receiver on loopback.
import { KIND } from '../declaration.ts';
import { WEBHOOK } from '../index.ts';
import { startReceiver, type Receiver } from './receiver.ts';

let receiver: Receiver | undefined;

export async function conformanceEnd(): Promise<void> {
  await receiver?.close();
}

export async function conformanceValues() {
  receiver = await startReceiver();
  return {
    [KIND]: {
      [WEBHOOK.url]: receiver.url,
      [WEBHOOK.form]: 'cloudEvents',
      [WEBHOOK.secret]: { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
      [WEBHOOK.headers]: 'X-Source: conformance',
    },
  };
}
