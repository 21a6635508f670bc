// Goal: an existing path is found regardless of other certificates, and a failure reports its cause. Method: CAs with
// real keys, checked against a brute-force search.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  basicConstraintsExtension,
  customExtension,
  keyUsageExtension,
  nameConstraintsExtension,
  subjectAltNameExtension,
} from '../x509/extension-parts.ts';
import {
  buildPath,
  buildValidPaths,
  describeFailure,
  MAX_PATH_CANDIDATES,
  type BuildOptions,
  type PathCandidate,
} from './build.ts';
import { createBudget } from './budget.ts';
import { createPathWork } from './work.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity, type TestEntityOptions } from '../testing/authority.ts';
import { generateKeyPair, nodeCrypto, type KeyPair } from '../node/index.ts';
import { validatePath } from './validate.ts';

const options = { nowMs: NOW_MS, verify: nodeCrypto.verify };
const ca = (subject: string, changes: Partial<TestEntityOptions> = {}): Promise<TestEntity> =>
  issue({ subject: `CN=${subject}`, ...changes });
const leafOf = (issuer: TestEntity, changes: Partial<TestEntityOptions> = {}): Promise<TestEntity> =>
  issue({ subject: 'CN=leaf', issuer, extensions: [], ...changes });

const anchor = ({ certificate }: TestEntity): PathCandidate => ({ certificate, isAnchor: true });
const intermediate = ({ certificate }: TestEntity, objection?: string): PathCandidate => ({
  certificate,
  isAnchor: false,
  objection,
});
const build = (target: TestEntity, candidates: readonly PathCandidate[], changes: Partial<BuildOptions> = {}) =>
  buildPath(target.certificate, { ...options, candidates, ...changes });

const paths = (target: TestEntity, candidates: readonly PathCandidate[], limit = 10) =>
  buildValidPaths(target.certificate, { ...options, candidates, limit }).map((path) =>
    path.map(({ certificate }) => certificate),
  );

const OLD = { notBeforeMs: NOW_MS - 9 * DAY_MS, notAfterMs: NOW_MS - DAY_MS };
const NEWER = { notBeforeMs: NOW_MS - 1000 };

let root: TestEntity;
let middle: TestEntity;
let leaf: TestEntity;
beforeAll(async () => {
  root = await ca('Root');
  middle = await ca('Middle', { issuer: root });
  leaf = await leafOf(middle);
});

describe('path building finds a path', () => {
  it('regardless of candidate order', () => {
    for (const candidates of [
      [anchor(root), intermediate(middle)],
      [intermediate(middle), anchor(root)],
    ]) {
      const built = build(leaf, candidates);
      expect(built.isValid).toBe(true);
      expect(built.issuers.map(({ certificate }) => certificate)).toEqual([middle.certificate, root.certificate]);
    }
  });

  it('despite a newer, untrusted certificate with the same name and key', async () => {
    const twin = await ca('Middle', { issuer: root, keys: middle.keys, ...NEWER });
    const built = build(leaf, [intermediate(twin, 'Not trusted.'), intermediate(middle), anchor(root)]);
    expect(built).toMatchObject({ isValid: true, end: 'anchor' });
    expect(built.issuers[0]?.certificate).toBe(middle.certificate);
  });

  it('despite a newer certificate that has the same name and key but leads to a different, unknown or expired root', async () => {
    const other = await ca('Other', OLD);
    const cross = await ca('Middle', { issuer: other, keys: middle.keys, ...NEWER });
    for (const candidates of [
      [intermediate(cross), intermediate(middle), anchor(root)],
      [intermediate(cross), intermediate(middle), intermediate(other), anchor(root)],
      [intermediate(cross), intermediate(middle), anchor(other), anchor(root)],
    ])
      expect(build(leaf, candidates).isValid).toBe(true);
  });

  it('despite a CA that has the same name but a different key, with or without key identifiers', async () => {
    const impostor = await ca('Middle', { issuer: root, ...NEWER });
    const anonymous = await ca('Middle', {
      issuer: root,
      ...NEWER,
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['keyCertSign'])],
    });
    const candidates = [intermediate(impostor), intermediate(anonymous), intermediate(middle), anchor(root)];
    expect(build(leaf, candidates).isValid).toBe(true);
  });

  it('despite certificates that have the same name and key but cannot sign, are expired, or have unknown extensions', async () => {
    const twin = (changes: Partial<TestEntityOptions>) =>
      ca('Middle', { issuer: root, keys: middle.keys, ...NEWER, ...changes });
    const twins = await Promise.all([
      twin({ extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])] }),
      twin(OLD),
      twin({ extra: [customExtension('1.2.3', { critical: true, value: Uint8Array.of(5, 0) })] }),
      twin({ extensions: [] }),
      twin({ extra: [nameConstraintsExtension({ permitted: [{ kind: 'directoryName', name: root.name }] })] }),
    ]);
    expect(build(leaf, [...twins.map((each) => intermediate(each)), intermediate(middle), anchor(root)]).isValid).toBe(
      true,
    );
  });

  it('over the longer route if the path length forbids the shorter one', async () => {
    const narrow = await ca('Narrow', { extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] });
    const upper = await ca('Upper', { issuer: root });
    const viaNarrow = await ca('Middle', { issuer: narrow, keys: middle.keys });
    const viaUpper = await ca('Middle', { issuer: upper, keys: middle.keys });
    const below = await ca('Below', { issuer: viaNarrow });
    const end = await leafOf(below);
    const candidates = [
      anchor(narrow),
      anchor(root),
      intermediate(upper),
      intermediate(viaNarrow),
      intermediate(viaUpper),
    ];
    const built = build(end, [...candidates, intermediate(below)]);
    expect(built.isValid).toBe(true);
    expect(built.issuers.map(({ certificate }) => certificate)).toEqual(
      [below, viaUpper, upper, root].map(({ certificate }) => certificate),
    );
  });

  it('through a bridge of cross-certified CAs', async () => {
    const bridge = await ca('Bridge');
    const partner = await ca('Partner');
    const cross = await Promise.all([
      ca('Bridge', { issuer: root, keys: bridge.keys }),
      ca('Root', { issuer: bridge, keys: root.keys }),
      ca('Partner', { issuer: bridge, keys: partner.keys }),
      ca('Bridge', { issuer: partner, keys: bridge.keys }),
    ]);
    const end = await leafOf(partner);
    const candidates = [...cross, bridge, partner].map((each) => intermediate(each));
    expect(build(end, [...candidates, anchor(root)]).isValid).toBe(true);
    expect(build(end, candidates)).toMatchObject({ isValid: false, isExhausted: false });
  });

  it('that contains only the target if the target is trusted, but not if it is only self-signed', () => {
    expect(build(root, [], { targetIsAnchor: true })).toMatchObject({ isValid: true, issuers: [] });
    expect(build(root, [])).toMatchObject({ isValid: false, end: 'untrustedRoot' });
  });
});

describe('a path building failure', () => {
  const messages = (built: ReturnType<typeof build>): string[] => built.failures.map(describeFailure);

  it('is reported for the longest path with the fewest failures', async () => {
    const expired = await ca('Middle', { issuer: root, keys: middle.keys, ...OLD });
    const mute = await ca('Middle', {
      issuer: await ca('Elsewhere'),
      keys: middle.keys,
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])],
    });
    const built = build(leaf, [intermediate(mute), intermediate(expired), anchor(root)]);
    expect(built.end).toBe('anchor');
    expect(built.failures).toMatchObject([{ index: 1, check: 'validity' }]);
    expect(messages(built)[0]).toMatch(/^CN=Middle: The certificate expired on /);
  });

  it('is reported for a missing, unproven, untrusted or rejected issuer', async () => {
    expect(messages(build(leaf, [anchor(root)]))[0]).toMatch(/The issuer certificate "CN=Middle" was not found\./);
    const impostor = await ca('Middle', { issuer: root });
    expect(messages(build(leaf, [intermediate(impostor), anchor(root)]))[0]).toMatch(
      /" has the key that signed this certificate\./,
    );
    expect(messages(build(leaf, [intermediate(middle), intermediate(root)]))[0]).toMatch(/^CN=Root: .*not trusted/);
    expect(messages(build(leaf, [intermediate(middle), intermediate(root, 'Revoked.')]))[0]).toBe('CN=Root: Revoked.');
    expect(messages(build(leaf, [intermediate(middle, 'Revoked.'), anchor(root)]))).toEqual(['CN=Middle: Revoked.']);
  });
});

describe('the work for path building is limited', () => {
  /** Every CA certifies every other one: the number of paths grows factorially. */
  async function mesh(size: number): Promise<{ members: TestEntity[]; cross: TestEntity[] }> {
    const members = await Promise.all(Array.from({ length: size }, (_, index) => ca(`M${index}`)));
    const cross: TestEntity[] = [];
    for (const subject of members)
      for (const issuer of members)
        if (subject !== issuer)
          cross.push(await issue({ subject: `CN=M${members.indexOf(subject)}`, keys: subject.keys, issuer }));
    return { members, cross };
  }

  it('for cross-certified CAs, with or without an anchor that forbids the name', async () => {
    const { members, cross } = await mesh(14);
    const forbidding = await ca('Forbidding', {
      extra: [nameConstraintsExtension({ permitted: [{ kind: 'directoryName', name: root.name }] })],
    });
    const [first] = members;
    if (!first) throw new Error('The mesh has members.');
    const entry = await issue({ subject: 'CN=M0', keys: first.keys, issuer: forbidding });
    const end = await leafOf(members.at(-1) ?? first);
    const candidates = [...cross, entry].map((each) => intermediate(each));
    const before = process.cpuUsage();
    expect(build(end, [...candidates, anchor(forbidding)])).toMatchObject({ isValid: false, isExhausted: true });
    expect(build(end, candidates)).toMatchObject({ isValid: false, isExhausted: false });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(4); // Two searches of at most one second, on a busy machine.
  });

  it("to the caller's budget, and a result is still returned", () => {
    const work = createPathWork(createBudget(100), nodeCrypto.verify);
    const built = build(leaf, [intermediate(middle), anchor(root)], { work });
    expect(built).toMatchObject({ isValid: false, isExhausted: true, end: 'exhausted' });
  });

  it('to a maximum number of candidates', () => {
    const many = Array.from({ length: MAX_PATH_CANDIDATES + 1 }, () => intermediate(middle));
    expect(() => build(leaf, many)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
  });
});

describe('every small graph of CAs', () => {
  it('has a path if and only if a search through all sequences finds one', async () => {
    const keys: KeyPair[] = await Promise.all(Array.from({ length: 4 }, () => generateKeyPair('P-256')));
    const edge = fc.record({
      subject: fc.nat(3),
      issuer: fc.nat(3),
      fault: fc.constantFrom('none', 'none', 'none', 'old', 'mute', 'pathLength', 'names', 'objection'),
    });
    const graph = fc.record({
      edges: fc.array(edge, { maxLength: 9 }),
      anchors: fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 2 }),
    });
    const entity = (index: number, issuer: TestEntity | undefined, fault: string): Promise<TestEntity> =>
      issue({
        subject: `CN=A${index}`,
        ...(keys[index] && { keys: keys[index] }),
        ...(issuer && { issuer }),
        ...(fault === 'old' ? OLD : {}),
        ...(fault === 'mute'
          ? { extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])] }
          : {}),
        ...(fault === 'pathLength' ? { extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] } : {}),
        ...(fault === 'names'
          ? { extra: [nameConstraintsExtension({ excluded: [{ kind: 'dNSName', value: 'example.com' }] })] }
          : {}),
      });
    const roots = await Promise.all(keys.map((_, index) => entity(index, undefined, 'none')));
    const end = await issue({
      subject: 'CN=end',
      issuer: roots[0] as TestEntity, // One of four.
      extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: 'www.example.com' }])],
    });
    await fc.assert(
      fc.asyncProperty(graph, async ({ edges, anchors }) => {
        const made = await Promise.all(
          edges.map(async ({ subject, issuer, fault }) =>
            intermediate(await entity(subject, roots[issuer], fault), fault === 'objection' ? 'No.' : undefined),
          ),
        );
        // The index is less than 4.
        const candidates = [...made, ...anchors.map((index) => anchor(roots[index] as TestEntity))];
        const expected = hasValidPath([], candidates);
        expect(build(end, candidates).isValid).toBe(expected);
      }),
      { numRuns: 60 },
    );

    /** Tries all sequences without a repeated name, straight from the definition. */
    function hasValidPath(above: readonly PathCandidate[], candidates: readonly PathCandidate[]): boolean {
      const last = above.at(-1);
      if (last?.isAnchor)
        return validatePath([end.certificate, ...above.map(({ certificate }) => certificate)], options).isValid;
      return candidates.some((candidate) => {
        const repeats = above.some(
          (each) => each.certificate.subjectDer.toHex() === candidate.certificate.subjectDer.toHex(),
        );
        const fits =
          (last?.certificate ?? end.certificate).issuerDer.toHex() === candidate.certificate.subjectDer.toHex();
        return fits && !repeats && candidate.objection === undefined && hasValidPath([...above, candidate], candidates);
      });
    }
  });
});

describe('all valid paths', () => {
  let other: TestEntity;
  let cross: TestEntity;
  beforeAll(async () => {
    other = await ca('Other');
    cross = await ca('Middle', { issuer: other, keys: middle.keys, notBeforeMs: NOW_MS - 2 * DAY_MS });
  });

  it('are found if two roots certified the same CA, in order of preference', () => {
    const expected = [build(leaf, [intermediate(cross), anchor(other), intermediate(middle), anchor(root)])].map(
      ({ issuers }) => issuers.map(({ certificate }) => certificate),
    );
    const found = paths(leaf, [intermediate(cross), anchor(other), intermediate(middle), anchor(root)]);
    expect(found[0]).toEqual(expected[0]);
    expect(new Set(found)).toEqual(
      new Set([
        [middle.certificate, root.certificate],
        [cross.certificate, other.certificate],
      ]),
    );
  });

  it('exclude expired, rejected, untrusted and name-constrained certificates', async () => {
    const expired = await ca('Middle', { issuer: other, keys: middle.keys, ...OLD });
    const forbidding = await ca('Middle', {
      issuer: other,
      keys: middle.keys,
      extensions: [
        basicConstraintsExtension({ ca: true }),
        keyUsageExtension(['keyCertSign']),
        nameConstraintsExtension({ excluded: [{ kind: 'dNSName', value: 'inner.test' }] }),
      ],
    });
    const inner = await leafOf(middle, {
      extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: 'www.inner.test' }])],
    });
    const good = [intermediate(middle), anchor(root)];
    const only = [[middle.certificate, root.certificate]];
    expect(paths(inner, [intermediate(expired), anchor(other), ...good])).toEqual(only);
    expect(paths(inner, [intermediate(cross, 'Revoked.'), anchor(other), ...good])).toEqual(only);
    expect(paths(inner, [intermediate(cross), intermediate(other), ...good])).toEqual(only);
    expect(paths(inner, [intermediate(forbidding), anchor(other), ...good])).toEqual(only);
    expect(paths(inner, [intermediate(middle), intermediate(root)])).toEqual([]);
  });

  it('are limited to the requested number', () => {
    const candidates = [intermediate(cross), anchor(other), intermediate(middle), anchor(root)];
    expect(paths(leaf, candidates, 1)).toHaveLength(1);
  });
});
