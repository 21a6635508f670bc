// Templates of mails. A template is text with placeholders, and nothing else: there is nothing in it to be run.
import { plainText, type NotificationWords } from '@signetry/connector-sdk/notification';
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
/** Mail programs cut longer ones. */
const MAX_SUBJECT = 200;

/** All that is wrong with them, in words. */
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
  if (source.length > MAX_TEMPLATE) return { parts: [], problems: [`it has more than ${MAX_TEMPLATE} characters.`] };
  if (source.split('{{').length > MAX_PLACEHOLDERS)
    return { parts: [], problems: [`it has more than ${MAX_PLACEHOLDERS} placeholders.`] };
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
        (name) => `{{${name}}} is no placeholder. There are ${Object.keys(PLACEHOLDERS).join(', ')}.`,
      ),
      ...(isBroken ? ['a placeholder has two braces before its name and two behind it, and nothing else.'] : []),
    ],
  };
}

export function renderTemplates(
  templates: Templates,
  facts: { readonly words: NotificationWords; readonly recipient: Recipient },
): MailContent {
  const render = (parts: readonly Part[], form: 'text' | 'html'): string =>
    parts
      .map((part) => (typeof part === 'string' ? part : (PLACEHOLDERS[part.placeholder]?.(facts)[form] ?? '')))
      .join('');
  return {
    // One line: a line break would begin another header.
    subject: plainText(render(templates.subject, 'text'), MAX_SUBJECT),
    text: withoutGaps(render(templates.text, 'text')),
    html: render(templates.html, 'html'),
  };
}

/** Placeholders that stay empty leave empty lines. */
const withoutGaps = (text: string): string => `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`;

/**
 * What a template in HTML must not have. Mail programs leave most of it out anyway; what is refused here does not
 * depend on them.
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
    ...(element === '' ? [] : [`the element ${element.toLowerCase()} is refused in mails.`]),
    ...(HANDLER.test(source) ? ['event handlers such as onclick are refused in mails.'] : []),
    ...(SCRIPT_URL.test(source) ? ['addresses that run or hold code (javascript:, data:) are refused in mails.'] : []),
    ...(REMOTE.test(source) ? ['pictures from elsewhere tell others who reads the mail when, and are refused.'] : []),
    ...(places.some((place) => isInsideTag(source, place))
      ? [
          'a placeholder inside of an element (between < and >), a comment or a style is refused: put it between elements.',
        ]
      : []),
  ];
}

/** Between `<` and `>`, in a comment, or in a style sheet: escaped text could mean something there. */
function isInsideTag(source: string, place: number): boolean {
  const before = source.slice(0, place).toLowerCase();
  const isOpen = (open: string, close: string): boolean => before.lastIndexOf(open) > before.lastIndexOf(close);
  return isOpen('<', '>') || isOpen('<!--', '-->') || isOpen('<style', '</style');
}
