import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { postgresServer, startPostgres } from './postgres.ts';
import { embeddedPrograms, type Programs } from './postgres-cluster.ts';
import type { PostgresDatabases } from './postgres-databases.ts';

/** A server and the tools that know its version: `pg_dump` refuses one that is newer than itself. */
export type PostgresTools = {
  readonly databases: () => Promise<PostgresDatabases>;
  /** Runs a line of the shell in which the tools and DATABASE_URL are known. */
  readonly run: (line: string, cwd: string, databaseUrl: string) => Promise<void>;
};

const WHERE_DEBIAN_HAS_THEM = '/usr/lib/postgresql';

/** From npm comes the server alone. Tools of an older version bring the server that they were installed with. Else the reason. */
export async function findPostgresTools(): Promise<PostgresTools | string> {
  const embedded = await embeddedPrograms();
  const folders = [dirname(embedded.postgres), ...foldersOfSystem()].filter(
    (folder) => existsSync(join(folder, 'pg_dump')) && existsSync(join(folder, 'pg_restore')),
  );
  const needed = majorVersion(embedded.postgres);
  const newest = folders.find((folder) => majorVersion(join(folder, 'pg_dump')) >= needed);
  if (newest !== undefined) return toolsIn(newest, postgresServer);
  for (const folder of folders) {
    const programs: Programs = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
    if (Object.values(programs).every(existsSync)) return toolsIn(folder, () => startPostgres(undefined, programs));
  }
  return `there is no pg_dump of version ${needed}, and none of an older version with its server`;
}

function toolsIn(folder: string, databases: PostgresTools['databases']): PostgresTools {
  return {
    databases,
    async run(line, cwd, databaseUrl) {
      const env = { PATH: `${folder}:${process.env['PATH']}`, DATABASE_URL: databaseUrl };
      await promisify(execFile)('/bin/sh', ['-c', line], { cwd, env });
    },
  };
}

function foldersOfSystem(): readonly string[] {
  const versions = existsSync(WHERE_DEBIAN_HAS_THEM) ? readdirSync(WHERE_DEBIAN_HAS_THEM) : [];
  const named = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return [...versions.map((version) => join(WHERE_DEBIAN_HAS_THEM, version, 'bin')), named].filter(Boolean);
}

function majorVersion(program: string): number {
  return Number(/(\d+)/u.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 0);
}
