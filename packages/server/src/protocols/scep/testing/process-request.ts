// Answers a message as if its content had already been decrypted.
import { coreContext } from '../../../kernel/actor.ts';
import type { ServedScepProfile } from '../../../areas/scep-profiles/index.ts';
import { processMessage } from '../process-message.ts';
import type { Outcome } from '../respond.ts';
import { makeReadMessage, serviceOf, type MessageSpec } from './scep-messages.ts';
import type { ScepPorts } from './scep-ports.ts';
import { servedProfile } from './served-profile.ts';

export type RequestSpec = Omit<MessageSpec, 'recipient'> & Required<Pick<MessageSpec, 'content'>>;

export async function processRequest(
  { parts }: ScepPorts,
  wish: RequestSpec,
  settings: Partial<ServedScepProfile> = {},
): Promise<Outcome> {
  const { content, signer } = wish;
  const message = await makeReadMessage({ ...wish, recipient: signer.certificate });
  const asked = { profile: servedProfile(settings), ca: serviceOf(signer), message, content };
  return processMessage(parts, asked, coreContext('test'));
}
