// Distinguished names, serial numbers and fingerprints in readable form.

/** Parts of an RFC 4514 name, the most specific first. Escaped commas stay within their part. */
export function nameParts(distinguishedName: string): readonly { readonly type: string; readonly value: string }[] {
  const parts = distinguishedName.match(/(?:\\.|[^,\\])+/g) ?? [];
  return parts.flatMap((part) => {
    const at = part.indexOf('=');
    return at < 0
      ? []
      : [
          {
            type: part.slice(0, at).trim(),
            value: part
              .slice(at + 1)
              .replaceAll(/\\(.)/g, '$1')
              .trim(),
          },
        ];
  });
}

/** Pairs of digits, so that two numbers can be compared by eye. */
export const colonPairs = (hex: string): string =>
  (hex.length % 2 === 0 ? hex : `0${hex}`).toUpperCase().match(/../g)?.join(':') ?? hex;

/** For the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const formatCount = (count: number): string => count.toLocaleString();

/** The display name of a certificate: its common name, or else its subject or serial number. */
export const titleOf = (certificate: {
  readonly commonName: string;
  readonly subjectDn?: string | undefined;
  readonly serialNumber?: string | undefined;
}): string =>
  certificate.commonName || certificate.subjectDn || `Serial number ${certificate.serialNumber ?? 'unknown'}`;
