// File name patterns with `*` and `?`. Matching is case-insensitive.

export const DEFAULT_PATTERNS = [
  '*.pem',
  '*.crt',
  '*.cer',
  '*.cert',
  '*.der',
  '*.p7b',
  '*.p7c',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.truststore',
  'cacerts',
] as const;

const MAX_PATTERNS = 100;
const MAX_LENGTH = 255;

export const parsePatterns = (text: string): string[] => text.split(/[\s,;]+/).filter((pattern) => pattern !== '');

export function patternProblems(patterns: readonly string[]): string[] {
  if (patterns.length > MAX_PATTERNS)
    return [`${patterns.length} patterns were specified; the maximum is ${MAX_PATTERNS}.`];
  return patterns
    .filter((pattern) => pattern.includes('/') || pattern.length > MAX_LENGTH)
    .map(
      (pattern) => `"${pattern.slice(0, MAX_LENGTH)}" is not a file name pattern: it contains a slash or is too long.`,
    );
}

export function createNameFilter(patterns: readonly string[]): (name: string) => boolean {
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  return (name) => {
    const text = name.toLowerCase();
    return lower.some((pattern) => matches(text, pattern));
  };
}

/** Takes time at most proportional to the product of both lengths: only the last `*` is ever retried. */
function matches(text: string, pattern: string): boolean {
  let [at, place, star, from] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place;
      place += 1;
      from = at;
    } else if (pattern[place] === '?' || pattern[place] === text[at]) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      place = star + 1;
      from += 1;
      at = from;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(place));
}
