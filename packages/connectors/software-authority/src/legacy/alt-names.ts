// Alternative names of end entities, as authorities of the first generation write them: `dNSName=www.example.com,
// iPAddress=192.0.2.1`, with a backslash before a comma that belongs to a value.
import type { GeneralName } from '@signetry/pki';
import type { Problems } from '../problems.ts';
import { parseAltName } from '../profiles/alt-name-text.ts';

export const readAltNames = (text: string | undefined, problems: Problems): readonly GeneralName[] =>
  entriesOf(text ?? '').flatMap((entry) => {
    const [, type = '', value = ''] = /^([A-Za-z0-9]+)=(.*)$/s.exec(entry) ?? [];
    const prefix = PREFIXES.get(type.toLowerCase());
    if (prefix !== undefined) return problems.attempt('subjectAltName', () => parseAltName(`${prefix}:${value}`)) ?? [];
    problems.add(
      `subjectAltName: "${entry.slice(0, 100)}" is not a type and a value, such as "dNSName=www.example.com".`,
    );
    return [];
  });

const entriesOf = (text: string): readonly string[] =>
  text
    .split(/(?<!\\),/)
    .map((entry) => entry.replaceAll('\\,', ',').trim())
    .filter((entry) => entry !== '');

/** Types of RFC 5280 §4.2.1.6, and what is used for them, by the prefixes of our own form. */
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
