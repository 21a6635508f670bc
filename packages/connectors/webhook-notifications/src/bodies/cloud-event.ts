// CloudEvents 1.0.2 in the structured mode of its HTTP binding (§3.2), in the JSON event format. It has no `time`: that
// is when the event happened, which the call does not say, and repetitions have to be the same event.
import type { NotificationDelivery, NotificationWords } from '@signetry/connector-sdk/notification';

export interface BodyFacts {
  readonly words: NotificationWords;
  /** Address of the console, where it is known. */
  readonly source: string | undefined;
}

const SOURCE = 'urn:signetry';

export function cloudEvent({ id, body }: NotificationDelivery, { words, source }: BodyFacts): object {
  const { certificateUuid, discoveryUuid, approvalUuid, jobName } = words.facts;
  const subject = approvalUuid ?? certificateUuid ?? discoveryUuid ?? jobName;
  return {
    specversion: '1.0',
    id,
    source: source ?? SOURCE,
    type: `signetry.${words.event}`,
    ...(subject === undefined ? {} : { subject }),
    datacontenttype: 'application/json',
    data: body,
  };
}
