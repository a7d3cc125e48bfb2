import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

const GIB = 2 ** 30;

/** What figures are worth depends on it. */
export async function describeMachine(): Promise<string> {
  const memory = `${(totalmem() / GIB).toFixed(0)} GiB of memory`;
  const processors = `${availableParallelism()} processors (${await processorName()})`;
  const [load = 0] = loadavg();
  // What a vendor has added to the version of the kernel says nothing about speed.
  const [kernel] = release().split('-');
  return `${processors}, ${memory}, ${type()} ${kernel}, Node ${process.versions.node}, load average ${load.toFixed(1)} at the end`;
}

/** Not every processor tells its name; some tell the numbers of their maker and their part. */
async function processorName(): Promise<string> {
  const named = cpus()[0]?.model.trim();
  if (named !== undefined && named !== '' && named !== 'unknown') return named;
  const told = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}\\s*: (.*)$`, 'mu').exec(told)?.[1];
  const [maker, part] = [field('CPU implementer'), field('CPU part')];
  return maker === undefined ? process.arch : `${process.arch}, implementer ${maker}, part ${part}`;
}
