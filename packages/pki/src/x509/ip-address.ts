// Converts IP addresses between bytes and text. IPv6 text uses the canonical form of RFC 5952.

/** Returns the text of 4 or 16 bytes, or `undefined` for any other length. */
export function formatIpAddress(octets: Uint8Array): string | undefined {
  if (octets.length === 4) return octets.join('.');
  if (octets.length !== 16) return undefined;
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((octets[i] as number) << 8) | (octets[i + 1] as number)); // i + 1 < 16
  const { start, length } = longestZeroRun(groups);
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  // RFC 5952 §4.2.2: a single zero group is not shortened.
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** Returns the first of the longest runs of zero groups (RFC 5952 §4.2.3). */
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, index) => {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  });
  return best;
}

/**
 * Returns the bytes of IPv4 or IPv6 text, or `undefined` if it is neither. Zones (`%eth0`) and leading zeros are not
 * accepted.
 */
export function parseIpAddress(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return Uint8Array.from(parts, Number);
}

function parseIpv6(text: string): Uint8Array | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(parseGroups);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (tail === undefined) return head.length === 16 ? Uint8Array.from(head) : undefined;
  const missing = 16 - head.length - tail.length;
  if (missing < 2) return undefined;
  return Uint8Array.from([...head, ...new Uint8Array(missing), ...tail]);
}

/** Returns the bytes of colon-separated groups, the last of which can be IPv4 text. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return [];
  const octets: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes('.')) {
      const ipv4 = parseIpv4(group);
      if (ipv4 === undefined) return undefined;
      octets.push(...ipv4);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      octets.push(value >> 8, value & 0xff);
    }
  }
  return octets;
}
