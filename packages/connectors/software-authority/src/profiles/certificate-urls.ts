// URLs in certificates. Relying parties use them for years, so unreplaced placeholders and unsupported schemes are
// rejected. An attribute without a value may have been forgotten, so omitting URLs requires the explicit value `none`.
import type { Problems } from '../problems.ts';
import { splitEntries } from './text-lines.ts';

/** Value that omits the URLs. */
const NO_URLS = 'none';

/**
 * Where a standalone connector publishes its CRLs, OCSP responses and CA certificates. Not used inside the platform,
 * which inserts its own URLs when an RA profile is created.
 */
export interface OwnUrls {
  readonly publicUrl: string;
  /** Identifier of the CA. */
  readonly authority: string;
}

/** Placeholders that the platform replaces before a call. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['{{publicUrl}}', '{{revocationUrl}}', '{{authority}}']);
/** Maximum length of a URL in a certificate; relying parties have small limits. */
const MAX_URL = 2000;

export interface UrlField {
  readonly text: string | undefined;
  readonly attribute: string;
  /** Placeholders are accepted while a profile is being checked, but not during issuance. */
  readonly allowPlaceholders: boolean;
  /** Values for placeholders that the platform did not replace. */
  readonly own?: OwnUrls | undefined;
}

export function readUrls(field: UrlField, problems: Problems): readonly string[] {
  if (field.text?.trim().toLowerCase() === NO_URLS) return [];
  const urls = splitEntries(field.text).map((url) => (field.own ? fillPlaceholders(url, field.own) : url));
  for (const url of urls) {
    const problem = urlProblem(url, field.allowPlaceholders);
    if (problem) problems.add(`"${url.slice(0, 200)}" (${field.attribute}) ${problem}.`);
  }
  return urls;
}

const fillPlaceholders = (url: string, { publicUrl, authority }: OwnUrls): string =>
  url.replaceAll(/\{\{(?:publicUrl|revocationUrl)\}\}/g, () => publicUrl).replaceAll('{{authority}}', () => authority);

function urlProblem(url: string, allowPlaceholders: boolean): string | undefined {
  const placeholders = url.match(/\{\{[^{}]*\}\}/g) ?? [];
  const unknown = placeholders.find((placeholder) => !PLACEHOLDERS.has(placeholder));
  if (unknown)
    return `contains the unknown placeholder ${unknown}; supported placeholders: ${[...PLACEHOLDERS].join(', ')}`;
  if (placeholders.length > 0 && !allowPlaceholders) {
    return `still contains the placeholder ${placeholders[0]}: the platform did not replace it, and the connector has no public URL`;
  }
  const address = fillPlaceholders(url, { publicUrl: 'http://public.example', authority: 'authority' });
  if (address.length > MAX_URL) return `is longer than ${MAX_URL} characters`;
  // Certificates encode URLs as IA5String (RFC 5280 §4.2.1.6), so other characters must be percent-encoded.
  if (!/^[\x21-\x7e]+$/.test(address)) return 'contains characters that are not valid in a URL';
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return 'is not an http or https URL';
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain credentials';
  return undefined;
}
