// Request body in the format that the receiver expects.
import type { NotificationDelivery } from '@signetry/connector-sdk/notification';
import type { BodyForm } from '../attributes/webhook-attributes.ts';
import { cloudEvent, type BodyFacts } from './cloud-event.ts';
import { slackMessage } from './slack-message.ts';
import { teamsCard } from './teams-card.ts';

export interface WebhookBody {
  readonly mediaType: string;
  readonly text: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function bodyOf(form: BodyForm, delivery: NotificationDelivery, facts: BodyFacts): WebhookBody {
  switch (form) {
    case 'json':
      return { mediaType: JSON_TYPE, text: JSON.stringify(delivery.body) };
    case 'cloudEvents':
      return {
        mediaType: 'application/cloudevents+json; charset=utf-8',
        text: JSON.stringify(cloudEvent(delivery, facts)),
      };
    case 'slack':
      return { mediaType: JSON_TYPE, text: JSON.stringify(slackMessage(facts.words)) };
    case 'teams':
      return { mediaType: JSON_TYPE, text: JSON.stringify(teamsCard(facts.words)) };
  }
}
