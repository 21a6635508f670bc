// Text of an event for the recipient of a message: what it means, and what to do next.
import type { NotificationProviderNotifyRequestDto } from '@signetry/contract';
import { isObject } from '../../is-object.ts';
import { DATA_FIELDS, dataFields, type DataField } from './data-fields.ts';
import { factText, plainText } from './plain-text.ts';
import { describeEvent, type Fact } from './event-texts.ts';

export interface NotificationTexts {
  readonly event: string;
  /** One line. */
  readonly title: string;
  /** One or two sentences. */
  readonly message: string;
  readonly details: readonly { readonly label: string; readonly text: string }[];
  /** One sentence each. */
  readonly nextSteps: readonly string[];
  /** URL of the object's console page, if the console URL is known. */
  readonly link: string | undefined;
  /** All facts in the event, each as one line of text. */
  readonly facts: Readonly<Partial<Record<DataField, string>>>;
}

export interface DescribeOptions {
  readonly now: Date;
  /** No trailing slash. */
  readonly consoleUrl?: string | undefined;
}

type Body = NotificationProviderNotifyRequestDto;

const MAX_TITLE = 150;
/** Maximum number of rules listed by name. */
const MAX_RULES = 10;

export function describeNotification(body: Body, { now, consoleUrl }: DescribeOptions): NotificationTexts {
  const data = isObject(body.notificationData) ? body.notificationData : {};
  const facts: Partial<Record<DataField, string>> = {};
  for (const field of dataFields) {
    const text = factText(data[field]);
    if (text !== '') facts[field] = text;
  }
  const fact: Fact = (field) => facts[field] ?? '';
  const event = plainText(body.event ?? body.eventType);
  const left = daysLeft(data['expiresAt'], now);
  const { title, message, nextSteps } = describeEvent(event, { fact, daysLeft: left, label: labelOf(event) });
  return {
    event,
    title: plainText(title, MAX_TITLE),
    message,
    details: [...detailsOf(facts), ...failedRuleDetails(data)],
    nextSteps,
    link: consoleUrl === undefined ? undefined : linkTo(consoleUrl, data),
    facts,
  };
}

const detailsOf = (facts: NotificationTexts['facts']): NotificationTexts['details'] =>
  dataFields.flatMap((field) => {
    const [label, text] = [DATA_FIELDS[field], facts[field]];
    return label === null || text === undefined ? [] : [{ label, text }];
  });

/** Returns the event code as readable text. */
function labelOf(event: string): string {
  const words = event.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DAY_MS = 86_400_000;

function daysLeft(value: unknown, now: Date): number | undefined {
  const until = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.floor((until - now.getTime()) / DAY_MS);
}

function failedRuleDetails(data: Readonly<Record<string, unknown>>): NotificationTexts['details'] {
  const result = data['complianceCheckResultDto'];
  const rules = isObject(result) && Array.isArray(result['failedRules']) ? result['failedRules'] : [];
  const names = rules.map(factText).filter((name) => name !== '');
  if (names.length === 0) return [];
  const more = names.length > MAX_RULES ? `, and ${names.length - MAX_RULES} more` : '';
  return [{ label: 'Failed rules', text: `${names.slice(0, MAX_RULES).join(', ')}${more}` }];
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Console pages of objects. */
const PAGES = [
  ['approvalUuid', 'approvals'],
  ['certificateUuid', 'certificates'],
  ['discoveryUuid', 'discoveries'],
] as const satisfies readonly (readonly [DataField, string])[];

function linkTo(consoleUrl: string, data: Readonly<Record<string, unknown>>): string {
  for (const [field, page] of PAGES) {
    const uuid = data[field];
    if (typeof uuid === 'string' && UUID.test(uuid)) return `${consoleUrl}/${page}/${uuid}`;
  }
  return consoleUrl;
}
