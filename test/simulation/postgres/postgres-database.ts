import pg from 'pg';
import { createDatabaseClock } from '../../../src/adapters/platform/database-clock.ts';
import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { types } from '../../../src/adapters/sql/postgres/dialect.ts';
import { openPostgres } from '../../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../../src/app/system-platform.ts';
import type { Clock } from '../../../src/application/ports/platform.ts';
import { postgresServer } from '../../support/postgres.ts';
import type { Chance } from '../world/chance.ts';
import type { DatabaseUser, HistoryDatabase } from '../world/history-database.ts';
import type { DatabaseSource, Databases } from '../world/template.ts';
import { clientOf } from './client.ts';
import { watchCommitted } from './committed.ts';
import { keepOriginalRows } from './original-rows.ts';
import { createScheduler, type Scheduler, serverError } from './scheduler.ts';
import type { SimulatedServer } from './server.ts';
import { openSession, type Session } from './session.ts';

/** From one try to start on a database that is down to the next. */
const RESTARTED_AFTER_MS = 1_000;
const POOL_SIZES = [2, 4, 10];
/** A look for work costs ten times as much as on the embedded database. */
const MOST_LATE = 30;

/** Histories on a real server: the one of the test run, or one of their own. */
export async function postgresSource(): Promise<DatabaseSource> {
  const url = await (await postgresServer()).createMigratedDatabase();
  return { variables: { DATABASE_URL: url }, filled: () => openDatabases(url) };
}

async function connect(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  await client.connect();
  return client;
}

async function openDatabases(url: string): Promise<Databases> {
  const observer = await connect({ connectionString: url, types, pipeline: true });
  // In another database, so that what it asks leaves no trace in the one of the histories.
  const elsewhere = new URL(url);
  elsewhere.pathname = '/postgres';
  const control = await connect({ connectionString: elsewhere.href });
  const rows = await keepOriginalRows(observer);
  const checks = openPostgres(url, systemPlatform, { poolSize: 1 });
  const sessions: Session[] = [];
  return {
    async create(chance) {
      await rows.restore();
      return createDatabase({ url, observer, control, sessions, checks, chance });
    },
    async remove() {
      await Promise.all([...sessions.map((session) => session.end()), observer.end(), control.end(), checks.close()]);
    },
  };
}

type Parts = {
  readonly url: string;
  readonly observer: pg.Client;
  readonly control: pg.Client;
  readonly sessions: Session[];
  readonly checks: Engine;
  readonly chance: Chance;
};

function createDatabase({ url, observer, control, sessions, checks, chance }: Parts): HistoryDatabase {
  const scheduler = createScheduler(control, chance.of('locks'));
  const committed = watchCommitted(observer, scheduler);
  const free = new Set(sessions);
  let offsetMs = 0;
  let downUntil = 0;

  const server: SimulatedServer = {
    scheduler,
    connections: new Set(),
    async take() {
      // The first that is free, so that a history has the same ones in every run.
      const session = sessions.find((one) => free.has(one)) ?? (await openSession(url, sessions.length));
      free.delete(session);
      if (!sessions.includes(session)) sessions.push(session);
      return session;
    },
    giveBack: (session) => void free.add(session),
    clockAt: (time) => time.now() + offsetMs,
    isDown: (time) => time.now() < downUntil,
    noteCommit: committed.noteCommit,
  };

  function killAll(): void {
    const reason = serverError('57P01', 'terminating connection due to administrator command', 'FATAL');
    for (const connection of server.connections) connection.kill(reason);
  }

  return {
    committed,
    open: (user, onOpen) => openForProcess(url, server, user, onOpen),
    pace: {
      mostLate: MOST_LATE,
      async settle() {
        await scheduler.settle();
        await committed.refresh();
      },
    },
    server: {
      setOffset(ms) {
        offsetMs = ms;
      },
      restart(time, ms) {
        downUntil = Math.max(downUntil, time.now() + ms);
        killAll();
      },
      heal() {
        offsetMs = 0;
        downUntil = 0;
      },
    },
    openForChecks: () => ({ ...checks, close: async () => undefined }),
    close: () => rollBackAll(scheduler, control, sessions),
  };
}

/** What a history leaves open is rolled back, so that the next one can have the tables to itself. */
async function rollBackAll(scheduler: Scheduler, control: pg.Client, sessions: readonly Session[]): Promise<void> {
  for (const { pid } of sessions.filter(scheduler.isWaiting))
    await control.query('select pg_cancel_backend($1)', [pid]);
  await Promise.all(sessions.map((session) => session.send({ text: 'rollback', values: [] })));
}

/** The real adapter on the driver's real pool; timers of the pool, which would run in real time, are switched off. */
function openForProcess(
  url: string,
  server: SimulatedServer,
  user: DatabaseUser,
  onOpen: (engine: Engine, clock: Clock) => void,
): () => void {
  const { life, platform, chance } = user;
  const clients = new Set<{ readonly crash: () => void }>();
  const engine = openPostgres(url, platform, {
    poolSize: chance.pick(POOL_SIZES),
    statementMs: 0,
    createPool: (settings) =>
      new pg.Pool({
        ...settings,
        connectionTimeoutMillis: 0,
        idleTimeoutMillis: 0,
        Client: clientOf(server, user, clients) as unknown as NonNullable<pg.PoolConfig['Client']>,
      }),
  });

  /** As the service starts: one that does not get an answer ends, and is started again. */
  async function start(): Promise<void> {
    while (!life.isOver()) {
      try {
        const clock = await createDatabaseClock({
          databaseTime: engine.serverTime ?? (async () => platform.clock.now()),
          timers: platform.timers,
        });
        if (!life.isOver()) onOpen(engine, clock);
        return;
      } catch {
        await platform.timers.pause(RESTARTED_AFTER_MS);
      }
    }
  }

  void start();
  return () => {
    for (const client of clients) client.crash();
  };
}
