// URL of the console, for links in messages.

/** Parses the URL; the result has no trailing slash. */
export function parseConsoleUrl(
  text: string | undefined,
): { readonly value: string | undefined } | { readonly problem: string } {
  if (text === undefined) return { value: undefined };
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return { problem: 'must be a URL such as https://pki.example.com.' };
  return { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}
