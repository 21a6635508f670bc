// What a template in HTML must not have. Mail programs leave most of it out anyway; what is refused here does not
// depend on them.

const FORBIDDEN =
  /<\s*(?:\/\s*)?(script|iframe|frame|object|embed|applet|form|input|button|base|meta|link|svg|math|template)\b/i;
const HANDLER = /<[^<>]*[\s"'/]on[a-z]+\s*=/i;
const SCRIPT_URL = /=\s*(?:["']\s*)?(?:javascript|vbscript|data)\s*:/i;
const REMOTE = /<\s*(?:img|video|audio|source)\b[^<>]*\ssrc\s*=\s*(?:["']\s*)?(?:http|\/\/)/i;

export function htmlProblems(source: string): string[] {
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
