// URLs in certificates. Relying parties read them for years, so unreplaced placeholders and unsupported schemes are
// refused. Omitting them takes the explicit word `none`: an attribute without a value may have been forgotten.
import type { Problems } from '../problems.ts';
import { splitEntries } from './text-lines.ts';

/** Stands for no URL at all. */
const NO_URLS = 'none';

/**
 * Where a connector on a port of its own is told that its CRLs, OCSP responses and CA certificates are published.
 * Inside the platform there is none: the platform fills in its own addresses when an RA profile is made.
 */
export interface OwnAddresses {
  readonly publicUrl: string;
  /** Identifier of the CA. */
  readonly authority: string;
}

/** The placeholders that the platform replaces before it calls. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['{{publicUrl}}', '{{revocationUrl}}', '{{authority}}']);
/** Longest URL in a certificate; relying parties have small limits. */
const MAX_URL = 2000;

export interface UrlField {
  readonly text: string | undefined;
  readonly attribute: string;
  /** Placeholders are allowed while a profile is being checked, but not when a certificate is issued. */
  readonly allowPlaceholders: boolean;
  /** Replace the placeholders that no platform replaced. */
  readonly own?: OwnAddresses | undefined;
}

export function readUrls(field: UrlField, problems: Problems): readonly string[] {
  if (field.text?.trim().toLowerCase() === NO_URLS) return [];
  const urls = splitEntries(field.text).map((url) => (field.own ? filledIn(url, field.own) : url));
  for (const url of urls) {
    const problem = urlProblem(url, field.allowPlaceholders);
    if (problem) problems.add(`"${url.slice(0, 200)}" (${field.attribute}) ${problem}.`);
  }
  return urls;
}

const filledIn = (url: string, { publicUrl, authority }: OwnAddresses): string =>
  url.replaceAll(/\{\{(?:publicUrl|revocationUrl)\}\}/g, () => publicUrl).replaceAll('{{authority}}', () => authority);

function urlProblem(url: string, allowPlaceholders: boolean): string | undefined {
  const placeholders = url.match(/\{\{[^{}]*\}\}/g) ?? [];
  const unknown = placeholders.find((placeholder) => !PLACEHOLDERS.has(placeholder));
  if (unknown) return `has the unknown placeholder ${unknown}; known are ${[...PLACEHOLDERS].join(', ')}`;
  if (placeholders.length > 0 && !allowPlaceholders) {
    return `still has the placeholder ${placeholders[0]}: the platform did not replace it, and the connector has no public URL of its own`;
  }
  const address = filledIn(url, { publicUrl: 'http://public.example', authority: 'authority' });
  if (address.length > MAX_URL) return `is longer than ${MAX_URL} characters`;
  // IA5String in certificates (RFC 5280 §4.2.1.6); other characters are to be percent-encoded.
  if (!/^[\x21-\x7e]+$/.test(address)) return 'has characters that a URL cannot have';
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return 'is no http or https URL';
  if (parsed.username !== '' || parsed.password !== '') return 'must not carry credentials';
  return undefined;
}
