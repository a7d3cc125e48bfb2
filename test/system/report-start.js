/** Loaded ahead of the program, says in its place how it was started. JavaScript: to strip types takes Node as long as all the rest. */
if (process.argv[1]?.endsWith('main.ts')) {
  const { pid, execArgv, argv, env } = process;
  const report = { pid, flags: execArgv, words: argv.slice(2), compileCache: env['NODE_COMPILE_CACHE'] };
  process.stdout.write(JSON.stringify(report));
  process.exit(7);
}
