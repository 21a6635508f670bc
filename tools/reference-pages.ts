// Reference pages for people, derived from the catalogues that the program itself runs on.
import {
  connectorBaseOperations,
  connectorOperations,
  functionGroupOperations,
  functionGroupSpecifications,
  optionalOperations,
  platformOperations,
  type FunctionGroupCode,
  type Access,
  type FurtherPermission,
  type Operation,
} from '@signetry/contract';
import { page, table } from './page-text.ts';
import { callRulesOf } from '../packages/server/src/areas/connectors/call-rules.ts';
import { errorCatalogue, type ErrorCode } from '../packages/server/src/kernel/errors.ts';
import { restForms } from '../packages/server/src/platform/http/render-error.ts';
import {
  environmentName,
  flagName,
  settingNames,
  settings,
  type SettingFacts,
} from '../packages/server/src/app/settings.ts';

/** Parameters that show as their own names in the message of an error. */
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
  const rows = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const { status, code: wire } = restForms[code];
    const message = errorCatalogue[code] as (parameters: unknown) => string; // every parameter reads as its name here
    return [`\`${code}\``, String(status), `\`${wire}\``, message(named)];
  });
  return page(
    'Errors',
    'Every refusal of the management interface: the code inside the platform, the HTTP status, the code on the wire, and the message. `rejected_by_rules` and `invalid_state` are a list of strings where the operation documents status 422.',
    table(['Code', 'Status', 'On the wire', 'Message'], rows),
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
    `Who may call what, and which audit record a change leaves. ${rows.length} operations of the platform; connectors serve ${Object.keys(connectorOperations).length}, guarded by their own configuration. Where a right on an object is missing that a request names by its path or body, the answer is 403; a certificate whose RA profile the caller is no member of is answered as one that does not exist (404). Owners of certificates need no right on them, and members of a group (groups: members) none to list and look at the certificates and users in it. Besides, nobody gives away by a role what they may not do themselves, and roles and accounts that allow everything are changed only by those who may do everything.`,
    table(['Operation', 'What it does', 'Needs', 'Audited as'], rows),
  );
}

const accessText = ({ access, also = [] }: Operation): string =>
  [ownAccessText(access), ...also.map(furtherText)].join(', and ');

function ownAccessText(access: Access | undefined): string {
  if (access === undefined || access === 'public') return 'nothing';
  if (access === 'authenticated') return 'any signed-in user';
  if (access === 'bootstrap') return 'a caller on this machine, while there is no enabled administrator';
  const own = `${access.resource}: ${access.action}`;
  return access.parent ? `${own}, and ${access.parent.resource}: ${access.parent.action}` : own;
}

function furtherText({ resource, action, named, where }: FurtherPermission): string {
  const own = `${resource}: ${action}`;
  if (where !== undefined) return `${own} (where ${where})`;
  if (named === undefined) return own;
  return `${own} (on what ${named === '$' ? 'the body' : `\`${named}\``} names)`;
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
    'The command line wins over the environment, the environment over the file (`--config FILE` or `SIGNETRY_CONFIG`, YAML, `name: value`), the file over the default. `signetry config` prints what is in force and where it came from.',
    table(['In the file', 'Flag', 'Environment', 'Default', 'Meaning'], rows),
  );
}

const repetitions = {
  harmless: 'changes nothing',
  same: 'to the same effect',
  again: 'has two effects',
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
  return table(['Operation', 'Endpoint', 'Demanded by platforms', 'Demanded by the SDK', 'Time', 'Asked twice'], rows);
}

export function connectorOperationsPage(): string {
  const { listSupportedFunctions, checkHealth } = connectorBaseOperations;
  const all = table(['Endpoint', 'Time', 'Asked twice'], [listSupportedFunctions, checkHealth].map(callRow));
  const groups = Object.keys(functionGroupOperations) as FunctionGroupCode[]; // the keys are codes
  return page(
    'Operations of connectors',
    `What connectors serve, by function group: ${Object.keys(connectorOperations).length} operations. *Demanded by platforms*: a connector whose \`GET /v1\` does not list the endpoint is refused. *Demanded by the SDK*: a connector has to have a handler; of the others, checks of values follow from the definitions, and the rest is answered with 404. *Time*: how long the platform waits. *Asked twice*: what comes of repeating a call; one that changes nothing is repeated when the connection broke, and one with two effects carries an idempotency key where its result matters.`,
    [`## Every connector\n\n${all}`, ...groups.map((code) => `## ${code}\n\n${functionGroupTable(code)}`)].join('\n\n'),
  );
}
