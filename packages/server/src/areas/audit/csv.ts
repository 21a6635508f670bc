// The CSV form of audit records: UTF-8, comma, CRLF; quotes inside quoted fields are escaped with a backslash.
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

const LINE_END = '\r\n';

export const csvHeader = columns.map(([name]) => name).join(',') + LINE_END;

export const csvLine = (row: AuditRow): string => columns.map(([, text]) => text(row)).join(',') + LINE_END;

/** `[{name;uuid};{name;uuid}]`, empty when there are none. */
const objectsText = (objects: readonly AuditObject[] | null): string =>
  objects && objects.length > 0
    ? `[${objects.map(({ name, uuid }) => `{${name ?? ''};${uuid ?? ''}}`).join(';')}]`
    : '';

const jsonText = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));

/** Spreadsheets take a field that begins so as a formula; an apostrophe before it makes it text. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\\\r\n]|^\s|\s$/;

function field(text: string | null): string {
  if (text === null || text === '') return '';
  const guarded = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll(/["\\]/g, String.raw`\$&`)}"` : guarded;
}
