import type { VariableGroup } from './described-variable.ts';

export const STORAGE_VARIABLES: VariableGroup = {
  title: 'The database, the archive and the audit trail',
  variables: [
    {
      name: 'DATABASE_URL',
      meaning: '`postgres://…`: PostgreSQL instead of the embedded database; the address of one server',
      example: 'postgres://dostava:password@db.internal/dostava',
      default: null,
      isSecret: true,
    },
    {
      name: 'DATABASE_POOL_SIZE',
      meaning: 'maximum number of connections of this process to PostgreSQL',
      example: '10',
      default: '10',
    },
    {
      name: 'ARCHIVE_DIR',
      meaning:
        'folder of the archive, in production absolute, from which the files of archived documents are served; every process that serves the interface must reach it',
      example: '/srv/archive',
      default: null,
    },
    {
      name: 'AUDIT_RETENTION_DAYS',
      meaning: "how long the audit trail keeps calls with a recognised key and the operator's commands",
      example: '3650',
      default: '3650',
    },
    {
      name: 'AUDIT_RETENTION_DAYS_UNRECOGNISED',
      meaning: 'how long it keeps other calls',
      example: '30',
      default: '30',
    },
  ],
};
