import type { Command } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';
import { table } from '../../table.ts';

export const check: Command = {
  name: 'check',
  summary: 'Reads everything that has a checksum, in the database and in ARCHIVE_DIR, and says what is damaged.',
  positionals: '',
  options: {},
  async run(operator, _given, report) {
    const show = progressLines(report, operator.timers);
    const done = await operator.checkStoredBytes(({ what, ...step }) =>
      show({ act: 'checking', what, ...step, unit: what }),
    );
    const { files, payloads, volumes, damage } = done;
    const rows = damage.map(({ tenant, what, documents }) => [tenant, what, documents.join(' ')]);
    const text = [
      ...(rows.length === 0 ? [] : [table(['EDB', 'DAMAGED', 'DOCUMENTS'], rows), '']),
      `${files} files, ${payloads} payloads and ${volumes} volumes of the archive were read.`,
      rows.length === 0 ? 'Nothing is damaged.' : `${rows.length} are DAMAGED.`,
    ];
    return { text: text.join('\n'), json: done, isFailure: rows.length > 0 };
  },
};
