import { Gauge, type Registry } from 'prom-client';
import { sharedAnswer } from './shared-answer.ts';

/** What a process tells of itself and its database when it is asked. Null where nobody knows just now: then it is as it was. */
export type ServiceStates = {
  readonly build: Readonly<Record<'version' | 'node' | 'environment' | 'role' | 'database', string>>;
  readonly workload: () => Promise<Workload | null>;
  readonly database: () => Promise<DatabaseState>;
};

export type Workload = {
  readonly documents: ReadonlyMap<string, number>;
  readonly oldestDueSeconds: ReadonlyMap<string, number>;
  readonly unknownSeconds: ReadonlyMap<string, number>;
  readonly tasks: readonly {
    readonly name: string;
    readonly scheduled: number;
    readonly failing: number;
    readonly oldestDueSeconds: number;
  }[];
};

export type DatabaseState = {
  readonly isReachable: boolean;
  readonly isWritable: boolean;
  readonly sizeBytes: number | null;
  /** Of the disk that has the embedded database. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  /** Null for the embedded database. */
  readonly connections: {
    readonly idle: number;
    readonly busy: number;
    readonly waiting: number;
    readonly limit: number;
  } | null;
};

/** Registers metrics whose values are asked for when they are read. */
export function registerServiceStates(registry: Registry, { build, workload, database }: ServiceStates): void {
  const registers = [registry];
  new Gauge({
    name: 'dostava_build_info',
    help: 'Always 1; its labels say which version runs, and as what.',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1);
  registerWorkload(registers, sharedAnswer(workload));
  registerDatabase(registers, sharedAnswer(database));
}

type Labelled = readonly (readonly [label: string, value: number])[];

function registerWorkload(registers: Registry[], workload: ServiceStates['workload']): void {
  const gauge = (name: string, help: string, label: string, values: (load: Workload) => Labelled) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const load = await workload();
        for (const [of, value] of load === null ? [] : values(load)) this.set({ [label]: of }, value);
      },
    });
  gauge(
    'dostava_outbound_documents',
    'Outbound documents of all tenants, by status; the same in every process.',
    'status',
    ({ documents }) => [...documents],
  );
  gauge(
    'dostava_outbound_oldest_due_seconds',
    'For how long the longest due outbound document has been due, by status; 40 is for containers. Without stopped tenants.',
    'status',
    ({ oldestDueSeconds }) => [...oldestDueSeconds],
  );
  gauge(
    'dostava_outcome_unknown_seconds',
    'For how long the document, or void, that was sent first and has no outcome yet has been without one.',
    'of',
    ({ unknownSeconds }) => [...unknownSeconds],
  );
  gauge('dostava_recurring_tasks', 'Recurring tasks of all tenants.', 'task', ({ tasks }) =>
    tasks.map(({ name, scheduled }) => [name, scheduled]),
  );
  gauge(
    'dostava_recurring_tasks_failing',
    'Recurring tasks whose last runs, three or more in a row, failed.',
    'task',
    ({ tasks }) => tasks.map(({ name, failing }) => [name, failing]),
  );
  gauge(
    'dostava_recurring_task_oldest_due_seconds',
    'For how long the longest due recurring task has been due.',
    'task',
    ({ tasks }) => tasks.map(({ name, oldestDueSeconds }) => [name, oldestDueSeconds]),
  );
}

function registerDatabase(registers: Registry[], database: ServiceStates['database']): void {
  /** Without a value where nobody knows it, or there is none: a zero would raise alerts. */
  const gauge = (name: string, help: string, value: (state: DatabaseState) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const known = value(await database());
        if (known === null) this.remove();
        else this.set(known);
      },
    });
  gauge('dostava_database_reachable', '1 while the database answers, 0 while it does not.', ({ isReachable }) =>
    Number(isReachable),
  );
  gauge('dostava_database_writable', '1 while the database can be written, 0 while it cannot.', ({ isWritable }) =>
    Number(isWritable),
  );
  gauge('dostava_database_size_bytes', 'Size of the database.', ({ sizeBytes }) => sizeBytes);
  gauge(
    'dostava_database_disk_free_bytes',
    'What is free on the disk of the embedded database.',
    ({ disk }) => disk?.freeBytes ?? null,
  );
  gauge(
    'dostava_database_disk_size_bytes',
    'Size of the disk of the embedded database.',
    ({ disk }) => disk?.totalBytes ?? null,
  );
  gauge(
    'dostava_database_connections_limit',
    'How many connections to the database this process may have.',
    ({ connections }) => connections?.limit ?? null,
  );
  gauge(
    'dostava_database_connections_awaited',
    'Pieces of work that wait for a connection to the database.',
    ({ connections }) => connections?.waiting ?? null,
  );
  new Gauge({
    name: 'dostava_database_connections',
    help: 'Connections of this process to the database, by state: idle, busy.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { connections } = await database();
      if (connections === null) return;
      for (const state of ['idle', 'busy'] as const) this.set({ state }, connections[state]);
    },
  });
}
