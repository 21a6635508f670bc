// Reference pages, generated from the tables that the program uses at run time.
import {
  connectorBaseOperations,
  connectorOperations,
  functionGroupOperations,
  functionGroupSpecifications,
  optionalOperations,
  platformOperations,
  type FunctionGroupCode,
  type Access,
  type AdditionalPermission,
  type Operation,
} from '@signetry/contract';
import { page, table } from './page-text.ts';
import { callRulesOf } from '../packages/server/src/areas/connectors/call-rules.ts';
import { errorCatalog, type ErrorCode } from '../packages/server/src/kernel/errors.ts';
import { restForms } from '../packages/server/src/platform/http/render-error.ts';
import {
  environmentName,
  flagName,
  settingNames,
  settings,
  type SettingFacts,
} from '../packages/server/src/app/settings.ts';

/** Parameters that appear under their own names in an error message. */
const named: Record<string, unknown> = new Proxy(
  {},
  {
    get: (_target, name) =>
      name === 'problems' || name === 'allowed'
        ? [`{${String(name)}}`]
        : name === 'name'
          ? '{name}'
          : `{${String(name)}}`,
  },
);

export function errorsPage(): string {
  const rows = (Object.keys(errorCatalog) as ErrorCode[]).map((code) => {
    const { status, code: wire } = restForms[code];
    const message = errorCatalog[code] as (parameters: unknown) => string; // Parameters appear as their names.
    return [`\`${code}\``, String(status), `\`${wire}\``, message(named)];
  });
  return page(
    'Errors',
    'Every error of the management API: the code in the source, the HTTP status, the code in the response, and the message. If an operation documents status 422, the body of `rejected_by_rules` and `invalid_state` is a list of strings.',
    table(['Code', 'Status', 'Response code', 'Message'], rows),
  );
}

export function permissionsPage(): string {
  const rows = Object.values(platformOperations as Readonly<Record<string, Operation>>)
    .map((op) => [
      `${op.method} ${op.path}`,
      op.summary,
      accessText(op),
      op.audit ? `${op.audit.resource}: ${op.audit.operation}` : '',
    ])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return page(
    'Permissions',
    `Permissions that each operation requires, and the audit record that a change creates. The platform has ${rows.length} operations; connectors have ${Object.keys(connectorOperations).length}, protected by their own configuration. A request without the required permission on an object in its path or body is rejected with 403. If the caller is not a member of a certificate's RA profile, the certificate is reported as not found (404). Owners of a certificate need no permissions on it. Members of a group (groups: members) need no permissions to list and view the certificates and users in it. Users can only grant permissions that they have, and only users with all permissions can change roles and accounts that have all permissions.`,
    table(['Operation', 'Purpose', 'Required permission', 'Audit record'], rows),
  );
}

const accessText = ({ access, also = [] }: Operation): string =>
  [ownAccessText(access), ...also.map(furtherText)].join(', and ');

function ownAccessText(access: Access | undefined): string {
  if (access === undefined || access === 'public') return 'none';
  if (access === 'authenticated') return 'any signed-in user';
  if (access === 'bootstrap') return 'a caller on this machine, if there is no enabled administrator';
  const own = `${access.resource}: ${access.action}`;
  return access.parent ? `${own}, and ${access.parent.resource}: ${access.parent.action}` : own;
}

function furtherText({ resource, action, named, where }: AdditionalPermission): string {
  const own = `${resource}: ${action}`;
  if (where !== undefined) return `${own} (if ${where})`;
  if (named === undefined) return own;
  return `${own} (on the object that ${named === '$' ? 'the body' : `\`${named}\``} identifies)`;
}

export function settingsPage(): string {
  const rows = settingNames.map((name) => {
    const facts: SettingFacts = settings[name];
    return [
      `\`${name}\``,
      `\`${flagName(name)}\``,
      `\`${environmentName(name)}\``,
      facts.initial === undefined ? '' : `\`${facts.initial || '(empty)'}\``,
      facts.about,
    ];
  });
  return page(
    'Settings',
    'Settings are read from the command line, the environment, a file (`--config FILE` or `SIGNETRY_CONFIG`, YAML, `name: value`) and the defaults, in this order of precedence. `signetry config` prints the active values and their sources.',
    table(['Name in the file', 'Option', 'Environment variable', 'Default', 'Description'], rows),
  );
}

const repetitions = {
  harmless: 'no effect',
  same: 'same effect',
  again: 'second effect',
} as const;

function callRow(operation: Operation): string[] {
  const { timeoutMs, repeated } = callRulesOf(operation);
  return [`${operation.method} ${operation.path}`, `${timeoutMs / 1000} s`, repetitions[repeated]];
}

function functionGroupTable(code: FunctionGroupCode): string {
  const mayLack: readonly string[] = optionalOperations[code];
  const { endpoints } = functionGroupSpecifications[code];
  const rows = Object.entries<Operation>(functionGroupOperations[code]).map(([name, operation]) => {
    const context = operation.path.replace('{functionalGroup}', code);
    const isRequired = endpoints.some(
      (each) => each.required && each.context === context && each.method === operation.method,
    );
    const [endpoint = '', ...rules] = callRow({ ...operation, path: context });
    return [`\`${name}\``, endpoint, isRequired ? 'yes' : '', mayLack.includes(name) ? '' : 'yes', ...rules];
  });
  return table(
    ['Operation', 'Endpoint', 'Required by platforms', 'Required by the SDK', 'Timeout', 'If repeated'],
    rows,
  );
}

export function connectorOperationsPage(): string {
  const { listSupportedFunctions, checkHealth } = connectorBaseOperations;
  const all = table(['Endpoint', 'Timeout', 'If repeated'], [listSupportedFunctions, checkHealth].map(callRow));
  const groups = Object.keys(functionGroupOperations) as FunctionGroupCode[]; // The keys are codes.
  return page(
    'Connector operations',
    `The ${Object.keys(connectorOperations).length} operations of connectors, by function group. *Required by platforms*: a connector whose \`GET /v1\` does not list the endpoint is rejected. *Required by the SDK*: a connector must have a handler. If an optional operation has no handler, values are validated against the definitions, and all other requests are answered with 404. *Timeout*: how long the platform waits for a response. *If repeated*: the effect of repeating a call. A call without an effect is retried if the connection breaks; a call with a second effect is sent with an idempotency key if its result matters.`,
    [`## Every connector\n\n${all}`, ...groups.map((code) => `## ${code}\n\n${functionGroupTable(code)}`)].join('\n\n'),
  );
}
