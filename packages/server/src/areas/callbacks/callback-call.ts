// Content of a callback request, from its definition and the values of a form. Definitions come from connectors and
// values from callers; neither is trusted. No I/O.
import type {
  AttributeCallback,
  AttributeCallbackMapping,
  BaseAttributeDto,
  EndpointDto,
  FunctionGroupCode,
  RequestAttributeCallback,
} from '@signetry/contract';
import { isObject } from '../../kernel/is-object.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

type Target = AttributeCallbackMapping['targets'][number];
type Values = Readonly<Record<string, unknown>>;

/** Values by target. Only values that the definition maps are included. */
export type MappedValues = Readonly<Record<Target, Values>>;

/** A definition with a callback. */
export interface CallbackDefinition {
  readonly definition: Extract<BaseAttributeDto, { type: 'data' | 'group' }>;
  readonly callback: AttributeCallback;
  /** Names of the enclosing groups, outermost first. */
  readonly path: readonly string[];
}

export interface PathCall {
  readonly method: Method;
  /** Encoded path relative to the connector URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Values | undefined;
}

/** The platform itself answers this context, with the credentials of the requested kind. */
const CREDENTIALS = /^\/?core\/getCredentials\/?$/;
export const isCredentialCallback = ({ callbackContext }: AttributeCallback): boolean =>
  CREDENTIALS.test(callbackContext);

/** Maximum length of a value in a path or query. */
const MAX_TEXT = 1_000;

type Outcome<Value> = { readonly value: Value; readonly problems?: never } | { readonly problems: readonly string[] };

/** Returns the values that the definition maps: fixed ones from the definition, the others from the request. */
export function mappedValues(
  { definition, callback }: CallbackDefinition,
  request: RequestAttributeCallback,
): Outcome<MappedValues> {
  const problems: string[] = [];
  const values: Record<Target, Record<string, unknown>> = { pathVariable: {}, requestParameter: {}, body: {} };
  const addProblem = (problem: string) => problems.push(`The callback of attribute ${definition.name} ${problem}.`);
  if (callback.callbackContext.trim() === '') addProblem('has no context');
  if (!methodOf(callback)) addProblem('has no supported HTTP method');
  for (const mapping of callback.mappings) {
    const { to, from, value, targets } = mapping;
    for (const problem of mappingProblems(mapping)) addProblem(problem);
    for (const target of targets) {
      const given = value ?? own(request[target], to);
      if (given === undefined || given === null)
        addProblem(`requires a value for ${to} (${target})${from ? `, from ${from}` : ''}`);
      else values[target][to] = given;
    }
  }
  return problems.length > 0 ? { problems } : { value: values };
}

function mappingProblems({ to, from, value, targets, attributeContentType }: AttributeCallbackMapping): string[] {
  const problems: string[] = [];
  if (to.trim() === '') problems.push('has a mapping that does not specify its destination');
  if (targets.length === 0) problems.push(`does not specify how ${to} is sent`);
  if (!from && (value === undefined || value === null)) problems.push(`does not specify the source of ${to}`);
  if (attributeContentType === 'credential' && targets.some((target) => target !== 'body'))
    problems.push(`sends the credential ${to} outside the body`);
  return problems;
}

const methodOf = ({ callbackMethod }: AttributeCallback): Method | undefined =>
  METHODS.find((method) => method === callbackMethod.trim().toUpperCase());

const own = (values: Values | undefined, name: string): unknown =>
  values && Object.hasOwn(values, name) ? values[name] : undefined;

export interface Endpoints {
  readonly functionGroup: FunctionGroupCode;
  /** Endpoints that the connector declares for the function group. */
  readonly endPoints: readonly Pick<EndpointDto, 'method' | 'context'>[];
}

/** Returns the call, after checking that it targets one of the connector's endpoints. */
export function pathCall(
  { definition, callback }: CallbackDefinition,
  values: MappedValues,
  endpoints: Endpoints,
): Outcome<PathCall> {
  const [method, template] = [methodOf(callback), segmentsOf(callback.callbackContext)];
  const shown = `${callback.callbackMethod} ${callback.callbackContext}`.slice(0, 200);
  if (!method || !template || !isOffered(template, method, endpoints))
    return {
      problems: [
        `The callback of attribute ${definition.name} refers to ${shown}, which is not among the endpoints that its connector declares for ${endpoints.functionGroup}.`,
      ],
    };
  const problems: string[] = [];
  const text = (what: string, value: unknown): string => {
    const found = textOf(value);
    if (found === undefined)
      problems.push(`The callback of attribute ${definition.name} requires a single, non-empty value for ${what}.`);
    return found ?? '';
  };
  const path = template.map((segment) => {
    const name = variableOf(segment);
    if (name === undefined) return segment;
    const found = text(name, values.pathVariable[name]);
    // A server would resolve these segments to a different path.
    if (/^\.{1,2}$/.test(found)) problems.push(`${name} must not be ${found}.`);
    return encodeURIComponent(found);
  });
  const query = Object.entries(values.requestParameter).map(([name, value]) => [name, text(name, value)]);
  if (problems.length > 0) return { problems };
  const body = Object.keys(values.body).length > 0 ? values.body : undefined;
  return { value: { method, path: `/${path.join('/')}`, query: Object.fromEntries(query), body } };
}

/**
 * Returns the path segments of a definition, relative to the connector URL; undefined if they could be interpreted as a
 * different host, as parent directories or as the beginning of a query.
 */
function segmentsOf(context: string): readonly string[] | undefined {
  const segments = context.replace(/^\//, '').split('/');
  const isValidSegment = (segment: string): boolean =>
    /^(?:\{[\w.-]{1,100}\}|[\w~!$&'()*+,;=:@.-]{1,200})$/.test(segment) && !/^\.{1,2}$/.test(segment);
  return segments.length <= 30 && segments.every(isValidSegment) ? segments : undefined;
}

const variableOf = (segment: string): string | undefined =>
  segment.startsWith('{') ? segment.slice(1, -1) : undefined;

/** Function groups whose paths begin with the name of another group. */
const FOLDERS: Partial<Record<FunctionGroupCode, string>> = {
  legacyAuthorityProvider: 'authorityProvider',
  complianceProviderV2: 'complianceProvider',
};

/**
 * Returns whether the connector declares the endpoint, or the endpoint is reserved for the function group's callbacks,
 * as a folder or as the last segment.
 */
function isOffered(template: readonly string[], method: Method, { functionGroup, endPoints }: Endpoints): boolean {
  const [version = '', folder = ''] = template;
  const isOwnFolder = folder === functionGroup || folder === FOLDERS[functionGroup];
  const place = template.indexOf('callbacks', 2);
  const isForCallbacks = (place !== -1 && place < template.length - 1) || template.indexOf('callback', 2) !== -1;
  if (/^v\d+$/.test(version) && isOwnFolder && isForCallbacks) return true;
  return endPoints.some(
    ({ method: offered, context }) =>
      offered.toUpperCase() === method && covers(context.replace(/^\//, '').split('/'), template),
  );
}

/** The connector can choose any variable names. */
const covers = (declared: readonly string[], template: readonly string[]): boolean =>
  declared.length === template.length &&
  declared.every((segment, index) => variableOf(segment) !== undefined || segment === template[index]);

/** Members that can represent an object in a path. The first one that is present is used. */
const STANDING_FOR_OBJECTS = ['value', 'data', 'uuid', 'id', 'name'];

/** Returns a value for a path or query; for a content item or an object, the member that stands for it. */
function textOf(value: unknown): string | undefined {
  const plain = isObject(value) && !Array.isArray(value) ? plainValueOf(value) : value;
  if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
  if (typeof plain !== 'string' || plain === '' || plain.length > MAX_TEXT || !plain.isWellFormed()) return undefined;
  return plain;
}

function plainValueOf(object: Values): unknown {
  const name = STANDING_FOR_OBJECTS.find((each) => Object.hasOwn(object, each));
  const member = name === undefined ? undefined : object[name];
  return isObject(member) && !Array.isArray(member) ? plainValueOf(member) : member;
}

/** Returns one value as text, e.g. the requested kind of credentials. */
export const textIn = (values: Values, name: string): string | undefined => textOf(own(values, name));

/** Returns the names of body members that represent credentials. */
export const credentialMembers = ({ mappings }: AttributeCallback): string[] =>
  mappings
    .filter(({ attributeContentType, targets }) => attributeContentType === 'credential' && targets.includes('body'))
    .map(({ to }) => to);
