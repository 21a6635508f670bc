// Adaptive card for a Microsoft Teams workflow that posts to a channel. Text blocks render Markdown, so a subject could
// become a link; text runs do not.
import type { NotificationTexts } from '@signetry/connector-sdk/notification';

interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly size?: 'Large';
}

const run = (text: string, style: Omit<TextRun, 'type' | 'text'> = {}): TextRun => ({
  type: 'TextRun',
  text,
  ...style,
});
const block = (...inlines: readonly TextRun[]) => ({ type: 'RichTextBlock', inlines });

export function teamsCard({ title, message, details, nextSteps, link }: NotificationTexts): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      block(run(title, { weight: 'Bolder', size: 'Large' })),
      block(run(message)),
      ...details.map(({ label, text }) => block(run(`${label}: `, { weight: 'Bolder' }), run(text))),
      block(run('Next steps', { weight: 'Bolder' })),
      ...nextSteps.map((step) => block(run(step))),
    ],
    ...(link === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open in console', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}
