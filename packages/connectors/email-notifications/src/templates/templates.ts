// Templates of mails. A template is text with placeholders, and nothing else: there is nothing in it to be run.
import type { NotificationWords } from '@signetry/connector-sdk/notification';
import { plainText } from '@signetry/connector-sdk/notification';
import { htmlProblems } from './html-problems.ts';
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
