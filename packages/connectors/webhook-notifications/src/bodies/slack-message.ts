// Message for a Slack incoming webhook, in Block Kit. Facts are plain text, which cannot contain mentions or links;
// where only mrkdwn is possible, its control characters are escaped.
import type { NotificationTexts } from '@signetry/connector-sdk/notification';

/** Maximum number of fields in a section. The constants below limit the lengths of texts. */
const MAX_FIELDS = 10;
const MAX_FIELD = 2_000;
const MAX_HEADER = 150;
const MAX_TEXT = 3_000;

const plainText = (text: string, max: number) => ({ type: 'plain_text', text: cut(text, max), emoji: false });
const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

/** Escapes Slack's three control characters (docs.slack.dev, formatting message text). */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackMessage({ title, message, details, nextSteps, link }: NotificationTexts): object {
  const fields = details.slice(0, MAX_FIELDS).map(({ label, text }) => plainText(`${label}\n${text}`, MAX_FIELD));
  return {
    // Used in notifications, where blocks are not shown.
    text: escapeText(title),
    blocks: [
      { type: 'header', text: plainText(title, MAX_HEADER) },
      { type: 'section', text: plainText(message, MAX_TEXT) },
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      {
        type: 'section',
        text: plainText(['Next steps', ...nextSteps.map((step) => `• ${step}`)].join('\n'), MAX_TEXT),
      },
      ...(link === undefined
        ? []
        : [{ type: 'actions', elements: [{ type: 'button', text: plainText('Open in console', 75), url: link }] }]),
    ],
  };
}
