// Text for audit records.
import {
  ActorType,
  AuditModule,
  AuditOperation,
  AuthMethod,
  Resource,
  type ActorRecord,
  type AuditLogDto,
  type ResourceRecord,
} from '@signetry/contract';

export const describeOperation = ({ operation, resource }: AuditLogDto): string =>
  `${AuditOperation.labels[operation]}: ${Resource.labels[resource.type]}`;

/** Returns the object names, or the UUID if a name is empty or was not recorded. */
export const describeObjects = ({ objects = [] }: ResourceRecord): string =>
  objects.map(({ name, uuid }) => name || uuid || '').join(', ');

export function describeActor({ type, name }: ActorRecord): string {
  if (type === 'anonymous') return 'Anonymous';
  if (type === 'core') return name === undefined ? 'Platform' : `Platform (${name})`;
  return name ?? ActorType.labels[type];
}

export const describeAuthMethod = ({ authMethod }: ActorRecord): string =>
  authMethod === 'none' ? '' : AuthMethod.labels[authMethod];

const choicesOf = <Code extends string>(labels: Readonly<Record<Code, string>>) =>
  Object.entries<string>(labels)
    .map(([value, label]) => ({ value: value as Code, label })) // `Object.entries` loses the type of the keys.
    .toSorted((a, b) => a.label.localeCompare(b.label));

export const operationChoices = choicesOf(AuditOperation.labels);
export const moduleChoices = choicesOf(AuditModule.labels);
export const resourceChoices = choicesOf(Resource.labels).filter(({ value }) => value !== 'NONE' && value !== 'ANY');
