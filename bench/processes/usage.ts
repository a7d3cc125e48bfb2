import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What a process has used, threads included. */
export type Usage = { readonly processorMs: number; readonly residentMiB: number; readonly peakMiB: number };

/** Of the kernel's clock for this, on every Linux of today. */
const TICK_MS = 10;
const KIB_OF_MIB = 1_024;
const NS_OF_MS = 1_000_000;
/** By its documentation: the peak of the resident memory begins anew. */
const RESET_PEAK = '5';
/** Of what follows the name in `stat`: time in the program and in the system. */
const TIMES_AT = [11, 12] as const;

/** Null where the system does not tell: only Linux has these files. */
export function usageOf(pid: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // The name may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = TIMES_AT.reduce((sum, at) => sum + Number(fields[at]), 0);
    const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1]) / KIB_OF_MIB;
    const processorMs = Math.max(ticks * TICK_MS, ofLivingThreads(pid));
    return { processorMs, residentMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
  } catch {
    return null;
  }
}

/** To the nanosecond, but without threads that have ended; the ticks have those. */
function ofLivingThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / NS_OF_MS;
}

export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  } catch {
    // The peak is then that of the process since its start, which is no less.
  }
}
