// Names of read operations in audit records. They are derived from the route because most operations are reads.
import { z } from 'zod';
import type { Method } from './operation.ts';
import type { AuditOperation } from './platform/audit-vocabulary.ts';

/** The first matching pattern determines the operation. */
const byPath: readonly (readonly [RegExp, AuditOperation])[] = [
  [/\/statistics(?:\/|$)/, 'statistics'],
  [/\/chain\/\{certificateFormat\}$/, 'downloadChain'],
  [/\/\{certificateFormat\}$/, 'download'],
  [/\/(?:chain|caCertificates)$/, 'getChain'],
  [/\/content$/, 'getContent'],
  [/\/history$/, 'history'],
  [/\/health$/, 'checkHealth'],
  [/\/probe\/look$/, 'checkHealth'],
  [/\/callback$/, 'attributeCallback'],
  [/\/certificates\/\{uuid\}\/validat(?:e|ion)$/, 'checkValidation'],
  [/\/auditLogs\/verify$/, 'checkValidation'],
  [/\/validate$/, 'validateAttributes'],
  // Excludes attribute definitions, which are themselves objects.
  [/(?<!^\/v1|^\/x\/v1)\/attributes(?:\/|$)/, 'listAttributes'],
  [/\/permissions\/\{resourceUuid\}\/objects$/, 'getObjectPermissions'],
  [/\/permissions(?:\/|$)/, 'getPermissions'],
  [/\/identify$/, 'identify'],
  [/\/auth\/profile$/, 'getUserProfile'],
  [/\/protocols\/\w+$/, 'getProtocolInfo'],
  [/\/certificateprofiles$/, 'listCertificateProfiles'],
  [/\/cas$/, 'listCas'],
];

export function readOperationOf(route: {
  readonly method: Method;
  readonly path: string;
  readonly answer: z.ZodType | undefined;
}): AuditOperation {
  const named = byPath.find(([pattern]) => pattern.test(route.path));
  if (named) return named[1];
  // Searches use POST and return pages.
  return route.method === 'POST' || route.answer instanceof z.ZodArray ? 'list' : 'detail';
}
