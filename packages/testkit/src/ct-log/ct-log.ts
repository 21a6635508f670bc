// Certificate transparency log (C2SP static-ct-api) on loopback: real tiles, a signed checkpoint, and any kind of log
// misbehavior. Its tree is binary, as defined in RFC 6962 §2.1; tiles are derived from it on request.
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export type CtLogEntry =
  | { readonly certificate: Uint8Array; readonly chain?: readonly Uint8Array[] }
  | {
      readonly precertificate: Uint8Array;
      /** Content that the log signs, without the poison extension. */
      readonly tbs: Uint8Array;
      readonly chain?: readonly Uint8Array[];
    };

export interface CtLog {
  /** Monitoring prefix of the log. */
  readonly url: string;
  readonly origin: string;
  /** SubjectPublicKeyInfo of the log. */
  readonly spki: Uint8Array;
  readonly size: number;
  add(...entries: CtLogEntry[]): void;
  /** Replaces an entry, which no log is permitted to do. */
  replace(index: number, entry: CtLogEntry): void;
  /** Removes all entries beyond this size, which no log is permitted to do. */
  shrink(size: number): void;
  /** Called before the log responds; returns true if it has responded itself. */
  intercept: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** Requested paths. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const WIDTH = 256;
const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const encodeNumber = (value: number, octets: number): Buffer => {
  const buffer = Buffer.alloc(octets);
  for (let at = octets - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) buffer[at] = rest % 256;
  return buffer;
};
const encodeVector = (octets: Uint8Array, lengthOctets: number): Buffer =>
  Buffer.concat([encodeNumber(octets.length, lengthOctets), octets]);

interface StoredEntry {
  readonly octets: Buffer;
  readonly hash: Buffer;
}

class Tree {
  private readonly octets: Buffer[] = [];
  readonly issuers = new Map<string, Uint8Array>();
  /** Hashes of the perfect trees of 1, 2, 4, … leaves. */
  private readonly perfect: Buffer[][] = [];

  get size(): number {
    return this.octets.length;
  }

  set(index: number, { octets, hash }: StoredEntry): void {
    this.octets[index] = octets;
    let [at, node] = [index, hash];
    for (let height = 0; ; height += 1) {
      const row = (this.perfect[height] ??= []);
      row[at] = node;
      const [left, right] = at % 2 === 0 ? [node, row[at + 1]] : [row[at - 1], node];
      if (!left || !right) return;
      node = sha256(Buffer.from([1]), left, right);
      at = Math.floor(at / 2);
    }
  }

  shrink(size: number): void {
    this.octets.length = size;
    for (const [height, row] of this.perfect.entries()) row.length = Math.floor(size / 2 ** height);
  }

  keep(entry: CtLogEntry, index: number): StoredEntry {
    const extensions = encodeVector(Buffer.concat([Buffer.from([0]), encodeVector(encodeNumber(index, 5), 2)]), 2);
    const timestamp = encodeNumber(1_700_000_000_000 + index, 8);
    const isCertificate = 'certificate' in entry;
    const timestamped = Buffer.concat([
      timestamp,
      encodeNumber(isCertificate ? 0 : 1, 2),
      ...(isCertificate ? [] : [sha256(entry.chain?.[0] ?? Buffer.alloc(0))]),
      encodeVector(isCertificate ? entry.certificate : entry.tbs, 3),
      extensions,
    ]);
    const chain = (entry.chain ?? []).map((der) => {
      const fingerprint = sha256(der);
      this.issuers.set(fingerprint.toString('hex'), der);
      return fingerprint;
    });
    const octets = Buffer.concat([
      timestamped,
      ...(isCertificate ? [] : [encodeVector(entry.precertificate, 3)]),
      encodeVector(Buffer.concat(chain), 2),
    ]);
    return { octets, hash: sha256(Buffer.from([0, 0, 0]), timestamped) };
  }

  /** Returns the root hash by joining the perfect trees of the log, starting with the smallest. */
  root(): Buffer {
    const heights = this.perfect.map((_, height) => height).filter((height) => Math.floor(this.size / 2 ** height) % 2);
    const roots = heights.map((height) => this.perfect[height]?.[Math.floor(this.size / 2 ** height) - 1]);
    const [smallest = sha256(Buffer.alloc(0)), ...larger] = roots.flatMap((root) => root ?? []);
    return larger.reduce((joined, root) => sha256(Buffer.from([1]), root, joined), smallest);
  }

  tile(level: string, index: number, width: number): Buffer | undefined {
    if (level === 'data') {
      const entries = this.octets.slice(index * WIDTH, index * WIDTH + width);
      return entries.length === width ? Buffer.concat(entries) : undefined;
    }
    const hashes = this.perfect[Number(level) * 8]?.slice(index * WIDTH, index * WIDTH + width) ?? [];
    return hashes.length === width ? Buffer.concat(hashes) : undefined;
  }
}

function checkpointOf(tree: Tree, { origin, key, spki }: { origin: string; key: KeyObject; spki: Uint8Array }): string {
  const { size } = tree;
  const root = tree.root();
  const timestamp = encodeNumber(1_800_000_000_000, 8);
  const signed = Buffer.concat([Buffer.from([0, 1]), timestamp, encodeNumber(size, 8), root]);
  const signature = Buffer.concat([timestamp, Buffer.from([4, 3]), encodeVector(sign('sha256', signed, key), 2)]);
  const keyId = sha256(Buffer.from(`${origin}\n`), Buffer.from([5]), sha256(spki)).subarray(0, 4);
  const lines = [origin, String(size), root.toString('base64'), ''];
  const signatures = [
    // Checkpoints can have signatures of other parties.
    `— witness.example/w1 ${Buffer.from('wit-and-its-signature').toString('base64')}`,
    `— ${origin} ${Buffer.concat([keyId, signature]).toString('base64')}`,
  ];
  return `${[...lines, ...signatures].join('\n')}\n`;
}

export async function startCtLog(entries: readonly CtLogEntry[] = []): Promise<CtLog> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const facts = {
    origin: 'log.example/2026h2',
    key: privateKey,
    spki: publicKey.export({ type: 'spki', format: 'der' }),
  };
  const tree = new Tree();
  let checkpoint: string | undefined;
  const requests: string[] = [];
  const change = (work: () => void): void => {
    work();
    checkpoint = undefined;
  };
  const contentOf = (path: string): Uint8Array | undefined => {
    if (path === 'checkpoint') return Buffer.from((checkpoint ??= checkpointOf(tree, facts)));
    const [, fingerprint] = /^issuer\/([0-9a-f]{64})$/.exec(path) ?? [];
    if (fingerprint !== undefined) return tree.issuers.get(fingerprint);
    const [, level, place = '', width] = /^tile\/(data|\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
    if (level === undefined) return undefined;
    return tree.tile(level, Number(place.replaceAll(/[x/]/g, '')), Number(width ?? WIDTH));
  };
  const server = createServer((request: IncomingMessage, response) => {
    const path = (request.url ?? '').slice(1);
    requests.push(path);
    if (log.intercept?.(path, response)) return;
    const content = contentOf(path);
    if (!content) return void response.writeHead(404).end();
    // Like real logs, compress data tiles; hashes do not compress.
    if (path.startsWith('tile/data')) response.setHeader('content-encoding', 'gzip').end(gzipSync(content));
    else response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const log: CtLog = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    origin: facts.origin,
    spki: facts.spki,
    get size() {
      return tree.size;
    },
    add: (...more) => change(() => more.forEach((entry) => tree.set(tree.size, tree.keep(entry, tree.size)))),
    replace: (index, entry) => change(() => tree.set(index, tree.keep(entry, index))),
    shrink: (size) => change(() => tree.shrink(size)),
    intercept: undefined,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  log.add(...entries);
  return log;
}
