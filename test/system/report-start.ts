/** Loaded ahead of the program, says in its place how it was started. */
if (process.argv[1]?.endsWith('main.ts')) {
  const { pid, execArgv, argv, env } = process;
  const report = { pid, flags: execArgv, words: argv.slice(2), compileCache: env['NODE_COMPILE_CACHE'] };
  process.stdout.write(JSON.stringify(report));
  process.exit(7);
}
