// CloudEvents 1.0.2 in the HTTP binding's structured mode (§3.2), in the JSON event format. `time` is omitted because
// it would be the time of the event, which the call does not contain, and because repeated deliveries must be
// identical.
import type { NotificationDelivery, NotificationTexts } from '@signetry/connector-sdk/notification';

export interface BodyFacts {
  readonly words: NotificationTexts;
  /** Console URL, if known. */
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
