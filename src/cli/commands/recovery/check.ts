import { counted } from '../../../domain/messages/message.ts';
import type { Command } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';
import { damageTable } from './damage-table.ts';

export const check: Command = {
  name: 'check',
  summary:
    'Reads everything that has a checksum, in the database and in ARCHIVE_DIR, and says what is damaged or missing.',
  positionals: '',
  options: {},
  async run(operator, _given, report) {
    const show = progressLines(report, operator.timers);
    const done = await operator.checkStoredBytes(({ what, ...step }) =>
      show({ act: 'checking', what, ...step, unit: what }),
    );
    const { files, payloads, volumes, damage } = done;
    const text = [
      ...(damage.length === 0 ? [] : [damageTable(damage), '']),
      `${counted(files, 'file')}, ${counted(payloads, 'payload')} and ${counted(volumes, 'volume')} of the archive were read.`,
      damage.length === 0 ? 'Nothing is damaged.' : `${counted(damage.length, 'is', 'are')} DAMAGED.`,
    ];
    return { text: text.join('\n'), json: done, isFailure: damage.length > 0 };
  },
};
