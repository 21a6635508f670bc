// CLI entry point: checks that Node can run TypeScript before loading anything else. Plain JavaScript, so
// that an old Node can parse it and Node's type stripper is not loaded for it.
{
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 21)) {
    console.error(
      `signetry needs Node 24.21 or newer and this is Node ${process.versions.node}: run \`npm ci\` in the clone, which brings its own Node, and start with \`npm start\` or packages/cli/bin/signetry.`,
    );
    process.exitCode = 1;
  } else {
    // Small buffers share slabs, and a single retained buffer retains its entire slab. With slabs of 64 KiB, this
    // amounts to 10 MiB after startup alone.
    Buffer.poolSize = 8 * 1024;
    // Compiled code is cached in the clone, never in a temporary folder where other users could plant their own. The
    // cache saves a second per start and about 40 MiB; if the folder is not writable, everything works without it.
    void import('node:module')
      .then(({ enableCompileCache }) => enableCompileCache(`${__dirname}/../../../node_modules/.cache/signetry-code`))
      .then(() => import('./program/run-process.ts'))
      .then(({ runProcess }) => runProcess());
  }
}
