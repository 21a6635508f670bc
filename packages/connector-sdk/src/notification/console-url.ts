// The address of the console, for links in messages.

/** Without a slash at its end. */
export function parseConsoleUrl(
  text: string | undefined,
): { readonly value: string | undefined } | { readonly problem: string } {
  if (text === undefined) return { value: undefined };
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return { problem: 'this is no address such as https://pki.example.com.' };
  return { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}
