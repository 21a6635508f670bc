// Email templates. A template is text with placeholders and contains nothing that can be executed.
import { plainText, type NotificationTexts } from '@signetry/connector-sdk/notification';
import { PLACEHOLDERS, type Recipient } from './placeholders.ts';

type Part = string | { readonly placeholder: string };

export interface Templates {
  readonly subject: readonly Part[];
  readonly text: readonly Part[];
  readonly html: readonly Part[];
}

type Sources = { readonly [Name in keyof Templates]: string };

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const LABELS: Sources = { subject: 'Subject', text: 'Text', html: 'HTML' };
const MAX_TEMPLATE = 50_000;
const MAX_PLACEHOLDERS = 500;
/** Mail clients truncate longer subjects. */
const MAX_SUBJECT = 200;

/** Parses the templates and returns a message for every problem. */
export function parseTemplates(sources: Sources): { readonly templates: Templates; readonly problems: string[] } {
  const problems: string[] = [];
  const parse = (name: keyof Templates): readonly Part[] => {
    const { parts, problems: found } = parseTemplate(sources[name]);
    const all = name === 'html' && parts.length > 0 ? [...found, ...htmlProblems(sources[name])] : found;
    problems.push(...all.map((problem) => `${LABELS[name]}: ${problem}`));
    return parts;
  };
  return { templates: { subject: parse('subject'), text: parse('text'), html: parse('html') }, problems };
}

function parseTemplate(source: string): { readonly parts: readonly Part[]; readonly problems: readonly string[] } {
  if (source.length > MAX_TEMPLATE)
    return { parts: [], problems: [`it must not have more than ${MAX_TEMPLATE} characters.`] };
  if (source.split('{{').length > MAX_PLACEHOLDERS)
    return { parts: [], problems: [`it must not have more than ${MAX_PLACEHOLDERS} placeholders.`] };
  const parts: Part[] = [];
  const unknown = new Set<string>();
  let at = 0;
  for (const match of source.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const placeholder = (match[1] ?? '').trim();
    if (!Object.hasOwn(PLACEHOLDERS, placeholder)) unknown.add(placeholder.slice(0, 40));
    parts.push(source.slice(at, match.index), { placeholder });
    at = match.index + match[0].length;
  }
  parts.push(source.slice(at));
  const isBroken = parts.some((part) => typeof part === 'string' && /\{\{|\}\}/.test(part));
  return {
    parts,
    problems: [
      ...[...unknown].map(
        (name) => `{{${name}}} is not a placeholder. Available placeholders: ${Object.keys(PLACEHOLDERS).join(', ')}.`,
      ),
      ...(isBroken ? ['a placeholder must be a name in double braces.'] : []),
    ],
  };
}

export function renderTemplates(
  templates: Templates,
  facts: { readonly words: NotificationTexts; readonly recipient: Recipient },
): MailContent {
  const render = (parts: readonly Part[], form: 'text' | 'html'): string =>
    parts
      .map((part) => (typeof part === 'string' ? part : (PLACEHOLDERS[part.placeholder]?.(facts)[form] ?? '')))
      .join('');
  return {
    // One line: a line break would start a new header.
    subject: plainText(render(templates.subject, 'text'), MAX_SUBJECT),
    text: withoutGaps(render(templates.text, 'text')),
    html: render(templates.html, 'html'),
  };
}

/** Removes the extra empty lines that empty placeholders leave. */
const withoutGaps = (text: string): string => `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`;

/**
 * Content that HTML templates must not contain. Mail clients ignore most of it anyway, but this check does not rely on
 * them.
 */
const FORBIDDEN =
  /<\s*(?:\/\s*)?(script|iframe|frame|object|embed|applet|form|input|button|base|meta|link|svg|math|template)\b/i;
const HANDLER = /<[^<>]*[\s"'/]on[a-z]+\s*=/i;
const SCRIPT_URL = /=\s*(?:["']\s*)?(?:javascript|vbscript|data)\s*:/i;
const REMOTE = /<\s*(?:img|video|audio|source)\b[^<>]*\ssrc\s*=\s*(?:["']\s*)?(?:http|\/\/)/i;

function htmlProblems(source: string): string[] {
  const [, element = ''] = FORBIDDEN.exec(source) ?? [];
  const places = [...source.matchAll(/\{\{/g)].map(({ index }) => index);
  return [
    ...(element === '' ? [] : [`the element ${element.toLowerCase()} is not allowed in emails.`]),
    ...(HANDLER.test(source) ? ['event handlers such as onclick are not allowed in emails.'] : []),
    ...(SCRIPT_URL.test(source)
      ? ['URLs that run or contain code (javascript:, data:) are not allowed in emails.']
      : []),
    ...(REMOTE.test(source)
      ? ['images from other servers are not allowed: they reveal who reads the email and when.']
      : []),
    ...(places.some((place) => isInsideTag(source, place))
      ? [
          'a placeholder must not be inside an element (between < and >), a comment or a style; put it between elements.',
        ]
      : []),
  ];
}

/**
 * Returns whether the position is between `<` and `>`, in a comment or in a style sheet, where even escaped text could
 * have a special meaning.
 */
function isInsideTag(source: string, place: number): boolean {
  const before = source.slice(0, place).toLowerCase();
  const isOpen = (open: string, close: string): boolean => before.lastIndexOf(open) > before.lastIndexOf(close);
  return isOpen('<', '>') || isOpen('<!--', '-->') || isOpen('<style', '</style');
}
