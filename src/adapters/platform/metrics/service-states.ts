import { Gauge, type Registry } from 'prom-client';

/** What a process tells of itself and its database when it is asked. Null where nobody knows just now: then it is as it was. */
export type ServiceStates = {
  readonly build: Readonly<Record<'version' | 'node' | 'environment' | 'role' | 'database', string>>;
  readonly workload: () => Promise<Workload | null>;
  readonly database: () => Promise<DatabaseState>;
};

export type Workload = {
  readonly documents: ReadonlyMap<string, number>;
  readonly oldestDueSeconds: ReadonlyMap<string, number>;
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
  const names = Object.keys(build);
  new Gauge({
    name: 'dostava_build_info',
    help: 'Always 1; its labels say which version runs, and as what.',
    labelNames: names,
    registers,
  }).set(build, 1);
  registerWorkload(registers, workload);
  registerDatabase(registers, database);
}

function registerWorkload(registers: Registry[], workload: ServiceStates['workload']): void {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name, help, labelNames: [label], registers });
  const oldest = gauge(
    'dostava_outbound_oldest_due_seconds',
    'For how long the longest due outbound document has been due, by status; 40 is for containers. Without stopped tenants.',
    'status',
  );
  const scheduled = gauge('dostava_recurring_tasks', 'Recurring tasks of all tenants.', 'task');
  const failing = gauge(
    'dostava_recurring_tasks_failing',
    'Recurring tasks whose last runs, three or more in a row, failed.',
    'task',
  );
  const taskDue = gauge(
    'dostava_recurring_task_oldest_due_seconds',
    'For how long the longest due recurring task has been due.',
    'task',
  );
  new Gauge({
    name: 'dostava_outbound_documents',
    help: 'Outbound documents of all tenants, by status; the same in every process.',
    labelNames: ['status'],
    registers,
    async collect() {
      const load = await workload();
      if (load === null) return;
      for (const [status, documents] of load.documents) this.set({ status }, documents);
      for (const [status, seconds] of load.oldestDueSeconds) oldest.set({ status }, seconds);
      for (const task of load.tasks) {
        scheduled.set({ task: task.name }, task.scheduled);
        failing.set({ task: task.name }, task.failing);
        taskDue.set({ task: task.name }, task.oldestDueSeconds);
      }
    },
  });
}

function registerDatabase(registers: Registry[], database: ServiceStates['database']): void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const writable = gauge('dostava_database_writable', '1 while the database can be written, 0 while it cannot.');
  const size = gauge('dostava_database_size_bytes', 'Size of the database.');
  const free = gauge('dostava_database_disk_free_bytes', 'What is free on the disk of the embedded database.');
  const total = gauge('dostava_database_disk_size_bytes', 'Size of the disk of the embedded database.');
  const connections = gauge(
    'dostava_database_connections',
    'Connections of this process, by state: idle, busy.',
    'state',
  );
  const limit = gauge('dostava_database_connections_limit', 'How many of them there may be.');
  const waiting = gauge('dostava_database_connections_awaited', 'Pieces of work that wait for a connection.');
  new Gauge({
    name: 'dostava_database_reachable',
    help: '1 while the database answers, 0 while it does not.',
    registers,
    async collect() {
      const state = await database();
      this.set(state.isReachable ? 1 : 0);
      writable.set(state.isWritable ? 1 : 0);
      if (state.sizeBytes !== null) size.set(state.sizeBytes);
      if (state.disk !== null) {
        free.set(state.disk.freeBytes);
        total.set(state.disk.totalBytes);
      }
      if (state.connections === null) return;
      connections.set({ state: 'idle' }, state.connections.idle);
      connections.set({ state: 'busy' }, state.connections.busy);
      limit.set(state.connections.limit);
      waiting.set(state.connections.waiting);
    },
  });
}
