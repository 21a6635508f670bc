// Lists of signed certificate timestamps (RFC 6962 §3.3), one per log.
import { octetStringPart } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import type { ExtensionInput } from '../../x509/extension-parts.ts';

const vector = (octets: Uint8Array): Uint8Array => Uint8Array.of(octets.length >> 8, octets.length & 0xff, ...octets);

const timestamp = (log: number): Uint8Array => {
  const logId = new Uint8Array(32).fill(log);
  const time = Uint8Array.of(0, 0, 1, 0x9b, 0x76, 0xda, 0x80, 0);
  return vector(Uint8Array.of(0, ...logId, ...time, 0, 0, 4, 3, ...vector(new Uint8Array(71).fill(log))));
};

const timestampsOf = (logs: readonly number[]): ExtensionInput => ({
  oid: OID.ctSctList,
  critical: false,
  part: octetStringPart(vector(Uint8Array.from(logs.flatMap((log) => [...timestamp(log)])))),
});

/** A list of timestamps from this number of logs. */
export const timestampList = (count: number): ExtensionInput =>
  timestampsOf(Array.from({ length: count }, (_, place) => place + 1));
