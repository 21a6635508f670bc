// Request parameters in a verbose record: names, and values up to a readable length. Pure. Secrets are never included:
// members with a secret-like name are hidden, and so is all attribute content, because only attribute definitions
// identify secrets.

const MAX_TEXT = 200;
const MAX_MEMBERS = 50;
const MAX_DEPTH = 6;
/** Maximum number of values in a record. */
const MAX_VALUES = 300;

export const HIDDEN = '[hidden]';

/** Names that the API uses for secrets, and for objects that contain them. */
const SECRET_NAME =
  /passw|passphrase|secret|token|credential|authoriz|cookie|private|hmac|mackey|jwk|\bpin\b|pin$|keystore|content$|^(?:cipher)?data$/i;
const SECRET_TEXT = /PRIVATE KEY|^Bearer |^Basic |:\/\/[^/\s]*:[^/\s]*@/;

export function describeParameters(parameters: object): Record<string, unknown> {
  const budget = { values: MAX_VALUES };
  return describeMembers(parameters, { budget, depth: 0 });
}

interface Position {
  readonly budget: { values: number };
  readonly depth: number;
}

function describeMembers(value: object, place: Position): Record<string, unknown> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const described = members.slice(0, MAX_MEMBERS).map(([name, member]): [string, unknown] => {
    const isSecret = SECRET_NAME.test(name) && typeof member !== 'boolean';
    return [name.slice(0, MAX_TEXT), isSecret ? HIDDEN : describeValue(member, place)];
  });
  return Object.fromEntries(described);
}

function describeValue(value: unknown, { budget, depth }: Position): unknown {
  budget.values -= 1;
  if (budget.values < 0 || depth >= MAX_DEPTH) return '…';
  if (typeof value === 'string') return describeText(value);
  if (typeof value !== 'object' || value === null) return value;
  const below = { budget, depth: depth + 1 };
  if (!Array.isArray(value)) return describeMembers(value, below);
  const described = value.slice(0, MAX_MEMBERS).map((each) => describeValue(each, below));
  return value.length > MAX_MEMBERS ? [...described, `… ${value.length - MAX_MEMBERS} more`] : described;
}

function describeText(text: string): string {
  if (SECRET_TEXT.test(text)) return HIDDEN;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
}
