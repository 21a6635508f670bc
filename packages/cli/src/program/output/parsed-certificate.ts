// Human-readable content of a parsed certificate: its fields, then its extensions, indented by nesting level.
import type { ParsedCertificateDto, ParsedExtensionDto, ParsedValueDto } from '@signetry/contract';
import { printable } from './printable.ts';
import { renderFacts, type Fact } from './table.ts';
import { describeTime, isoTime } from './times.ts';

export function parsedCertificate(
  parsed: ParsedCertificateDto,
  { now, colour }: { readonly now: () => number; readonly colour: boolean },
): string {
  const { publicKey, signature, fingerprints, extensions } = parsed;
  const facts: readonly Fact[] = [
    ['Version', String(parsed.version)],
    ['Serial number', parsed.serialNumber],
    ['Subject', parsed.subject.rfc4514],
    ['Issuer', parsed.issuer.rfc4514],
    ['Valid from', describeTime(parsed.notBefore, now())],
    ['Valid until', describeTime(parsed.notAfter, now())],
    ['Public key', [publicKey.algorithm, publicKey.curve, publicKey.size].filter(Boolean).join(' ')],
    ['Signature', signature.algorithm],
    ['SHA-256', fingerprints.sha256],
    ['SHA-1', fingerprints.sha1],
    ['SHA-256 of public key', publicKey.fingerprint],
  ];
  return [renderFacts(facts, { colour }), ...extensions.map(extensionText)].join('\n\n');
}

function extensionText({ oid, name, critical, values, hex, problem }: ParsedExtensionDto): string {
  const title = `${name ?? 'Extension'} (${oid}${critical ? ', critical' : ''})`;
  const unread = problem === undefined ? [] : [`  Cannot parse: ${printable(problem.message)}`];
  return [
    title,
    ...values.flatMap((value) => valueLines(value, 1)),
    ...unread,
    ...(hex === undefined ? [] : [`  ${hex === '' ? 'empty' : hex}`]),
  ].join('\n');
}

const INDENT = '  ';

function valueLines({ label, text, form, oid, members = [] }: ParsedValueDto, depth: number): string[] {
  const said = text === undefined ? '' : `: ${form === 'time' ? isoTime(Date.parse(text)) : text}`;
  const identifier = oid === undefined || oid === text || oid === label ? '' : ` (${oid})`;
  return [
    `${INDENT.repeat(depth)}${printable(`${label}${said}${identifier}`)}`,
    ...members.flatMap((member) => valueLines(member, depth + 1)),
  ];
}
