// Parser for a small subset of Markdown: headings, paragraphs, lists, code, bold, emphasis and HTTPS links. Pure; runs
// in linear time.

export type Block =
  | { readonly kind: 'heading' | 'paragraph' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] };

export type Span =
  | { readonly kind: 'plain' | 'strong' | 'emphasis' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string };

const ITEM = /^\s*[*+-] +/;
const NUMBERED = /^\s*\d{1,9}[.)] +/;
const HEADING = /^#{1,6} +/;

export function blocksOf(text: string): readonly Block[] {
  return text.split(/^```.*$/m).flatMap((part, place): readonly Block[] => {
    // Every second part is between code fences; empty ones are skipped.
    if (place % 2 === 1) return part.trim() === '' ? [] : [{ kind: 'code', text: part.replaceAll(/^\n|\n$/g, '') }];
    return part
      .split(/\n[ \t]*\n/)
      .filter((block) => block.trim() !== '')
      .flatMap((block) => blocksOfLines(block.trim().split('\n')));
  });
}

/** A heading ends with its line; a list can follow a sentence without a blank line. */
function blocksOfLines(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    const marker = [ITEM, NUMBERED].find((pattern) => pattern.test(line));
    if (HEADING.test(line)) blocks.push({ kind: 'heading', text: line.replace(HEADING, '') });
    else if (marker) {
      const isOrdered = marker === NUMBERED;
      const item = line.replace(marker, '');
      if (last?.kind === 'list' && last.isOrdered === isOrdered)
        blocks[blocks.length - 1] = { ...last, items: [...last.items, item] };
      else blocks.push({ kind: 'list', isOrdered, items: [item] });
    } else if (last?.kind === 'paragraph') blocks[blocks.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
    else if (last?.kind === 'list') {
      const items = [...last.items.slice(0, -1), `${last.items.at(-1) ?? ''} ${line.trim()}`];
      blocks[blocks.length - 1] = { ...last, items };
    } else blocks.push({ kind: 'paragraph', text: line.trim() });
  }
  return blocks;
}

const SPAN = /(\*\*[^*\n]{1,500}\*\*|`[^`\n]{1,500}`|\*[^*\s][^*\n]{0,499}\*|\[[^\]\n]{1,500}\]\([^)\s]{1,500}\))/;

export const spansOf = (text: string): readonly Span[] =>
  text
    .split(SPAN)
    .filter((part) => part !== '')
    .map(spanOf);

function spanOf(part: string): Span {
  if (!SPAN.test(part)) return { kind: 'plain', text: part };
  if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) };
  if (part.startsWith('*')) return { kind: 'emphasis', text: part.slice(1, -1) };
  if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
  const [, text = '', address = ''] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? [];
  return address.startsWith('https://') && URL.canParse(address)
    ? { kind: 'link', text, address }
    : { kind: 'plain', text: part };
}
