// Subject alternative names for end entities, in the notation of first-generation authorities:
// `dNSName=www.example.com, iPAddress=192.0.2.1`. A comma within a value is escaped with a backslash.
import type { GeneralName } from '@signetry/pki';
import type { Problems } from '../problems.ts';
import { parseAltName } from '../profiles/alt-name-text.ts';

export const readAltNames = (text: string | undefined, problems: Problems): readonly GeneralName[] =>
  entriesOf(text ?? '').flatMap((entry) => {
    const [, type = '', value = ''] = /^([A-Za-z0-9]+)=(.*)$/s.exec(entry) ?? [];
    const prefix = PREFIXES.get(type.toLowerCase());
    if (prefix !== undefined) return problems.attempt('subjectAltName', () => parseAltName(`${prefix}:${value}`)) ?? [];
    problems.add(
      `subjectAltName: "${entry.slice(0, 100)}" must consist of a type and a value, such as "dNSName=www.example.com".`,
    );
    return [];
  });

const entriesOf = (text: string): readonly string[] =>
  text
    .split(/(?<!\\),/)
    .map((entry) => entry.replaceAll('\\,', ',').trim())
    .filter((entry) => entry !== '');

/** Name types from RFC 5280 §4.2.1.6 and their common variants, mapped to the prefixes in our own notation. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['dnsname', 'dns'],
  ['ipaddress', 'ip'],
  ['rfc822name', 'email'],
  ['uniformresourceidentifier', 'uri'],
  ['uniformresourceid', 'uri'],
  ['uri', 'uri'],
  ['directoryname', 'dn'],
  ['registeredid', 'rid'],
  ['upn', 'upn'],
]);
