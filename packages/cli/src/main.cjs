// Entry of the command line: asks for a Node that runs TypeScript before anything else is loaded. Plain JavaScript, so
// that an old Node can read it and Node's type stripper is not loaded for it.
{
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 21)) {
    console.error(
      `signetry needs Node 24.21 or newer and this is Node ${process.versions.node}: run \`npm ci\` in the clone, which brings its own Node, and start with \`npm start\` or packages/cli/bin/signetry.`,
    );
    process.exitCode = 1;
  } else {
    // Small buffers share slabs, and one that is kept keeps its slab: of 64 KiB, that is 10 MiB after the start alone.
    Buffer.poolSize = 8 * 1024;
    // Compiled sources are kept in the clone, never in a temporary folder where others could leave theirs. Saves a
    // second of every start and some 40 MiB; where the folder cannot be written, everything works without.
    void import('node:module')
      .then(({ enableCompileCache }) => enableCompileCache(`${__dirname}/../../../node_modules/.cache/signetry-code`))
      .then(() => import('./program/run-process.ts'))
      .then(({ runProcess }) => runProcess());
  }
}
