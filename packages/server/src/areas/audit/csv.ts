// CSV format of audit records: UTF-8, comma, CRLF; quotes inside quoted fields are escaped with a backslash.
import { csvField, csvLineOf } from '../../kernel/csv.ts';
import type { AuditObject } from './record.ts';
import type { AuditRow } from './store.ts';

const columns: readonly (readonly [string, (row: AuditRow) => string])[] = [
  ['id', (row) => String(row.id)],
  ['version', (row) => field(row.version)],
  ['loggedAt', (row) => row.logged_at.toISOString()],
  ['timestamp', (row) => row.timestamp.toISOString()],
  ['module', (row) => field(row.module)],
  ['operation', (row) => field(row.operation)],
  ['operationResult', (row) => field(row.operation_result)],
  ['resource', (row) => field(row.resource)],
  ['resourceObjects', (row) => field(objectsText(row.resource_objects))],
  ['affiliatedResource', (row) => field(row.affiliated_resource)],
  ['affiliatedObjects', (row) => field(objectsText(row.affiliated_objects))],
  ['actorType', (row) => field(row.actor_type)],
  ['actorAuthMethod', (row) => field(row.actor_auth_method)],
  ['actorUuid', (row) => field(row.actor_uuid)],
  ['actorName', (row) => field(row.actor_name)],
  ['ipAddress', (row) => field(row.source_ip_address)],
  ['userAgent', (row) => field(row.source_user_agent)],
  ['message', (row) => field(row.message)],
  ['operationData', (row) => field(jsonText(row.operation_data))],
  ['additionalData', (row) => field(jsonText(row.additional_data))],
];

export const csvHeader = csvLineOf(columns.map(([name]) => name));

export const csvLine = (row: AuditRow): string => csvLineOf(columns.map(([, text]) => text(row)));

/** Formats objects as `[{name;uuid};{name;uuid}]`; empty if there are none. */
const objectsText = (objects: readonly AuditObject[] | null): string =>
  objects && objects.length > 0
    ? `[${objects.map(({ name, uuid }) => `{${name ?? ''};${uuid ?? ''}}`).join(';')}]`
    : '';

const jsonText = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));

const field = (text: string | null): string => csvField(text, 'backslash');
