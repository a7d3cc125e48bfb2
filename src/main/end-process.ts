/** Work of Node's threads as Node names it: files, and names of hosts. Each may wait for a disk or a server that does not answer, for ever. */
const OF_THREADS = /^(?:FSReq|GetAddrInfo|GetNameInfo)/u;

/**
 * Ends the process now. Node waits for its threads, even within `process.exit`. The system does not where another program takes the place of
 * this one: a Node that does nothing but end with the exit code.
 */
export function endProcess(exitCode: number): never {
  const isHeldUp = process.getActiveResourcesInfo().some((kind) => OF_THREADS.test(kind));
  if (isHeldUp && process.execve !== undefined) {
    // What waits for the end, as the last lines of the log do.
    process.emit('exit', exitCode);
    process.execve(process.execPath, [process.execPath, '--eval', `process.exitCode = ${exitCode}`], {});
  }
  process.exit(exitCode);
}
