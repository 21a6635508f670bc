// Answers a message as if its content had already been decrypted.
import { coreContext } from '../../../kernel/actor.ts';
import type { ServedScepProfile } from '../../../areas/scep-profiles/index.ts';
import { answerMessage } from '../answer-message.ts';
import type { Outcome } from '../respond.ts';
import { makeReadMessage, serviceOf, type MessageWish } from './scep-messages.ts';
import type { ScepPorts } from './scep-ports.ts';
import { servedProfile } from './served-profile.ts';

export type Asking = Omit<MessageWish, 'recipient'> & Required<Pick<MessageWish, 'content'>>;

export async function answer(
  { parts }: ScepPorts,
  wish: Asking,
  settings: Partial<ServedScepProfile> = {},
): Promise<Outcome> {
  const { content, signer } = wish;
  const message = await makeReadMessage({ ...wish, recipient: signer.certificate });
  const asked = { profile: servedProfile(settings), ca: serviceOf(signer), message, content };
  return answerMessage(parts, asked, coreContext('test'));
}
