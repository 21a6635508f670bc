// Identifiers for rules, groups and attributes. They are derived from names that never change (RFC 9562 §5.5), so that
// profiles that reference them remain valid in later versions.
import { createHash } from 'node:crypto';

/** An arbitrary value that must never change. */
const NAMESPACE = Buffer.from('5f0a3c7e2b914d86a1c7d2e94b6f8035', 'hex');

function uuidOf(name: string): string {
  const octets = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x50;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  return octets.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const ruleUuid = (id: string): string => uuidOf(`rule:${id}`);
export const groupUuid = (code: string): string => uuidOf(`group:${code}`);
export const attributeUuid = (rule: string, name: string): string => uuidOf(`attribute:${rule}:${name}`);
