// Parses input from clients and connectors that were built against the public servers, which enforce less than the
// published document requires. Only this module is lenient: our output and our own extensions are strict. Conforming
// input is parsed only once, by its schema.
import type { z } from 'zod';
import { AttributeContentType, ProgrammingLanguageEnum } from '../enums/attributes.ts';
import { CertificateType } from '../enums/certificates.ts';
import { HealthStatus } from '../enums/connectors.ts';
import { EndEntityStatus } from '../enums/end-entities.ts';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { KeyAlgorithm, KeyFormat, KeyType, TokenInstanceStatus } from '../enums/keys.ts';
import { DATE_PROBLEMS, URL_PROBLEM } from '../primitives.ts';
import { attributeUuidOf } from './attribute-uuid.ts';
import { removeNulls } from './json-body.ts';
import { withTypedContent } from './typed-content.ts';

/**
 * `client`: callers of the platform. Numbers, booleans and secrets can be strings, and an empty string counts as an
 * absent optional value. `connector`: connectors, and platforms that call our connectors. A missing boolean is false, a
 * missing `uuid` is empty (of an attribute: derived from its name), and unknown values of open enumerations are
 * retained. In both cases, null means absent, and a missing array is empty, unless it restricts a client's request.
 */
export type Partner = 'client' | 'connector';

/**
 * Maximum number of rounds. Each round repairs problems exposed by the previous one, e.g. in a value that was not an
 * object before.
 */
const MAX_ROUNDS = 8;

type ReadResult<Schema extends z.ZodType> = ReturnType<Schema['safeParse']>;

/** Returns the value as parsed by the schema, or the problems that leniency cannot resolve. */
export function readLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  partner: Partner,
): ReadResult<Schema> {
  const typed = withTypedContent(value);
  const first = schema.safeParse(typed) as ReadResult<Schema>;
  if (first.success) return first;
  const copy = structuredClone(typed);
  removeNulls(copy);
  const withoutNulls = schema.safeParse(copy) as ReadResult<Schema>;
  if (withoutNulls.success) return withoutNulls;
  const repair = new Repair(copy ?? undefined, partner);
  let error: z.ZodError = withoutNulls.error;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!repair.all(error.issues)) break;
    const parsed = schema.safeParse(repair.value) as ReadResult<Schema>;
    if (parsed.success) return { ...parsed, data: repair.withKept(parsed.data) };
    error = parsed.error;
  }
  return { ...first, error };
}

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** Repairs a private copy of a value. */
class Repair {
  readonly #holder: { root: unknown };
  readonly #partner: Partner;
  /** Unknown enumeration values, which are replaced by known ones for parsing and restored afterwards. */
  readonly #kept: { readonly path: Path; readonly word: unknown }[] = [];

  constructor(value: unknown, partner: Partner) {
    this.#holder = { root: value };
    this.#partner = partner;
  }

  get value(): unknown {
    return this.#holder.root;
  }

  /** Repairs all issues and returns whether anything changed. */
  all(issues: readonly Issue[], within: Path = []): boolean {
    return issues.map((issue) => this.#one(issue, [...within, ...issue.path])).includes(true);
  }

  withKept<Value>(read: Value): Value {
    const holder = { root: read as unknown };
    for (const { path, word } of this.#kept) {
      const owner = ownerOf(holder, path);
      if (owner) owner[nameIn(path)] = word;
    }
    return holder.root as Value; // Restoring the values does not change the shape.
  }

  #one(issue: Issue, path: Path): boolean {
    const owner = ownerOf(this.#holder, path);
    if (!owner) return false;
    const name = nameIn(path);
    const given = owner[name];
    if (issue.code === 'invalid_union') return this.#branch(issue, path);
    if (given === '' && this.#mayBeLeftOut(issue, path)) return removeMember(owner, name);
    if (issue.code === 'invalid_type') return this.#type({ owner, name, path }, issue.expected);
    if (issue.code === 'invalid_value') return this.#word(owner, issue, path);
    return false;
  }

  /** Repairs the value according to the union variant that it matches best. */
  #branch(issue: Extract<Issue, { code: 'invalid_union' }>, path: Path): boolean {
    const [closest] = issue.errors.toSorted((one, other) => one.length - other.length);
    return closest ? this.all(closest, path) : false;
  }

  #type(place: Place, expected: string): boolean {
    const { owner, name } = place;
    const given = owner[name];
    const replacement = given === undefined ? this.#absent(place, expected) : convertScalar(given, expected);
    if (replacement === undefined) return false;
    owner[name] = replacement;
    return true;
  }

  #absent({ owner, name, path }: Place, expected: string): unknown {
    // A rule without conditions, for example, would apply to everything.
    if (expected === 'array') return this.#partner === 'client' && isWidening(path) ? undefined : [];
    if (this.#partner !== 'connector') return undefined;
    if (expected === 'boolean') return false;
    return expected === 'string' && name === 'uuid' ? uuidOf(owner) : undefined;
  }

  #word(owner: Owner, issue: Extract<Issue, { code: 'invalid_value' }>, path: Path): boolean {
    const name = nameIn(path);
    const word = owner[name];
    if (this.#partner !== 'connector' || !isOpenValue(issue) || typeof word !== 'string') return false;
    this.#kept.push({ path, word });
    owner[name] = issue.values[0];
    return true;
  }

  /** Treats an empty string as absent, unless its absence would widen the scope of the request. */
  #mayBeLeftOut(issue: Issue, path: Path): boolean {
    if (this.#partner !== 'client' || isWidening(path)) return false;
    return issue.code === 'invalid_value' || isWrongFormat(issue) || isWrongType(issue);
  }
}

/**
 * Enumerations whose unknown values are retained: they are displayed by their code, and rejected only where the
 * platform would have to act on them. The others decide how a response is read (kinds of attributes and constraints,
 * targets of callbacks) or are verdicts, which must not be guessed (compliance).
 */
const OPEN_ENUMERATIONS: ReadonlySet<string> = new Set(
  [
    AttributeContentType,
    CertificateType,
    DiscoveryStatus,
    EndEntityStatus,
    HealthStatus,
    KeyAlgorithm,
    KeyFormat,
    KeyType,
    ProgrammingLanguageEnum,
    TokenInstanceStatus,
  ].map(({ options }) => options.join()),
);

/** Returns whether a value violates the schema only because it is not listed in an open enumeration. */
export const isOpenValue = (issue: Issue): boolean =>
  issue.code === 'invalid_value' && OPEN_ENUMERATIONS.has(issue.values.join());

/** Attributes have content or a content type; groups have neither, but a kind. */
const uuidOf = (owner: Owner): string =>
  typeof owner['name'] === 'string' && ['contentType', 'content', 'attributeCallback'].some((each) => each in owner)
    ? attributeUuidOf(owner['name'])
    : '';

/** Members that restrict a request, or limit the lifetime of the object that it creates. */
const WIDENING =
  /^(filters?|scope|permissions|resources|uuids|\w+Uuids|conditions?|expir\w*|valid(To|Until)|\w*[a-z]At)$/i;

const isWidening = (path: Path): boolean => path.some((name) => WIDENING.test(String(name)));

/**
 * Returns whether the value violates a required format (identifier, URL or date). Other patterns restrict ordinary
 * text.
 */
const isWrongFormat = ({ code, message, ...issue }: Issue): boolean =>
  message === URL_PROBLEM ||
  Object.values<string>(DATE_PROBLEMS).includes(message) ||
  (code === 'invalid_format' && 'format' in issue && issue.format !== 'regex');

const isWrongType = (issue: Issue): boolean =>
  issue.code === 'invalid_type' &&
  (issue.expected === 'number' || issue.expected === 'boolean' || issue.expected === 'int');

type Owner = Record<string, unknown>;

interface Place {
  readonly owner: Owner;
  readonly name: string;
  readonly path: Path;
}

const nameIn = (path: Path): string => (path.length === 0 ? 'root' : String(path.at(-1)));

function ownerOf(holder: { root: unknown }, path: Path): Owner | undefined {
  if (path.length === 0) return holder;
  let owner: unknown = holder.root;
  for (const name of path.slice(0, -1)) owner = isOwner(owner) ? owner[String(name)] : undefined;
  return isOwner(owner) ? owner : undefined;
}

/** Also true for arrays, whose items are accessed by index. */
const isOwner = (value: unknown): value is Owner => typeof value === 'object' && value !== null;

function removeMember(owner: Owner, name: string): boolean {
  if (Array.isArray(owner)) owner.splice(Number(name), 1);
  else delete owner[name];
  return true;
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Converts numbers and booleans to strings and vice versa; returns undefined for everything else. */
function convertScalar(given: unknown, expected: string): unknown {
  if (expected === 'string') return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined;
  if (typeof given !== 'string') return undefined;
  const text = given.trim();
  if ((expected === 'number' || expected === 'int') && NUMBER.test(text)) return Number(text);
  if (expected === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return undefined;
}
