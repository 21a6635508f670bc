// Placeholders available in templates. Values come from events, which third parties can influence: they are treated as
// text, and are always escaped in HTML.
import { dataFields, plainText, type NotificationTexts } from '@signetry/connector-sdk/notification';

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

interface PlaceholderValue {
  readonly text: string;
  readonly html: string;
}

interface PlaceholderFacts {
  readonly words: NotificationTexts;
  readonly recipient: Recipient;
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Placeholder = (facts: PlaceholderFacts) => PlaceholderValue;

const line =
  (of: (facts: PlaceholderFacts) => string): Placeholder =>
  (facts) => {
    const text = of(facts);
    return { text, html: escapeHtml(text) };
  };

const details: Placeholder = ({ words }) => ({
  text: words.details.map(({ label, text }) => `${label}: ${text}`).join('\n'),
  html: words.details
    .map(({ label, text }) => `${ROW}${LABEL}${escapeHtml(label)}</td>${CELL}${escapeHtml(text)}</td></tr>`)
    .join('')
    .replace(/^(.+)$/s, `${TABLE}$1</table>`),
});

const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0">';
const ROW = '<tr>';
const LABEL = '<td style="padding:2px 16px 2px 0;vertical-align:top;white-space:nowrap;opacity:.7">';
const CELL = '<td style="padding:2px 0;vertical-align:top;overflow-wrap:anywhere">';

const nextSteps: Placeholder = ({ words }) => ({
  text: words.nextSteps.map((step) => `- ${step}`).join('\n'),
  html: `<ul>${words.nextSteps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ul>`,
});

const link: Placeholder = ({ words: { link: url } }) =>
  url === undefined
    ? { text: '', html: '' }
    : { text: `Open in the console: ${url}`, html: `<a href="${escapeHtml(url)}">Open in the console</a>` };

/** Placeholders in the order in which users see them. */
export const PLACEHOLDERS: Readonly<Record<string, Placeholder>> = {
  title: line(({ words }) => words.title),
  message: line(({ words }) => words.message),
  details,
  nextSteps,
  link,
  event: line(({ words }) => words.event),
  recipientName: line(({ recipient }) => plainText(recipient.name)),
  recipientEmail: line(({ recipient }) => recipient.email),
  ...Object.fromEntries(dataFields.map((field) => [field, line(({ words }) => words.facts[field] ?? '')])),
};
