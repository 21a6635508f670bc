// Exchanges as shown to users: truncated, and without secrets.
import type { Reply, Request } from '../transport.ts';

/** Maximum length of a body that is shown. */
const MAX_SHOWN = 1_200;
const HIDDEN = '•••';
/** Shorter secrets could match by chance. */
const MIN_SECRET_CHARACTERS = 6;
/** Members whose values are secret at any depth. */
const SECRET_MEMBERS = new Set(['secret', 'password']);

/** Secrets of a run, which are hidden in its output. */
export interface Secrets {
  add(secret: string): void;
  /** Whether the text contains a secret. */
  isIn(text: string): boolean;
  describeRequest(request: Request): string;
  describeReply(reply: Reply): string;
  hide(text: string): string;
}

export function createSecrets(): Secrets {
  const known = new Set<string>();
  const hide = (text: string): string => {
    let hidden = text;
    for (const secret of known) hidden = hidden.replaceAll(secret, HIDDEN).replaceAll(escapeJson(secret), HIDDEN);
    return hidden;
  };
  const redact = (text: string): string => abbreviate(hide(withoutSecretMembers(text)));
  return {
    add: (secret) => {
      if (secret.length >= MIN_SECRET_CHARACTERS) known.add(secret);
    },
    isIn: (text) => [...known].some((secret) => text.includes(secret) || text.includes(escapeJson(secret))),
    describeRequest: ({ method, target, body, idempotencyKey }) =>
      [
        `${method} ${hide(target)}`,
        ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
        ...(body === undefined ? [] : [redact(JSON.stringify(body))]),
      ].join('\n'),
    describeReply: ({ status, text }) => (text === '' ? `${status}` : `${status} ${redact(text)}`),
    hide,
  };
}

/** Returns the text as it appears inside JSON. */
const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const abbreviate = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`);

function withoutSecretMembers(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, hideSecret));
  } catch {
    return text; // no JSON
  }
}

/** Reviver for `JSON.parse`. Keys exported from a token are as secret as passwords. */
function hideSecret(this: unknown, member: string, value: unknown): unknown {
  if (typeof value === 'string' && SECRET_MEMBERS.has(member)) return HIDDEN;
  const holdsKey = typeof value === 'object' && value !== null && 'type' in value && 'format' in value;
  return holdsKey && value.type !== 'Public' && 'value' in value ? { ...value, value: HIDDEN } : value;
}
